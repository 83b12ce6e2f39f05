/**
 * Which chunks of an endless land are drawn, and which are wanted: a quadtree over the levels.
 *
 * A chunk of level k is CHUNK cells of 2ᵏ times the finest along its edge. The nearer the eye, the
 * finer; a chunk gives way to its parts once one of them is here, and stands in for those that are
 * not, so some level is always drawn. Pure: it knows no screen and no server.
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
  /** Chunks that are here, and parts that are not but whose parent is, which lends them its shape. */
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

/** How many edges of the chunks on top are kept ready beyond what is seen. */
const AHEAD = 0.3;
/** What is out of sight is wanted as if it were so much farther away. */
const BEHIND = 4;
/** Where a chunk on top is not here, its parts may be, or theirs: of so many levels. */
const UNDER = 2;

/** Chooses for an eye; `isHere` tells what can be drawn, `isSeen` what is in the picture. */
export function choose(
  forest: Forest,
  eye: Eye,
  isHere: (chunk: Chunk) => boolean,
  isSeen: (chunk: Chunk) => boolean,
): Choice {
  const drawn: Chunk[] = [];
  const wanted: { chunk: Chunk; order: number }[] = [];
  const { edge, detail, far, top } = forest;
  const away = (chunk: Chunk) => distanceTo(chunk, eye, edge);
  /** The larger it looks the sooner; where nothing is at all, before anything else. */
  const want = (chunk: Chunk, bare = false) => {
    const seen = isSeen(chunk);
    const looks = (away(chunk) / (edge * 2 ** chunk.level)) * (seen ? 1 : BEHIND);
    wanted.push({ chunk, order: looks - (bare && seen ? 1e6 : 0) });
  };
  const draw = (chunk: Chunk) => {
    if (isSeen(chunk)) drawn.push(chunk);
  };
  const visit = (chunk: Chunk): void => {
    if (chunk.level === 0 || away(chunk) >= detail * edge * 2 ** chunk.level) {
      draw(chunk);
      return;
    }
    const parts = partsOf(chunk).map((part) => ({ part, here: isHere(part) }));
    for (const { part, here } of parts) if (!here) want(part);
    if (!parts.some(({ here }) => here)) draw(chunk);
    else for (const { part, here } of parts) here ? visit(part) : draw(part);
  };
  let lacking = false;
  const visitTop = (chunk: Chunk): void => {
    if (isHere(chunk)) {
      if (away(chunk) < far) visit(chunk);
      return;
    }
    if (chunk.level === top) want(chunk, true);
    if (chunk.level > Math.max(top - UNDER, 0)) for (const part of partsOf(chunk)) visitTop(part);
    else lacking ||= away(chunk) < far && isSeen(chunk);
  };
  for (const chunk of tops(forest, eye)) visitTop(chunk);
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
