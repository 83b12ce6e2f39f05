/** Things that stand about, found by where they are: nearest first, a bucket at a time. */

import type { Walk } from "../land.ts";

/** What a thing has: x, z [m], scale, turn [rad], tint 0 to 1, species, and tilt [rad]. */
export const COLUMNS = ["x", "z", "scale", "turn", "tint", "species", "tilt"] as const;
export const THING = COLUMNS.length;
const TINT = COLUMNS.indexOf("tint");
const SPECIES = COLUMNS.indexOf("species");

export class Spread {
  /** The things, THING numbers each, bucket by bucket. */
  readonly things: Float32Array;
  readonly count: number;
  private readonly bucket: number;
  private readonly west: number;
  private readonly north: number;
  private readonly cols: number;
  private readonly rows: number;
  /** Where each bucket begins, and the last ends. */
  private readonly starts: Uint32Array;
  /** Buckets round the middle one, nearest first: columns and rows away, and metres at least. */
  private readonly rings: Int32Array;

  constructor(things: Float32Array, bucket = 24) {
    this.count = Math.floor(things.length / THING);
    this.bucket = bucket;
    const [firstX = 0, firstZ = 0] = things;
    let [west, east, north, south] = [firstX, firstX, firstZ, firstZ];
    for (let at = 0; at < THING * this.count; at += THING) {
      const [x, z] = [things[at] as number, things[at + 1] as number];
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [north, south] = [Math.min(north, z), Math.max(south, z)];
    }
    [this.west, this.north] = [west, north];
    this.cols = Math.floor((east - west) / bucket) + 1;
    this.rows = Math.floor((south - north) / bucket) + 1;
    const ends = new Uint32Array(this.cols * this.rows + 1);
    const count = (name: number, more: number): number => {
      ends[name] = (ends[name] as number) + more;
      return ends[name] as number;
    };
    for (let k = 0; k < this.count; k++) count(this.nameOf(things, k), 1);
    for (let name = 1; name < ends.length; name++) count(name, ends[name - 1] as number);
    this.things = new Float32Array(THING * this.count);
    for (let k = this.count - 1; k >= 0; k--) {
      const to = count(this.nameOf(things, k), -1);
      this.things.set(things.subarray(THING * k, THING * k + THING), THING * to);
    }
    this.starts = ends;
    this.rings = ringsOf(Math.max(this.cols, this.rows));
  }

  /** Visits the things within `reach` [m] of a place until `visit` says that it is enough. */
  around(
    x: number,
    z: number,
    reach: number,
    visit: (thing: number, distance: number) => boolean,
  ): void {
    const [col, row] = this.bucketAt(x, z);
    const { rings, things } = this;
    for (let ring = 0; ring < rings.length; ring += 2) {
      const [right, down] = [rings[ring] as number, rings[ring + 1] as number];
      if ((Math.hypot(right, down) - 1.5) * this.bucket > reach) return;
      const [c, r] = [col + right, row + down];
      if (c < 0 || r < 0 || c >= this.cols || r >= this.rows) continue;
      const name = r * this.cols + c;
      const end = this.starts[name + 1] as number;
      for (let k = this.starts[name] as number; k < end; k++) {
        const dx = (things[THING * k] as number) - x;
        const dz = (things[THING * k + 1] as number) - z;
        const distance = Math.sqrt(dx * dx + dz * dz);
        if (distance <= reach && !visit(k, distance)) return;
      }
    }
  }

  private bucketAt(x: number, z: number): [number, number] {
    const within = (n: number, most: number) => Math.min(Math.max(n, 0), most - 1);
    return [
      within(Math.floor((x - this.west) / this.bucket), this.cols),
      within(Math.floor((z - this.north) / this.bucket), this.rows),
    ];
  }

  private nameOf(things: Float32Array, k: number): number {
    const [col, row] = this.bucketAt(things[THING * k] as number, things[THING * k + 1] as number);
    return row * this.cols + col;
  }
}

/** Where things are, of which stage. */
interface Place {
  readonly land: Walk;
}

/** The things of a kind in the window of now, those whose tint and species suit. */
export function among(
  { land }: Place,
  kind: string,
  suits?: (tint: number, species: number) => boolean,
): Spread {
  const rows = land.scatter.find((things) => things.kind === kind)?.table.only(COLUMNS);
  if (!rows || !suits) return new Spread(rows ?? new Float32Array(0));
  let count = 0;
  for (let at = 0; at < rows.length; at += THING)
    if (suits(rows[at + TINT] as number, rows[at + SPECIES] as number))
      rows.copyWithin(THING * count++, at, at + THING);
  return new Spread(rows.subarray(0, THING * count));
}

/** How many are drawn at most: where other windows follow, theirs may be more than those of now. */
export const atMost = ({ land }: Place, most: number, { count }: Spread): number =>
  land.about.onward ? most : Math.min(most, count);

function ringsOf(edge: number): Int32Array {
  const steps: [number, number][] = [];
  for (let down = 1 - edge; down < edge; down++)
    for (let right = 1 - edge; right < edge; right++) steps.push([right, down]);
  steps.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
  return Int32Array.from(steps.flat());
}
