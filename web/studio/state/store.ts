/**
 * What the page knows: the recipe and its past, the land that grew from it, how it is looked at.
 * Signals only; nothing here draws or talks to a server.
 */

import { computed, signal } from "@preact/signals-core";
import type { Block } from "../api/block.ts";
import type { JsonObject, Preset, Schema } from "../api/client.ts";
import type { Grown } from "../api/live.ts";
import type { Recipe } from "../api/recipe.gen.ts";

/** A recipe as the page edits it: plain data; a step that is switched off keeps its place. */
export interface Draft {
  readonly recipe: JsonObject;
  /** Indices of the top steps that are switched off. */
  readonly off: readonly number[];
}

/** A grown land: what `grown` said of it, and its layers as they have come. */
export interface Land {
  readonly grown: Grown | null;
  readonly layers: Readonly<Record<string, Block>>;
}

export type Mode = "scene" | "map" | "compare";

export interface View {
  readonly mode: Mode;
  /** Layer that colours the map, or "" for the land's own colours. */
  readonly layer: string;
  readonly exaggeration: number;
  /** Where the sun stands [°]: clockwise from north, and above the horizon. */
  readonly azimuth: number;
  readonly height: number;
  readonly fog: number;
  /** Show what was eroded and deposited since the watched step began. */
  readonly changes: boolean;
  readonly contours: boolean;
  /** Cells along the longer edge of the finished land; 0 for those that the recipe names. */
  readonly size: number;
}

export const FIRST_VIEW: View = {
  mode: "scene",
  layer: "",
  exaggeration: 1,
  azimuth: 285,
  height: 27,
  fog: 0.3,
  changes: false,
  contours: false,
  size: 0,
};

export interface Doing {
  readonly what: "" | "grow" | "watch" | "measure" | "export";
  readonly ask: number;
  readonly share: number;
  readonly op: string;
  readonly path: string;
  readonly left: number | null;
  readonly paused: boolean;
}

export const IDLE: Doing = {
  what: "",
  ask: 0,
  share: 0,
  op: "",
  path: "",
  left: null,
  paused: false,
};

/**
 * A recipe by its type, for the few parts that the page knows by name. The engine says whether it
 * is one: what stands there may still be anything that is wrong.
 */
export const known = (recipe: JsonObject): Partial<Recipe> => recipe as Partial<Recipe>;

/** Rows and columns of a recipe that does not name them. */
const USUAL_EDGE = 512;

export const schema = signal<Schema | null>(null);
export const presets = signal<readonly Preset[]>([]);
export const draft = signal<Draft | null>(null);
export const view = signal<View>(FIRST_VIEW);
/** True while a person drags a slider: small lands then, and all of it is one step of history. */
export const dragging = signal(false);
/** Seconds that noise has drifted, where the page can draw it; 0 shows the recipe's own land. */
export const drift = signal(0);
/** True while the page draws the noise itself, so that the engine need not. */
export const drawnHere = signal(false);
export const land = signal<Land>({ grown: null, layers: {} });
/** The land before the last change, to compare with. */
export const before = signal<Land>({ grown: null, layers: {} });
/** The path of the droplet that was released last: x, y, elevation [m], water, speed, sediment. */
export const droplet = signal<readonly (readonly number[])[]>([]);
/** Colours of its way: where it carries no earth, and the most. */
export const CARRIES = { nothing: "#8fe0ff", most: "#ff8a1f" } as const;
/** What lies under the pointer; null where no land is. The views say it. */
export interface Place {
  /** Metres east and north of the land's middle. */
  readonly x: number;
  readonly y: number;
  readonly elevation: number;
  /** [°] */
  readonly slope: number;
  /** Ground that drains through here [m²]; null where the recipe does not tell. */
  readonly drains: number | null;
}
export const cursor = signal<Place | null>(null);

/** What the map's colours and lines mean; null where the land's own colours need no words. */
export interface Legend {
  /** The layer that is shown; "" for the land's own colours. */
  readonly layer: string;
  readonly unit: string;
  /** What the first and last colour stand for; null where colours only tell apart. */
  readonly low: number | null;
  readonly high: number | null;
  /** Colours as #rrggbb, even steps from low to high (of the logarithm, if `logarithmic`). */
  readonly stops: readonly string[];
  readonly logarithmic: boolean;
  /** Where a layer's numbers are few: the colour of each. */
  readonly keys: readonly { readonly colour: string; readonly words: string }[];
  /** From one contour to the next [m]; 0 where none are drawn. */
  readonly interval: number;
}
export const legend = signal<Legend | null>(null);
/** Where the land was clicked (not dragged) last; a new object for each click. The views say it. */
export const clicked = signal<{ readonly x: number; readonly y: number } | null>(null);
/** Row of the table of rivers that is looked at; the views may mark it. */
export const river = signal<number | null>(null);
/** Takes a picture of the stage, once there is one. */
export const picture = signal<(() => Promise<Blob>) | null>(null);
/** What drawing costs: frames a second while the picture moves (0: not known), and what one drew. */
export interface Cost {
  readonly frames: number;
  readonly calls: number;
  readonly triangles: number;
}
export const cost = signal<Cost>({ frames: 0, calls: 0, triangles: 0 });
export const doing = signal<Doing>(IDLE);
export const online = signal(false);
/** Whether the engine is ready to be quick: the first time ever, it compiles for a while. */
export const warm = signal(true);
/** One sentence about what went wrong last; empty when all is well. */
export const trouble = signal("");
/** Most cells along an edge that this server grows for a page. */
export const largest = signal(4096);

/** Cells along the longer edge of the finished land. */
export const finalSize = computed(() => {
  const ground = draft.value ? known(draft.value.recipe).grid : undefined;
  const own = Math.max(ground?.ny ?? USUAL_EDGE, ground?.nx ?? USUAL_EDGE);
  return Math.min(view.value.size > 0 ? Math.ceil(view.value.size) : own, largest.value);
});

/** The recipe that the engine is asked for: the draft without the steps that are switched off. */
export const wanted = computed<JsonObject | null>(() => {
  const now = draft.value;
  if (!now) return null;
  const steps = Array.isArray(now.recipe.steps) ? now.recipe.steps : [];
  return { ...now.recipe, steps: steps.filter((_, index) => !now.off.includes(index)) };
});
