/**
 * The land that is here, in a fixed number of places: layers of two textures on the card. What was
 * used longest ago gives its place to what comes, so memory never grows.
 */

import {
  ClampToEdgeWrapping,
  DataArrayTexture,
  FloatType,
  LinearFilter,
  NearestFilter,
  RGBAFormat,
  RGFormat,
  SRGBColorSpace,
} from "three";
import { type Chunk, nameOf } from "./tree.ts";
import type { Land } from "./world.ts";

export interface Kept {
  readonly chunk: Chunk;
  readonly slot: number;
  readonly low: number;
  readonly high: number;
  /** When it came [s], so that it can grow out of its parent's shape. */
  readonly born: number;
  used: number;
}

export class Pool {
  readonly heights: DataArrayTexture;
  readonly colours: DataArrayTexture;
  private readonly side: number;
  private readonly kept = new Map<string, Kept>();
  private readonly free: number[];
  private turn = 0;

  /** Room for so many chunks of side × side cells; `smooth` where floats can be filtered. */
  constructor(count: number, side: number, smooth: boolean) {
    this.side = side;
    this.free = Array.from({ length: count }, (_, k) => count - 1 - k);
    const filter = smooth ? LinearFilter : NearestFilter;
    this.heights = new DataArrayTexture(
      new Float32Array(2 * side * side * count),
      side,
      side,
      count,
    );
    Object.assign(this.heights, { format: RGFormat, type: FloatType });
    this.colours = new DataArrayTexture(new Uint8Array(4 * side * side * count), side, side, count);
    Object.assign(this.colours, { format: RGBAFormat, colorSpace: SRGBColorSpace });
    for (const [texture, kind] of [
      [this.heights, filter],
      [this.colours, LinearFilter],
    ] as const) {
      texture.magFilter = texture.minFilter = kind;
      texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
      texture.generateMipmaps = false;
      texture.unpackAlignment = 1;
      texture.needsUpdate = true;
    }
  }

  get size(): number {
    return this.kept.size;
  }

  /** A new picture begins: what is asked for from now on is in use. */
  begin(): void {
    this.turn++;
  }

  /** A chunk that is here; asking keeps it. */
  find(chunk: Chunk): Kept | undefined {
    const found = this.kept.get(nameOf(chunk));
    if (found) found.used = this.turn;
    return found;
  }

  has(chunk: Chunk): boolean {
    return this.find(chunk) !== undefined;
  }

  /** Takes land in; false if all that is here is in use. */
  take({ chunk, heights, colours, low, high }: Land, now: number): boolean {
    const name = nameOf(chunk);
    if (this.kept.has(name)) return true;
    const slot = this.free.pop() ?? this.freed();
    if (slot === undefined) return false;
    (this.heights.image.data as Float32Array).set(heights, slot * heights.length);
    (this.colours.image.data as Uint8Array).set(colours, slot * colours.length);
    for (const texture of [this.heights, this.colours]) {
      texture.addLayerUpdate(slot);
      texture.needsUpdate = true;
    }
    this.kept.set(name, { chunk, slot, low, high, born: now, used: this.turn });
    return true;
  }

  /** Elevation [m] at a place of a chunk, in cells from its north-west corner; as it is drawn. */
  elevation(kept: Kept, x: number, z: number, border: number): { ground: number; water: number } {
    const data = this.heights.image.data as Float32Array;
    const { side } = this;
    const [u, v] = [x + border - 0.5, z + border - 0.5];
    const col = Math.min(Math.max(Math.floor(u), 0), side - 2);
    const row = Math.min(Math.max(Math.floor(v), 0), side - 2);
    const [s, t] = [u - col, v - row];
    const at = (k: number) => {
      const cell = 2 * (kept.slot * side * side + row * side + col) + k;
      const read = (more: number) => data[cell + 2 * more] as number;
      const north = read(0) * (1 - s) + read(1) * s;
      return north * (1 - t) + (read(side) * (1 - s) + read(side + 1) * s) * t;
    };
    return { ground: at(0), water: at(1) };
  }

  /** The colour [sRGB] of the cell at a place of a chunk. */
  colourAt({ slot }: Kept, x: number, z: number, border: number): [number, number, number] {
    const data = this.colours.image.data as Uint8Array;
    const inside = (place: number) =>
      Math.min(Math.max(Math.floor(place + border), 0), this.side - 1);
    const at = 4 * ((slot * this.side + inside(z)) * this.side + inside(x));
    return [data[at] as number, data[at + 1] as number, data[at + 2] as number];
  }

  /** Tells the card anew: its memory was lost. */
  renew(): void {
    for (const texture of [this.heights, this.colours]) {
      texture.clearLayerUpdates();
      texture.needsUpdate = true;
    }
  }

  private freed(): number | undefined {
    let oldest: Kept | undefined;
    for (const kept of this.kept.values())
      if (kept.used < this.turn && (!oldest || kept.used < oldest.used)) oldest = kept;
    if (!oldest) return undefined;
    this.kept.delete(nameOf(oldest.chunk));
    return oldest.slot;
  }
}
