/** Windows that follow each other: the next one is asked for long before she comes to an edge. */

import { type Signal, signal } from "@preact/signals-core";
import type { About, Origin, Viewpoint, Walk } from "../land.ts";
import type { Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import type { Window } from "../window.ts";
import type { Walker } from "./walker.ts";

/** She leaves a window when she is so far from its middle, as a share of half its edge. */
const LEAVES = 0.2;
/** The next window's middle lies so far ahead of her, as such a share too. */
const AHEAD = 0.15;
/** Middles of windows lie on multiples of this [m]: cells of the windows are each other's. */
const STEP = 16;
/** After a window that did not come the next try is so long after [s], and ever longer. */
const AGAIN = 5;
const LONGEST = 60;
/** A place of all the land is met by one of its window so near to it [m]. */
const MEANT = 150;

/** What is told: nothing, that the land ends here, or that what lies ahead cannot be had. */
export type Word = "" | "edge" | "window" | "lost" | "coming";

/** A place of the whole land: metres east and north of its middle. */
export interface OnLand {
  readonly east: number;
  readonly north: number;
}

export const onLand = ({ origin }: { readonly origin: Origin }, x: number, z: number): OnLand => ({
  east: origin.east + x,
  north: origin.north - z,
});

/** The address of the window about a place; the next one is about where she is. */
export function addressOf({ about, address }: Walk, { east, north }: OnLand): string {
  const [west, south, most, top] = about.bounds ?? ENDLESS;
  const near = (metres: number, low: number, high: number) =>
    String(Math.min(Math.max(Math.round(metres / STEP) * STEP, Math.ceil(low)), Math.floor(high)));
  const path = (about.onward ?? "")
    .replace("{x}", near(east, west, most))
    .replace("{y}", near(north, south, top));
  return new URL(path, address).href;
}

const halfOf = ({ grid }: Walk): number => (Math.min(grid.nx, grid.ny) * grid.cell_size) / 2;

/** Whether a place of the scene lies in a window. */
export function holds({ grid, x, z }: Walk, place: { x: number; z: number }): boolean {
  const [wide, deep] = [(grid.nx * grid.cell_size) / 2, (grid.ny * grid.cell_size) / 2];
  return Math.abs(place.x - x) < wide && Math.abs(place.z - z) < deep;
}

/** Whether another window about her would hold more of the land: not where the land ends. */
export function isDue(
  { about, grid, x, z, origin }: Walk,
  here: { x: number; z: number },
): boolean {
  const half = [grid.nx, grid.ny].map((n) => (n * grid.cell_size) / 2) as [number, number];
  const due = (far: number, half: number, middle: number, low: number, high: number) => {
    if (Math.abs(far) <= LEAVES * half) return false;
    const next = Math.min(Math.max(middle + far, low + half), Math.max(high - half, low + half));
    return Math.abs(next - middle) > 2 * grid.cell_size;
  };
  const [west, south, east, north] = about.bounds ?? ENDLESS;
  const middle = onLand({ origin }, x, z);
  return (
    due(here.x - x, half[0], middle.east, west, east) ||
    due(z - here.z, half[1], middle.north, south, north)
  );
}

const ENDLESS = [-1, -1, 1, 1].map((side) => side * Number.MAX_VALUE) as unknown as NonNullable<
  About["bounds"]
>;

export class Onward implements Part {
  readonly word: Signal<Word> = signal("");
  private readonly stage: Theatre;
  private readonly walker: Walker;
  private readonly open: (address: string, origin?: Origin) => Promise<Window>;
  private asked = false;
  private fails = 0;
  private rests = 0;

  constructor(
    stage: Theatre,
    walker: Walker,
    open: (address: string, origin?: Origin) => Promise<Window>,
  ) {
    [this.stage, this.walker, this.open] = [stage, walker, open];
  }

  tick(_: number, dt: number): void {
    this.rests -= dt;
    const { land, focus } = this.stage;
    const due = Boolean(land.about.onward) && isDue(land, focus);
    this.word.value = this.told(due);
    if (due && !this.asked && this.rests <= 0) void this.goOn();
  }

  dispose(): void {}

  /** Takes her to a place worth seeing, wherever it is on the land; false if that cannot be had. */
  async take(there: Viewpoint): Promise<boolean> {
    const { land } = this.stage;
    const place = onLand(land, there.x, there.z);
    const window = await this.ask(addressOf(land, place));
    if (!window) return false;
    this.stage.enter(window);
    this.walker.take(stood(window.walk, place, there.kind));
    return true;
  }

  private async goOn(): Promise<void> {
    const { land, focus } = this.stage;
    const { heading, goes } = this.walker;
    const ahead = goes ? AHEAD * halfOf(land) : 0;
    const here = onLand(
      land,
      focus.x + ahead * Math.sin(heading),
      focus.z + ahead * Math.cos(heading),
    );
    const window = await this.ask(addressOf(land, here), land.origin);
    if (window && this.stage.land === land) this.stage.enter(window, "leisure");
  }

  private async ask(address: string, origin?: Origin): Promise<Window | null> {
    this.asked = true;
    try {
      const window = await this.open(address, origin);
      this.fails = this.rests = 0;
      return window;
    } catch {
      this.rests = Math.min(AGAIN * 2 ** this.fails++, LONGEST);
      return null;
    } finally {
      this.asked = false;
    }
  }

  private told(due: boolean): Word {
    if (this.walker.atEdge) {
      if (!this.stage.land.about.onward && this.stage.land.about.bounds === undefined) return "";
      if (!due) return this.stage.land.about.onward ? "edge" : "window";
      return this.fails > 0 ? "lost" : "coming";
    }
    return this.fails > 0 && due ? "lost" : "";
  }
}

/** Where one can stand in a window to see what is about a place. */
function stood({ about, origin }: Walk, { east, north }: OnLand, kind: string): Viewpoint {
  const [x, z] = [east - origin.east, origin.north - north];
  const away = (place: Viewpoint) => Math.hypot(place.x - x, place.z - z);
  const [first] = about.viewpoints
    .filter((place) => place.kind === kind && away(place) < MEANT)
    .sort((a, b) => away(a) - away(b));
  return first ?? { ...about.start, name: "", kind };
}
