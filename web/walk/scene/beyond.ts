/** The land beyond the window, coarse, as it stands on the horizon: no three.js scene in here. */

import { values } from "../../studio/api/block.ts";
import type { Lattice } from "../ground.ts";
import type { About, Around } from "../land.ts";
import { leansOf } from "./leans.ts";

/** Water is seen as such where it stands so high [m] over the mean ground of a cell. */
const SEEN = 0.4;
/** Where the land ends its mirror image goes on in the mist: so far [m], in no more cells. */
const MIST = 4000;
const MOST = 96;

export interface Beyond {
  /** The ground, `metres`, and ... */
  readonly lattice: Required<Lattice>;
  /** ... ground or water, what is higher [m]. */
  readonly top: Float32Array;
  readonly leans: Uint8Array<ArrayBuffer>;
  /** The land's colours; their alpha is 255 where there is water. */
  readonly colours: Uint8Array<ArrayBuffer>;
}

export function beyond({ grid, x, z, layers }: Around, about: About): Beyond | null {
  const { elevation, water_surface: surface, tint } = layers;
  if (!elevation || !tint) return null;
  const { ny, nx, cell_size: cell } = grid;
  const more = about.bounds === null ? 0 : Math.min(MOST, Math.ceil(MIST / cell));
  const [rows, cols] = [ny + 2 * more, nx + 2 * more];
  const [ground, level] = [values(elevation), surface ? values(surface) : null];
  const sea = about.sea_level ?? Number.NEGATIVE_INFINITY;
  const metres = new Float32Array(rows * cols);
  const top = new Float32Array(rows * cols);
  const colours = new Uint8Array(4 * rows * cols);
  for (let row = 0, to = 0; row < rows; row++)
    for (let col = 0; col < cols; col++, to++) {
      const from = mirrored(row - more, ny) * nx + mirrored(col - more, nx);
      const high = ground[from] as number;
      const wet = Math.max(sea, level ? (level[from] as number) - SEEN : sea) > high;
      metres[to] = high;
      top[to] = wet ? Math.max(sea, (level?.[from] as number) ?? sea) : high;
      for (let k = 0; k < 3; k++) colours[4 * to + k] = tint.data[4 * from + k] as number;
      colours[4 * to + 3] = wet ? 255 : 0;
    }
  const lattice = { metres, rows, cols, cell, x, z };
  return { lattice, top, leans: leansOf({ ...lattice, metres: top }), colours };
}

/** The cell that stands in a mirror at the first and the last of `count`, however often repeated. */
export function mirrored(cell: number, count: number): number {
  const round = 2 * count;
  const at = ((cell % round) + round) % round;
  return at < count ? at : round - 1 - at;
}
