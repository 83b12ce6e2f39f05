/** Rivers as lines with a width: which is near, how high its water stands, which way it flows. */

import type { Table } from "./land.ts";

/** One line of a river: points down it, POINT numbers each. */
export interface River {
  readonly points: Float32Array;
}

/** What a point holds: places and level [m], width and depth [m], discharge [m³/yr], its line. */
const COLUMNS = ["x", "surface", "z", "width", "depth", "discharge", "line"] as const;
export const POINT = COLUMNS.length;
/** Edge of a bucket [m]: a place looks for rivers in its own. */
const BUCKET = 32;
/** So far from its edge [m] a river is still found. */
export const REACH = 8;

/** What `nearest` found; the same object each time. */
export interface Found {
  river: number;
  /** Metres from the line of the river. */
  distance: number;
  /** Where on the line: x, z [m]. */
  x: number;
  z: number;
  /** Level of the water, width and depth there [m]. */
  level: number;
  width: number;
  depth: number;
  /** Unit direction of the flow. */
  flowX: number;
  flowZ: number;
}

export class Rivers {
  readonly all: readonly River[];
  private readonly buckets = new Map<number, number[]>();
  private readonly found: Found = {
    river: 0,
    distance: 0,
    x: 0,
    z: 0,
    level: 0,
    width: 0,
    depth: 0,
    flowX: 0,
    flowZ: 1,
  };

  constructor(table: Table | null) {
    this.all = table ? linesOf(table.only(COLUMNS)) : [];
    this.all.forEach(({ points }, river) => {
      for (let at = 0; at + POINT < points.length; at += POINT) this.enter(river, points, at);
    });
  }

  /** The river whose line is nearest, of those no farther from their edge than REACH. */
  nearest(x: number, z: number): Found | null {
    const bucket = this.buckets.get(nameOf(Math.floor(x / BUCKET), Math.floor(z / BUCKET)));
    if (!bucket) return null;
    const { found } = this;
    found.distance = Number.POSITIVE_INFINITY;
    for (let k = 0; k < bucket.length; k += 2)
      this.compare(x, z, bucket[k] as number, bucket[k + 1] as number);
    return found.distance <= found.width / 2 + REACH ? found : null;
  }

  /** Level [m] of the river that covers a place. */
  level(x: number, z: number): number | undefined {
    const found = this.nearest(x, z);
    return found && found.distance <= found.width / 2 ? found.level : undefined;
  }

  private enter(river: number, points: Float32Array, at: number): void {
    const [x, , z, width = 0] = points.subarray(at, at + POINT) as unknown as number[];
    const [toX, , toZ, toWidth = 0] = points.subarray(at + POINT) as unknown as number[];
    const reach = Math.max(width, toWidth) / 2 + REACH;
    const span = (a = 0, b = 0) =>
      [
        Math.floor((Math.min(a, b) - reach) / BUCKET),
        Math.floor((Math.max(a, b) + reach) / BUCKET),
      ] as const;
    const [[west, east], [north, south]] = [span(x, toX), span(z, toZ)];
    for (let row = north; row <= south; row++)
      for (let col = west; col <= east; col++) {
        const name = nameOf(col, row);
        const bucket = this.buckets.get(name);
        if (bucket) bucket.push(river, at);
        else this.buckets.set(name, [river, at]);
      }
  }

  private compare(x: number, z: number, river: number, at: number): void {
    const points = (this.all[river] as River).points;
    const of = (k: number) => points[at + k] as number;
    const [dx, dz] = [of(POINT) - of(0), of(POINT + 2) - of(2)];
    const long = dx * dx + dz * dz;
    const share = long > 0 ? ((x - of(0)) * dx + (z - of(2)) * dz) / long : 0;
    const t = Math.min(Math.max(share, 0), 1);
    const [atX, atZ] = [of(0) + t * dx, of(2) + t * dz];
    const distance = Math.hypot(x - atX, z - atZ);
    const { found } = this;
    if (distance >= found.distance) return;
    const between = (k: number) => of(k) + t * (of(POINT + k) - of(k));
    const length = Math.sqrt(long) || 1;
    found.river = river;
    found.distance = distance;
    found.x = atX;
    found.z = atZ;
    found.level = between(1);
    found.width = between(3);
    found.depth = between(4);
    found.flowX = dx / length;
    found.flowZ = dz / length;
  }
}

function linesOf(points: Float32Array): River[] {
  const lines: River[] = [];
  const lineAt = (at: number) => points[at + POINT - 1];
  for (let from = 0, to = 0; from < points.length; from = to) {
    while (to < points.length && lineAt(to) === lineAt(from)) to += POINT;
    lines.push({ points: points.subarray(from, to) });
  }
  return lines;
}

const nameOf = (col: number, row: number): number => col * 1_000_003 + row;
