/** Where the water stands: levels that make a sharp shore between the cells. */

/** So far [m] under the ground lies the level where it is dry. */
const UNDER = 0.01;

/**
 * The level of the water at every cell [m]: the lake's or sea's where it is wet; beside it the same,
 * so that the shore runs where the ground cuts it, but never above dry ground; elsewhere just
 * under the ground. Null if all is dry. `sea` is its level [m], where no layer tells more.
 */
export function waterLevels(
  ground: Float32Array,
  surface: Float32Array | null,
  cols: number,
  sea: number | null,
): Float32Array | null {
  const levels = surface ?? (sea === null ? null : ground.map((z) => Math.max(z, sea)));
  if (!levels) return null;
  const made = new Float32Array(ground.length);
  let wet = 0;
  for (let k = 0; k < made.length; k++) {
    const [z, level] = [ground[k] as number, levels[k] as number];
    if (level > z) {
      made[k] = level;
      wet++;
    } else {
      made[k] = Math.min(highestBeside(ground, levels, cols, k), z - UNDER);
    }
  }
  return wet > 0 ? made : null;
}

/** The highest water in the eight cells round a dry one, or far below if there is none. */
function highestBeside(
  ground: Float32Array,
  levels: Float32Array,
  cols: number,
  k: number,
): number {
  const col = k % cols;
  let highest = Number.NEGATIVE_INFINITY;
  for (let down = -cols; down <= cols; down += cols)
    for (let right = col > 0 ? -1 : 0; right <= (col < cols - 1 ? 1 : 0); right++) {
      const at = k + down + right;
      const level = levels[at];
      if (level !== undefined && level > (ground[at] as number) && level > highest) highest = level;
    }
  return highest === Number.NEGATIVE_INFINITY ? (ground[k] as number) - 1 : highest;
}
