/** Where she is, in the page's address: a link leads back to it. */

import type { Stand } from "../land.ts";
import type { Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import { type OnLand, onLand } from "./onward.ts";
import type { Walker } from "./walker.ts";

/** It is written once she has stood still so long [s], and where she goes on this often. */
const REST = 1;
const OFTEN = 5;

export interface Mark extends OnLand {
  /** Degrees clockwise from north. */
  readonly heading: number;
}

/** The mark as a text: metres east and north of the land's middle, and where she looks. */
export const written = ({ east, north, heading }: Mark): string =>
  [east.toFixed(1), north.toFixed(1), Math.round(((heading % 360) + 360) % 360)].join(",");

/** Reads it; null where it is none. */
export function read(text: string | null): Mark | null {
  const numbers = text === null || text.trim() === "" ? [] : text.split(",").map(Number);
  const [east, north, heading = 0] = numbers;
  if (east === undefined || north === undefined || numbers.length > 3) return null;
  return numbers.every(Number.isFinite) ? { east, north, heading } : null;
}

export class Address implements Part {
  private readonly stage: Theatre;
  private readonly walker: Walker;
  private last = "";
  private since = 0;

  constructor(stage: Theatre, walker: Walker) {
    [this.stage, this.walker] = [stage, walker];
  }

  tick(_: number, dt: number): void {
    this.since += dt;
    if (this.since < (this.walker.goes ? OFTEN : REST)) return;
    this.since = 0;
    const { place, heading } = this.walker;
    const { land } = this.stage;
    const page = new URL(location.href);
    const mark = written({
      ...onLand(land, place.x, place.z),
      heading: 180 - (heading * 180) / Math.PI,
    });
    if (mark === this.last) return;
    this.last = mark;
    page.searchParams.set("at", mark);
    // The window that she is in, and not the first one, is loaded when she comes back.
    if (page.searchParams.has("land"))
      page.searchParams.set("land", new URL(land.address).pathname);
    history.replaceState(null, "", page.href.replaceAll("%2C", ",").replaceAll("%2F", "/"));
  }

  dispose(): void {}
}

/** Where she stands for a mark, in the scene of a window. */
export function standAt(
  { origin }: { readonly origin: OnLand },
  { east, north, heading }: Mark,
): Stand {
  return { x: east - origin.east, z: origin.north - north, heading };
}
