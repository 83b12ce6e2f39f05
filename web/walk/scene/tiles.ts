/**
 * Which squares the ground is drawn in: small ones of fine triangles where she is, larger ones of
 * coarser triangles farther off. No three.js in here.
 *
 * A square has TILE × TILE quads of 2^level cells. Level n ends at the distance REACH · 2^n cells,
 * and between BLEND of it and its end its vertices sink into the triangles of the next level, so that
 * no crack opens and nothing jumps (Strugar's continuous distance-dependent levels).
 */

export const TILE = 16;
/** More than 2.83 · TILE / (2 · BLEND − 1): two levels may meet only where both lie still. */
export const REACH = 66;
export const BLEND = 0.85;
/** Numbers a square: its north-west column and row, and cells a quad. */
export const NUMBERS = 3;

export class Tiles {
  /** The squares of now, NUMBERS each; `count` of them. */
  readonly numbers: Float32Array;
  count = 0;
  private readonly rows: number;
  private readonly cols: number;
  private readonly top: number;

  /** `rows` and `cols` count vertices. */
  constructor(rows: number, cols: number) {
    [this.rows, this.cols] = [rows, cols];
    this.top = Math.max(0, Math.ceil(Math.log2((Math.max(rows, cols) - 1) / TILE)));
    // Level 0 fills a circle, each other a ring; squares stick out by one.
    const whole = (Math.ceil((rows - 1) / TILE) + 1) * (Math.ceil((cols - 1) / TILE) + 1);
    this.numbers = new Float32Array(NUMBERS * Math.min(whole, 128 * (this.top + 1)));
  }

  /** Chooses the squares round a place, given in columns and rows. */
  choose(col: number, row: number): void {
    this.count = 0;
    this.visit(0, 0, this.top, col, row);
  }

  private visit(west: number, north: number, level: number, col: number, row: number): void {
    if (west >= this.cols - 1 || north >= this.rows - 1) return;
    const step = 2 ** level;
    const edge = TILE * step;
    if (level > 0 && this.distance(west, north, edge, col, row) < (REACH * step) / 2) {
      const half = edge / 2;
      for (const south of [0, half])
        for (const east of [0, half]) this.visit(west + east, north + south, level - 1, col, row);
      return;
    }
    const at = NUMBERS * this.count++;
    this.numbers[at] = west;
    this.numbers[at + 1] = north;
    this.numbers[at + 2] = step;
  }

  private distance(west: number, north: number, edge: number, col: number, row: number): number {
    const beside = (low: number, at: number) => Math.max(low - at, 0, at - low - edge);
    return Math.hypot(beside(west, col), beside(north, row));
  }
}
