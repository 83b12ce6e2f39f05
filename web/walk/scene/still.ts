/** Which water stands still: lakes and the sea, told from the rivers that have ribbons of their own. */

import type { Lattice } from "../ground.ts";
import type { Rivers } from "../rivers.ts";

/** A river's own water is drawn by its ribbon, which is so much wider [cells]. */
const BESIDE = 1.5;
/** Water of a river is its lake's where it stands as high, within this [m]. */
const LEVEL = 0.02;
/** Sheets go on so far into their shores [cells], where the ground hides them. */
const ASHORE = 8;

const [DRY, RIVER, LAKE] = [0, 1, 2];

export class Still {
  /** The level [m] where `there` is 255, and into the shore. */
  readonly metres: Float32Array;
  readonly there: Uint8Array<ArrayBuffer>;
  readonly kinds: Uint8Array;
  private readonly lattice: Omit<Lattice, "metres">;

  constructor(
    metres: Float32Array,
    there: Uint8Array<ArrayBuffer>,
    kinds: Uint8Array,
    { rows, cols, cell, x = 0, z = 0 }: Lattice,
  ) {
    [this.metres, this.there, this.kinds] = [metres, there, kinds];
    this.lattice = { rows, cols, cell, x, z };
  }

  /** Whether a place lies in a lake or the sea. */
  isAt(x: number, z: number): boolean {
    const { rows, cols, cell, x: east = 0, z: south = 0 } = this.lattice;
    const col = Math.round((x - east) / cell + (cols - 1) / 2);
    const row = Math.round((z - south) / cell + (rows - 1) / 2);
    return this.kinds[row * cols + col] === LAKE && col >= 0 && col < cols;
  }
}

/** Finds the standing water; null if there is none. `levels` as in `TriangulatedGround`. */
export function stillWater(lattice: Lattice, levels: Float32Array, rivers: Rivers): Still | null {
  const { metres: ground, rows, cols } = lattice;
  const kinds = kindsOf(lattice, levels, rivers);
  const queue = new Int32Array(kinds.length);
  let end = 0;
  for (let k = 0; k < kinds.length; k++) if (kinds[k] === LAKE) queue[end++] = k;
  if (end === 0) return null;
  const of = (array: ArrayLike<number>, k: number) => array[k] as number;
  // A river through a lake is the lake's.
  for (let at = 0; at < end; at++)
    beside(of(queue, at), rows, cols, (k, from) => {
      if (kinds[k] !== RIVER || Math.abs(of(levels, k) - of(levels, from)) > LEVEL) return;
      kinds[k] = LAKE;
      queue[end++] = k;
    });
  const metres = levels.slice();
  const there = new Uint8Array(kinds.length);
  const away = new Uint8Array(kinds.length);
  for (let at = 0; at < end; at++) there[of(queue, at)] = 255;
  for (let at = 0; at < end && of(away, of(queue, at)) < ASHORE; at++)
    beside(of(queue, at), rows, cols, (k, from) => {
      if (there[k] !== 0 || kinds[k] !== DRY || of(ground, k) < of(metres, from)) return;
      metres[k] = of(metres, from);
      away[k] = of(away, from) + 1;
      there[k] = 255;
      queue[end++] = k;
    });
  return new Still(metres, there, kinds, lattice);
}

function kindsOf(lattice: Lattice, levels: Float32Array, rivers: Rivers): Uint8Array {
  const { metres, rows, cols, cell, x: east = 0, z: south = 0 } = lattice;
  const kinds = new Uint8Array(levels.length);
  for (let k = 0; k < kinds.length; k++) {
    if ((levels[k] as number) <= (metres[k] as number)) continue;
    const x = east + ((k % cols) - (cols - 1) / 2) * cell;
    const z = south + (Math.floor(k / cols) - (rows - 1) / 2) * cell;
    const river = rivers.nearest(x, z);
    kinds[k] = river && river.distance < river.width / 2 + BESIDE * cell ? RIVER : LAKE;
  }
  return kinds;
}

function beside(
  k: number,
  rows: number,
  cols: number,
  visit: (k: number, from: number) => void,
): void {
  const [row, col] = [Math.floor(k / cols), k % cols];
  if (col > 0) visit(k - 1, k);
  if (col < cols - 1) visit(k + 1, k);
  if (row > 0) visit(k - cols, k);
  if (row < rows - 1) visit(k + cols, k);
}
