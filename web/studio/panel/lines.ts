/** Tables whose rows are lines: the points of one, and the line nearest to a place. */

import type { Table } from "../api/client.ts";

export interface LinePoint {
  readonly x: number;
  readonly y: number;
  readonly surface: number | null;
  readonly bed: number | null;
}

/** The points of a row, in the order of the table. */
export function linesOf({ offsets, points }: Table, row: number): LinePoint[] {
  const [start, stop] = [offsets?.[row] ?? 0, offsets?.[row + 1] ?? 0];
  return Array.from({ length: stop - start }, (_, index) => {
    const at = start + index;
    const value = (name: string) => points[name]?.[at] ?? null;
    return {
      x: value("x") ?? 0,
      y: value("y") ?? 0,
      surface: value("surface"),
      bed: value("bed"),
    };
  });
}

/** The row whose line has the point nearest to a place [m]; null without any. */
export function nearestLine({ offsets, points }: Table, x: number, y: number): number | null {
  const [xs = [], ys = []] = [points.x, points.y];
  let [nearest, least] = [-1, Number.POSITIVE_INFINITY];
  for (let at = 0; at < xs.length; at += 1) {
    const away = Math.hypot((xs[at] ?? 0) - x, (ys[at] ?? 0) - y);
    if (away < least) [nearest, least] = [at, away];
  }
  if (nearest < 0 || !offsets) return null;
  return offsets.findIndex((start, row) => start <= nearest && nearest < (offsets[row + 1] ?? 0));
}
