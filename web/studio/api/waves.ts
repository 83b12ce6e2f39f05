/** What the engine tells of a recipe's noise, so that the page can draw it. */

import { waves as ask, type JsonObject } from "./client.ts";

/** Numbers of a step by their names. */
export type Numbers = Readonly<Record<string, number>>;

interface Step {
  /** Where it stands in the recipe's list. */
  readonly index: number;
  readonly blend: string;
  readonly values: Numbers;
  readonly defaults: Numbers;
}

export interface NoiseStep extends Step {
  readonly kind: "noise";
  readonly square: boolean;
  readonly shape: readonly [number, number, number];
  /** [m] */
  readonly wavelength: number;
  readonly keys: readonly number[];
  /** Of every octave: what a metre east or north adds to u, and to v. */
  readonly per_metre: readonly (readonly (readonly [number, number])[])[];
  /** (octaves, columns or rows, 4): cell and fraction of u, and of v. */
  readonly columns: Uint32Array;
  readonly rows: Uint32Array;
}

export interface IslandStep extends Step {
  readonly kind: "island";
}

export interface Heard {
  readonly shape: readonly [rows: number, cols: number];
  readonly cell_size: number;
  /** Middle of the north-west cell [m]. */
  readonly west: number;
  readonly north: number;
  /** Null where the page cannot draw this recipe. */
  readonly steps: readonly (NoiseStep | IslandStep)[] | null;
}

/** Asks for a recipe's octaves at a size. */
export async function waves(recipe: JsonObject, size: number): Promise<Heard> {
  const told = await ask<Heard>(recipe, size);
  const steps = told.steps?.map((step) =>
    step.kind === "noise"
      ? { ...step, columns: unpacked(step.columns), rows: unpacked(step.rows) }
      : step,
  );
  return { ...told, steps: steps ?? null };
}

/** Numbers that travel as base64 text. */
function unpacked(text: unknown): Uint32Array {
  return new Uint32Array(Uint8Array.from(atob(String(text)), (c) => c.charCodeAt(0)).buffer);
}
