/** How high the ground lies above the water next to it: no three.js in here. */

import type { Lattice } from "../ground.ts";

/** Shores are known so far from the water [cells] … */
const REACH = 10;
/** … and from so far below it to so far above [m]. */
export const BELOW = 1;
export const ABOVE = 3;

/** From 0, `BELOW` the water, to 255, `ABOVE` it or far from any; null where there is none. */
export function shoresOf(
  { metres, rows, cols }: Lattice,
  levels: Float32Array | null,
): Uint8Array<ArrayBuffer> | null {
  if (!levels) return null;
  const level = levels.slice();
  const away = new Uint8Array(level.length).fill(255);
  const queue = new Int32Array(level.length);
  let end = 0;
  for (let k = 0; k < level.length; k++)
    if ((level[k] as number) > (metres[k] as number)) {
      away[k] = 0;
      queue[end++] = k;
    }
  const reach = (to: number, from: number) => {
    if (away[to] !== 255) return;
    away[to] = (away[from] as number) + 1;
    level[to] = level[from] as number;
    queue[end++] = to;
  };
  for (let at = 0; at < end; at++) {
    const k = queue[at] as number;
    if ((away[k] as number) >= REACH) continue;
    const col = k % cols;
    if (col > 0) reach(k - 1, k);
    if (col < cols - 1) reach(k + 1, k);
    if (k >= cols) reach(k - cols, k);
    if (k < (rows - 1) * cols) reach(k + cols, k);
  }
  const shores = new Uint8Array(level.length).fill(255);
  for (let at = 0; at < end; at++) {
    const k = queue[at] as number;
    const above = (metres[k] as number) - (level[k] as number);
    const share = (above + BELOW) / (BELOW + ABOVE) + ((away[k] as number) / REACH) ** 2;
    shores[k] = Math.round(255 * Math.min(Math.max(share, 0), 1));
  }
  return shores;
}
