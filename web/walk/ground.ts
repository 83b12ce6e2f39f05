/**
 * The ground as it is drawn where she walks: everything that stands or steps asks here.
 *
 * Metres: x east, y up, z south of the scene's origin. A vertex stands at the middle of each cell,
 * and each square between four of them is cut from its north-east to its south-west corner, as
 * the terrain's mesh cuts it.
 */

import type { Vector3 } from "three";
import { meet } from "../studio/view/march.ts";
import type { Rivers } from "./rivers.ts";

export interface Ground {
  /** Height [m] on the triangles; beside the land, that of the nearest edge. */
  height(x: number, z: number): number;
  /** The upward unit normal of the triangle there. */
  normal(x: number, z: number, into: Vector3): Vector3;
  /** How deep [m] the water is: of sea, lake or river; 0 where it is dry. */
  water(x: number, z: number): number;
  /** Whether the place lies on the land. */
  inside(x: number, z: number): boolean;
  /** The first place where a ray meets the ground: false if it passes by. */
  meet(from: Vector3, way: Vector3, into: Vector3): boolean;
}

export interface Lattice {
  /** Heights of the vertices [m], row 0 north. */
  readonly metres: Float32Array;
  readonly rows: number;
  readonly cols: number;
  /** From vertex to vertex [m]. */
  readonly cell: number;
  /** Its middle in the scene, where that is not 0. */
  readonly x?: number;
  readonly z?: number;
}

export class TriangulatedGround implements Ground {
  readonly lattice: Lattice;
  /** The level [m] of standing water at each vertex, just under the ground where it is dry. */
  readonly levels: Float32Array | null;
  private readonly rivers: Rivers | null;
  private readonly x: number;
  private readonly z: number;
  private readonly low: number;
  private readonly high: number;
  /** Where `seek` has come to: the square's north-west vertex, and the shares east and south. */
  private corner = 0;
  private east = 0;
  private south = 0;

  constructor(
    lattice: Lattice,
    levels: Float32Array | null = null,
    rivers: Rivers | null = null,
    range = rangeOf(lattice.metres),
  ) {
    this.lattice = lattice;
    this.levels = levels;
    this.rivers = rivers;
    [this.low, this.high] = range;
    [this.x, this.z] = [lattice.x ?? 0, lattice.z ?? 0];
  }

  height(x: number, z: number): number {
    this.seek(x, z);
    return this.on(this.lattice.metres);
  }

  normal(x: number, z: number, into: Vector3): Vector3 {
    this.seek(x, z);
    const { metres, cols, cell } = this.lattice;
    const at = this.corner;
    const northEast = metres[at + 1] as number;
    const southWest = metres[at + cols] as number;
    const beyond = this.east + this.south > 1;
    const other = metres[beyond ? at + cols + 1 : at] as number;
    const [down, right] = beyond ? [southWest, northEast] : [northEast, southWest];
    const sign = beyond ? 1 : -1;
    return into.set((sign * (down - other)) / cell, 1, (sign * (right - other)) / cell).normalize();
  }

  water(x: number, z: number): number {
    this.seek(x, z);
    const ground = this.on(this.lattice.metres);
    const level = Math.max(
      this.levels ? this.on(this.levels) : Number.NEGATIVE_INFINITY,
      this.rivers?.level(x, z) ?? Number.NEGATIVE_INFINITY,
    );
    return Math.max(0, level - ground);
  }

  inside(x: number, z: number): boolean {
    const { rows, cols, cell } = this.lattice;
    const [east, south] = [x - this.x, z - this.z];
    return Math.abs(east) <= ((cols - 1) / 2) * cell && Math.abs(south) <= ((rows - 1) / 2) * cell;
  }

  meet(from: Vector3, way: Vector3, into: Vector3): boolean {
    const land = { ...this.lattice, levels: null };
    const [low, high] = [this.low - 1, this.high + 1];
    const start = [from.x - this.x, this.z - from.z, from.y] as const;
    const place = meet(land, start, [way.x, -way.z, way.y], low, high);
    if (!place) return false;
    const [x, z] = [this.x + place[0], this.z - place[1]];
    into.set(x, this.height(x, z), z);
    return true;
  }

  /** Finds the square of a place; places beside the land are drawn to its edge. */
  private seek(x: number, z: number): void {
    const { rows, cols, cell } = this.lattice;
    const col = Math.min(Math.max((x - this.x) / cell + (cols - 1) / 2, 0), cols - 1);
    const row = Math.min(Math.max((z - this.z) / cell + (rows - 1) / 2, 0), rows - 1);
    const [c, r] = [Math.min(Math.floor(col), cols - 2), Math.min(Math.floor(row), rows - 2)];
    this.corner = r * cols + c;
    this.east = col - c;
    this.south = row - r;
  }

  /** What the triangle there says, of numbers that stand at the vertices. */
  private on(numbers: Float32Array): number {
    const { corner: at, east, south } = this;
    const { cols } = this.lattice;
    const northEast = numbers[at + 1] as number;
    const southWest = numbers[at + cols] as number;
    if (east + south <= 1) {
      const northWest = numbers[at] as number;
      return northWest + east * (northEast - northWest) + south * (southWest - northWest);
    }
    const southEast = numbers[at + cols + 1] as number;
    return southEast + (1 - east) * (southWest - southEast) + (1 - south) * (northEast - southEast);
  }
}

/** The least and the greatest of heights. */
export function rangeOf(metres: Float32Array): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const metre of metres) {
    low = Math.min(low, metre);
    high = Math.max(high, metre);
  }
  return [low, high];
}
