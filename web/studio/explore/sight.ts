/** How far one sees, and the level that covers all of it: farther the higher one is. */

import { type Chunk, type Eye, tops } from "./tree.ts";

/** In lengths of the recipe's own land: from near the ground, and at most. */
const NEAR = 6;
const MOST = 64;
/** In heights above the ground. */
const LIFTED = 13;
/** How fast it changes [1/s], and the longest time that counts as one frame [s]. */
const SWIFT = 1.2;
const FRAME = 0.25;

/** The level whose chunks are about a third as wide as what is seen all round. */
export function topLevel(edge: number, far: number, deepest: number): number {
  return Math.min(Math.max(Math.ceil(Math.log2(far / edge)) - 1, 0), deepest);
}

export class Sight {
  top = 0;
  /** [m]; 0 before one has looked. */
  far = 0;
  private readonly edge: number;
  private readonly span: number;
  private readonly deepest: number;
  private last = 0;

  /** `edge` is that of a chunk of level 0 [m]. */
  constructor(edge: number, span: number, deepest: number) {
    [this.edge, this.span, this.deepest] = [edge, span, deepest];
  }

  /**
   * Hears where the eye is; true while the sight changes. It widens only while all that is seen
   * is here (`whole`), and its top comes down only onto land that is here: neither makes a hole.
   */
  look(eye: Eye, isHere: (chunk: Chunk) => boolean, whole: boolean, now: number): boolean {
    const aim = Math.min(Math.max(NEAR * this.span, LIFTED * eye.up), MOST * this.span);
    const most = Math.exp(SWIFT * Math.min(Math.max(now - this.last, 0), FRAME));
    const before = this.far;
    this.last = now;
    if (before === 0) this.far = aim;
    else if (aim < before) this.far = Math.max(aim, before / most);
    else if (whole) this.far = Math.min(aim, before * most);
    const wanted = topLevel(this.edge, this.far, this.deepest);
    if (wanted >= this.top) this.top = wanted;
    else if (this.isCovered(this.top - 1, eye, isHere)) this.top--;
    return this.far !== before;
  }

  private isCovered(top: number, eye: Eye, isHere: (chunk: Chunk) => boolean): boolean {
    const { edge, far } = this;
    return tops({ edge, top, far, detail: 0 }, eye).every(isHere);
  }
}
