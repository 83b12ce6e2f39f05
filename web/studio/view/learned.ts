/** What colour a land has at each height and slope, learned from a land that was coloured. */

import { elevationAt, type Heights } from "./march.ts";

export const HEIGHTS = 64;
export const SLOPES = 16;
/** Rows and columns, at most, that are looked at. */
const LOOKS = 256;
/** A slope [m/m] that lies in the middle between level and upright. */
const MIDDLE = 0.5;

/**
 * Mean colours, (SLOPES, HEIGHTS) RGBA, of a land with a tint (8-bit, four bands, a cell each):
 * from low to high, from level to steep. Where no place was so, the nearest height's colour.
 */
export function learned(land: Heights, tint: Uint8Array, low: number, high: number): Uint8Array {
  const sums = new Float64Array(4 * HEIGHTS * SLOPES);
  const stride = Math.max(1, Math.ceil(Math.max(land.rows, land.cols) / LOOKS));
  const { rows, cols, cell, metres } = land;
  for (let row = 0; row < rows; row += stride)
    for (let col = 0; col < cols; col += stride) {
      const k = row * cols + col;
      const share = ((metres[k] as number) - low) / Math.max(high - low, 1e-9);
      const x = (col + 0.5 - cols / 2) * cell;
      const y = (rows / 2 - row - 0.5) * cell;
      const east = elevationAt(land, x + cell, y) - elevationAt(land, x - cell, y);
      const north = elevationAt(land, x, y + cell) - elevationAt(land, x, y - cell);
      const slope = Math.hypot(east, north) / (2 * cell);
      const at = 4 * (bin(slope / (slope + MIDDLE), SLOPES) * HEIGHTS + bin(share, HEIGHTS));
      for (let c = 0; c < 3; c++)
        sums[at + c] = (sums[at + c] as number) + (tint[4 * k + c] as number);
      sums[at + 3] = (sums[at + 3] as number) + 1;
    }
  return filled(sums);
}

/** Spread of a land's colours [of 255] below which it is plain, and above which it is not at all. */
const PLAIN = 7;
const RICH = 20;

/** How little a land's colours (8-bit, four bands) tell of its forms: 1 a lawn, 0 a range. */
export function plainness(tint: Uint8Array): number {
  const stride = 4 * Math.max(1, Math.floor(tint.length / 4 / (LOOKS * SLOPES)));
  let [count, sum, squares] = [0, 0, 0];
  for (let k = 0; k < tint.length; k += stride) {
    const light = ((tint[k] as number) + (tint[k + 1] as number) + (tint[k + 2] as number)) / 3;
    [count, sum, squares] = [count + 1, sum + light, squares + light * light];
  }
  const spread = Math.sqrt(Math.max(squares / count - (sum / count) ** 2, 0));
  return 1 - Math.min(Math.max((spread - PLAIN) / (RICH - PLAIN), 0), 1);
}

const bin = (share: number, n: number) => Math.min(Math.max(Math.floor(share * n), 0), n - 1);

function filled(sums: Float64Array): Uint8Array {
  const made = new Uint8Array(4 * HEIGHTS * SLOPES).fill(255);
  for (let slope = 0; slope < SLOPES; slope++)
    for (let height = 0; height < HEIGHTS; height++) {
      const from = nearest(sums, slope, height);
      const count = Math.max(sums[from + 3] as number, 1);
      const at = 4 * (slope * HEIGHTS + height);
      for (let c = 0; c < 3; c++) made[at + c] = (sums[from + c] as number) / count;
    }
  return made;
}

/** The nearest pair of height and slope that was seen; slopes count as far as four heights. */
function nearest(sums: Float64Array, slope: number, height: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let s = 0; s < SLOPES; s++)
    for (let h = 0; h < HEIGHTS; h++) {
      const at = 4 * (s * HEIGHTS + h);
      const far = 4 * Math.abs(s - slope) + Math.abs(h - height);
      if ((sums[at + 3] as number) > 0 && far < least) [best, least] = [at, far];
    }
  return best;
}
