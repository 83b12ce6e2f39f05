/** One mesh for all chunks, and what each of the chunks that are drawn with it is told. */

import { BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry } from "three";
import type { Kept } from "./pool.ts";
import type { Chunk, Eye } from "./tree.ts";

/** Chunks that are drawn at most. */
export const MOST = 400;
/** Grains repeat after so many cells; a multiple of all their sizes. */
const LATTICE = 2048;

/** A chunk as it is drawn: itself, its parent, or both. */
export interface Shown {
  readonly chunk: Chunk;
  /** Not here: its parent lends its shape. */
  readonly kept: Kept | undefined;
  readonly parent: Kept | undefined;
  /** How much it has grown out of its parent, 0 to 1. */
  readonly grown: number;
  /** Where it begins to take on its parent's shape, and where it has [scene units]. */
  readonly yields: readonly [number, number];
}

export class Instances {
  readonly geometry: InstancedBufferGeometry;
  private readonly frames = attribute(3);
  private readonly owns = attribute(4);
  private readonly shapes = attribute(3);
  private readonly counts = attribute(2);
  private readonly cells: number;

  /** Chunks of so many cells along an edge, with a vertex at every `stride`th. */
  constructor(cells: number, stride: number) {
    this.cells = cells;
    this.geometry = chunkGeometry(cells, stride);
    this.geometry.setAttribute("frame", this.frames);
    this.geometry.setAttribute("own", this.owns);
    this.geometry.setAttribute("shape", this.shapes);
    this.geometry.setAttribute("count", this.counts);
  }

  /** Fills in the k-th place; `edge` is that of a chunk of level 0 [m], `unit` metres a scene unit. */
  put(k: number, shown: Shown, eye: Eye, edge: number, unit: number): void {
    const { chunk, kept, parent, grown, yields } = shown;
    const size = edge * 2 ** chunk.level;
    const [x, z] = [(chunk.col * size - eye.x) / unit, (chunk.row * size - eye.z) / unit];
    const slot = (kept ?? parent)?.slot ?? 0;
    const half = (index: number) => index - 2 * Math.floor(index / 2);
    const counted = (index: number) => {
      const at = (index * this.cells) % LATTICE;
      return at < 0 ? at + LATTICE : at;
    };
    this.frames.setXYZ(k, x, z, size / unit);
    this.owns.setXYZW(k, slot, parent?.slot ?? slot, half(chunk.col), half(chunk.row));
    this.shapes.setXYZ(k, grown, ...yields);
    this.counts.setXY(k, counted(chunk.col), counted(chunk.row));
  }

  /** Draws the first so many. */
  draw(count: number): void {
    this.geometry.instanceCount = count;
    for (const each of [this.frames, this.owns, this.shapes, this.counts]) {
      each.clearUpdateRanges();
      each.addUpdateRange(0, each.itemSize * count);
      each.needsUpdate = true;
    }
  }
}

const attribute = (size: number) =>
  new InstancedBufferAttribute(new Float32Array(size * MOST), size);

/**
 * A chunk's mesh, from 0 to 1 along its edges: a vertex at every `stride`th cell's middle and along
 * the edges; z is 1 at the foot of the skirt that hangs round it.
 */
export function chunkGeometry(cells: number, stride: number): InstancedBufferGeometry {
  const middles = Array.from({ length: cells / stride }, (_, k) => (k + 0.5) * (stride / cells));
  const lines = [0, ...middles, 1];
  const n = lines.length;
  const positions: number[] = [];
  const faces: number[] = [];
  for (const down of lines) for (const across of lines) positions.push(across, down, 0);
  for (let row = 0; row < n - 1; row++)
    for (let col = 0; col < n - 1; col++) {
      const a = row * n + col;
      faces.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
    }
  const rim = [
    ...lines.map((_, k) => k),
    ...lines.slice(1).map((_, k) => (k + 2) * n - 1),
    ...lines.slice(1).map((_, k) => n * n - 2 - k),
    ...lines.slice(1).map((_, k) => n * (n - 2 - k)),
  ];
  const foot = positions.length / 3;
  for (const at of rim)
    positions.push(positions[3 * at] as number, positions[3 * at + 1] as number, 1);
  for (let k = 0; k < rim.length - 1; k++) {
    const [a, b] = [rim[k] as number, rim[k + 1] as number];
    faces.push(a, b, foot + k, b, foot + k + 1, foot + k);
  }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(faces);
  geometry.instanceCount = 0;
  return geometry;
}
