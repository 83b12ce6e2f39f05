/** Slopes of a lattice as bytes: no three.js in here. */

import type { Lattice } from "../ground.ts";

/** Which way the ground leans at each vertex east and south, −1 to 1 as 0 to 255. */
export function leansOf({ metres, rows, cols, cell }: Lattice): Uint8Array<ArrayBuffer> {
  const leans = new Uint8Array(2 * rows * cols);
  const of = (k: number) => metres[k] as number;
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const [up, down] = [Math.max(row - 1, 0) * cols, Math.min(row + 1, rows - 1) * cols];
    const here = row * cols;
    for (let col = 0; col < cols; col++) {
      const [west, east] = [Math.max(col - 1, 0), Math.min(col + 1, cols - 1)];
      const dx = (of(here + west) - of(here + east)) / Math.max(east - west, 1);
      const dz = (of(up + col) - of(down + col)) / Math.max((down - up) / cols, 1);
      const length = Math.sqrt(dx * dx + dz * dz + cell * cell);
      leans[at++] = Math.round(127.5 * (1 + dx / length));
      leans[at++] = Math.round(127.5 * (1 + dz / length));
    }
  }
  return leans;
}
