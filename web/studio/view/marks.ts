/** How strongly a change of the land is coloured. */

/** Cells that are looked at. */
const LOOKS = 4096;
/** Changes as large as those of so many cells get nearly the full colour. */
const SHARE = 0.9;

/**
 * The change [m] that only one cell in ten exceeds, of those that changed at all: what a full colour
 * stands for. 1 where nothing changed or the two lands have other cells.
 */
export function usualChange(now: Float32Array, before: Float32Array): number {
  if (now.length !== before.length) return 1;
  const stride = Math.max(1, Math.floor(now.length / LOOKS));
  const changes: number[] = [];
  for (let k = 0; k < now.length; k += stride) {
    const change = Math.abs((now[k] as number) - (before[k] as number));
    if (change > 0) changes.push(change);
  }
  changes.sort((a, b) => a - b);
  return changes[Math.floor(SHARE * (changes.length - 1))] ?? 1;
}
