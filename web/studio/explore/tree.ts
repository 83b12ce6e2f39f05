/**
 * Which chunks of an endless land are drawn, and which are wanted: a quadtree over the levels.
 *
 * A chunk of level k is CHUNK cells of 2ᵏ times the finest along its edge. The nearer the eye, the
 * finer; a chunk gives way to its four parts only when all that are in sight are here, so some level
 * is always drawn. Pure: it knows no screen and no server.
 */

export interface Chunk {
  readonly level: number;
  readonly row: number;
  readonly col: number;
}

/** Where the eye is [m]: east and south of the origin, and above the ground's mean height. */
export interface Eye {
  readonly x: number;
  readonly z: number;
  readonly up: number;
}

export interface Forest {
  /** Edge of a chunk of level 0 [m]. */
  readonly edge: number;
  /** The level that covers all that is seen, and how far that is [m]. */
  readonly top: number;
  readonly far: number;
  /** A chunk is divided where the eye is nearer than so many of its edges. */
  readonly detail: number;
}

export interface Choice {
  readonly drawn: readonly Chunk[];
  /** What is not here: the most needed first. */
  readonly wanted: readonly Chunk[];
  /** Whether there is a place in the picture where no level is here. */
  readonly lacking: boolean;
}

export const nameOf = ({ level, row, col }: Chunk): string => `${level}/${row}/${col}`;

export const parentOf = ({ level, row, col }: Chunk): Chunk => ({
  level: level + 1,
  row: Math.floor(row / 2),
  col: Math.floor(col / 2),
});

/** How far the eye is from the nearest place of a chunk [m]. */
export function distanceTo(chunk: Chunk, eye: Eye, edge: number): number {
  const size = edge * 2 ** chunk.level;
  const off = (at: number, low: number) => Math.max(low - at, at - low - size, 0);
  return Math.hypot(off(eye.x, chunk.col * size), off(eye.z, chunk.row * size), eye.up);
}

/** The level whose chunks are about a third as wide as what is seen all round. */
export function topLevel(edge: number, far: number, deepest: number): number {
  return Math.min(Math.max(Math.ceil(Math.log2(far / edge)) - 1, 0), deepest);
}

/** How many edges of the chunks on top are kept ready beyond what is seen. */
const AHEAD = 0.3;
/** What is out of sight is wanted as if it were so much farther away. */
const BEHIND = 4;

/** Chooses for an eye; `isHere` tells what can be drawn, `isSeen` what is in the picture. */
export function choose(
  forest: Forest,
  eye: Eye,
  isHere: (chunk: Chunk) => boolean,
  isSeen: (chunk: Chunk) => boolean,
): Choice {
  const drawn: Chunk[] = [];
  const wanted: { chunk: Chunk; order: number }[] = [];
  const { edge, detail } = forest;
  const want = (chunk: Chunk, away: number) => {
    // By how large it looks; what is coarse first, for what is finer stands on it.
    const looks = away / (edge * 2 ** chunk.level);
    wanted.push({ chunk, order: (isSeen(chunk) ? 1 : BEHIND) * looks - 3 * chunk.level });
  };
  const visit = (chunk: Chunk): void => {
    const away = distanceTo(chunk, eye, edge);
    const size = edge * 2 ** chunk.level;
    if (chunk.level > 0 && away < detail * size) {
      const parts = partsOf(chunk);
      const missing = parts.filter((part) => !isHere(part));
      for (const part of missing) want(part, distanceTo(part, eye, edge));
      if (missing.length === 0) {
        for (const part of parts) visit(part);
        return;
      }
    }
    if (isSeen(chunk)) drawn.push(chunk);
  };
  let lacking = false;
  for (const chunk of tops(forest, eye)) {
    const away = distanceTo(chunk, eye, edge);
    if (!isHere(chunk)) {
      wanted.push({ chunk, order: away / forest.far - 1e6 });
      lacking ||= away < forest.far && isSeen(chunk);
    } else if (away < forest.far) visit(chunk);
  }
  wanted.sort((a, b) => a.order - b.order);
  return { drawn, wanted: wanted.map(({ chunk }) => chunk), lacking };
}

/** The chunks on top that are seen, or soon will be. */
export function tops({ edge, top, far }: Forest, eye: Eye): Chunk[] {
  const size = edge * 2 ** top;
  const reach = far + AHEAD * size;
  const found: Chunk[] = [];
  for (let row = Math.floor((eye.z - reach) / size); row * size < eye.z + reach; row++)
    for (let col = Math.floor((eye.x - reach) / size); col * size < eye.x + reach; col++) {
      const chunk = { level: top, row, col };
      if (distanceTo(chunk, { ...eye, up: 0 }, edge) < reach) found.push(chunk);
    }
  return found;
}

function partsOf({ level, row, col }: Chunk): Chunk[] {
  return [0, 1, 2, 3].map((k) => ({
    level: level - 1,
    row: 2 * row + (k >> 1),
    col: 2 * col + (k & 1),
  }));
}
