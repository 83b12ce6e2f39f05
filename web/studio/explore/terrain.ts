/** The land round the eye: one mesh, drawn once for each chunk that is chosen. */

import {
  Box3,
  BufferAttribute,
  Frustum,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Matrix4,
  Mesh,
  type PerspectiveCamera,
  type ShaderMaterial,
  Vector2,
  type WebGLRenderer,
} from "three";
import worldFragment from "../shaders/world.frag.glsl?raw";
import worldVertex from "../shaders/world.vert.glsl?raw";
import { type AirUniforms, paved } from "../view/glsl.ts";
import { type Kept, Pool } from "./pool.ts";
import {
  type Choice,
  type Chunk,
  choose,
  type Eye,
  type Forest,
  parentOf,
  topLevel,
} from "./tree.ts";
import type { Land, World } from "./world.ts";

/** The recipe's own land is so many scene units long, as on its block: light and haze are alike. */
const EDGE = 100;
/** How far one sees, in lengths of the recipe's own land. */
export const SIGHT = 6;
/** Chunks that are kept, and drawn, at most. */
const ROOM = 640;
const MOST = 400;
/** A chunk is divided nearer than so many of its edges; the second where frames are dear. */
const DETAIL = { fine: 2.1, rough: 1.3 };
/** How long a chunk grows out of its parent's shape [s]. */
const GROWING = 0.8;
/** From this share of the distance at which a chunk gives way to its parent it takes on its shape. */
const YIELDS = 0.72;
/** A skirt hides what gapes between two levels: so deep, in edges of the chunk. */
const SKIRT = 0.03;
/** Grains repeat after so many cells; a multiple of all their sizes. */
const LATTICE = 2048;
/** Waves repeat after so many scene units, where nobody looks twice. */
const WAVES = 512;

type Rgb = readonly [number, number, number];

export class Terrain {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  readonly pool: Pool;
  readonly forest: Forest;
  /** Metres a scene unit. */
  readonly unit: number;
  choice: Choice = { drawn: [], wanted: [], lacking: false };
  private readonly world: World;
  private readonly frames: InstancedBufferAttribute;
  private readonly owns: InstancedBufferAttribute;
  private readonly shapes: InstancedBufferAttribute;
  private readonly counts: InstancedBufferAttribute;
  private readonly drift = { value: new Vector2() };
  private readonly above = { value: 0 };
  readonly clock = { value: 0 };

  constructor(world: World, air: AirUniforms, renderer: WebGLRenderer, slow: boolean) {
    this.world = world;
    this.unit = world.span / EDGE;
    const edge = world.chunk * world.cell_size;
    const far = SIGHT * world.span;
    const top = topLevel(edge, far, world.deepest);
    this.forest = { edge, top, far, detail: slow ? DETAIL.rough : DETAIL.fine };
    const smooth = renderer.extensions.has("OES_texture_float_linear");
    const gl = renderer.getContext() as WebGL2RenderingContext;
    const layers = Math.min(ROOM, gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS) as number);
    this.pool = new Pool(layers, world.chunk + 2 * world.border, smooth);
    const attribute = (size: number) =>
      new InstancedBufferAttribute(new Float32Array(size * MOST), size);
    [this.frames, this.owns, this.shapes, this.counts] = [3, 4, 3, 2].map(attribute) as [
      InstancedBufferAttribute,
      InstancedBufferAttribute,
      InstancedBufferAttribute,
      InstancedBufferAttribute,
    ];
    const geometry = chunkGeometry(world.chunk, slow ? 4 : 1);
    geometry.setAttribute("frame", this.frames);
    geometry.setAttribute("own", this.owns);
    geometry.setAttribute("shape", this.shapes);
    geometry.setAttribute("count", this.counts);
    const [low, high] = world.range;
    const relief = (high - low) / this.unit;
    const uniforms = {
      ...air,
      uHeights: { value: this.pool.heights },
      uColours: { value: this.pool.colours },
      uChunk: { value: new Vector2(world.chunk, world.chunk + 2 * world.border) },
      uUnit: { value: 1 / this.unit },
      uSkirt: { value: SKIRT },
      uSteep: { value: Math.min(Math.max(0.04 * relief, 0.12), 1.2) },
      uClear: { value: Math.max(relief / 14, 0.25) },
      uTime: this.clock,
      uDrift: this.drift,
      uAbove: this.above,
      uFar: { value: far / this.unit },
      uLow: { value: low / this.unit },
    };
    this.mesh = new Mesh(
      geometry,
      paved(worldVertex, worldFragment, uniforms, smooth ? {} : { NEAREST: 1 }),
    );
    this.mesh.frustumCulled = false;
  }

  take(land: Land, now: number): boolean {
    return this.pool.take(land, now);
  }

  /** Chooses what is drawn from an eye at x, z [m], so high above the ground; true while it changes. */
  show(eye: Eye, camera: PerspectiveCamera, now: number): boolean {
    const { pool, unit, forest } = this;
    pool.begin();
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const box = new Box3();
    const [low, high] = this.world.range;
    const slack = high - low;
    const isSeen = (chunk: Chunk) => {
      const kept = pool.find(chunk);
      const size = (forest.edge * 2 ** chunk.level) / unit;
      const x = (chunk.col * forest.edge * 2 ** chunk.level - eye.x) / unit;
      const z = (chunk.row * forest.edge * 2 ** chunk.level - eye.z) / unit;
      box.min.set(x, (kept ? kept.low : low - slack) / unit - SKIRT * size, z);
      box.max.set(x + size, (kept ? kept.high : high + slack) / unit, z + size);
      return frustum.intersectsBox(box);
    };
    this.choice = choose(forest, eye, (chunk) => pool.has(chunk), isSeen);
    this.drift.value.set((eye.x / unit) % WAVES, (eye.z / unit) % WAVES);
    this.above.value = eye.up / unit;
    let growing = false;
    const drawn = this.choice.drawn.slice(0, MOST);
    drawn.forEach((chunk, k) => {
      const kept = pool.find(chunk);
      if (kept) growing = this.put(k, kept, eye, now) || growing;
    });
    this.mesh.geometry.instanceCount = drawn.length;
    for (const each of [this.frames, this.owns, this.shapes, this.counts]) {
      each.clearUpdateRanges();
      each.addUpdateRange(0, each.itemSize * drawn.length);
      each.needsUpdate = true;
    }
    return growing;
  }

  /** Ground and water [m] at a place [m], by the finest land that is here; null before any came. */
  levelsAt(x: number, z: number): { ground: number; water: number; level: number } | null {
    const here = this.keptAt(x, z, 0);
    if (!here) return null;
    const { kept, u, v } = here;
    return { ...this.pool.elevation(kept, u, v, this.world.border), level: kept.chunk.level };
  }

  /** The finest chunk that is here at a place, not finer than a level, and the place in its cells. */
  private keptAt(x: number, z: number, finest: number) {
    for (let level = finest; level <= this.forest.top; level++) {
      const cell = this.world.cell_size * 2 ** level;
      const size = this.world.chunk * cell;
      const [row, col] = [Math.floor(z / size), Math.floor(x / size)];
      const kept = this.pool.find({ level, row, col });
      if (kept) return { kept, cell, u: (x - col * size) / cell, v: (z - row * size) / cell };
    }
    return null;
  }

  /** The colour of a place from above (sRGB), lit from the north-west; null before land came there. */
  shadeAt(x: number, z: number, step: number, water: Rgb): Rgb | null {
    const level = Math.min(
      Math.max(Math.floor(Math.log2(step / this.world.cell_size)), 0),
      this.forest.top,
    );
    const here = this.keptAt(x, z, level);
    if (!here) return null;
    const { kept, u, v, cell } = here;
    const { border } = this.world;
    const levels = this.pool.elevation(kept, u, v, border);
    if (levels.water > levels.ground) return water;
    const slope = (right: number, down: number) =>
      (this.pool.elevation(kept, u + right, v + down, border).ground - levels.ground) / cell;
    const light = 1 + 0.9 * Math.tanh(1.2 * (slope(1, 0) + slope(0, 1)));
    const [red, green, blue] = this.pool.colourAt(kept, u, v, border);
    return [red * light, green * light, blue * light];
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.pool.heights.dispose();
    this.pool.colours.dispose();
  }

  /** Fills in a place of the mesh; true while the chunk still grows. */
  private put(k: number, { chunk, slot, born }: Kept, eye: Eye, now: number): boolean {
    const { forest, unit, pool } = this;
    const size = forest.edge * 2 ** chunk.level;
    const isTop = chunk.level === forest.top;
    const parent = isTop ? undefined : pool.find(parentOf(chunk));
    const grown = parent ? Math.min((now - born) / GROWING, 1) : 1;
    const limit = parent ? (2 * forest.detail * size) / unit : 1e9;
    this.frames.setXYZ(
      k,
      (chunk.col * size - eye.x) / unit,
      (chunk.row * size - eye.z) / unit,
      size / unit,
    );
    const half = (index: number) => index - 2 * Math.floor(index / 2);
    this.owns.setXYZW(k, slot, parent?.slot ?? slot, half(chunk.col), half(chunk.row));
    this.shapes.setXYZ(k, grown, YIELDS * limit, 0.98 * limit);
    const { chunk: cells } = this.world;
    const counted = (index: number) => {
      const at = (index * cells) % LATTICE;
      return at < 0 ? at + LATTICE : at;
    };
    this.counts.setXY(k, counted(chunk.col), counted(chunk.row));
    return grown < 1;
  }
}

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
