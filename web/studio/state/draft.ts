/** Changes of a recipe: each returns a new draft and leaves the old one as it was. */

import type { Json, JsonObject } from "../api/client.ts";
import type { Draft } from "./store.ts";

/** Where a value stands: ["steps", 2, "steps", 0, "talus_angle"]. */
export type Path = readonly (string | number)[];

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function stepsOf(holder: JsonObject): readonly JsonObject[] {
  return Array.isArray(holder.steps) ? (holder.steps as JsonObject[]) : [];
}

export function valueAt(root: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, key) =>
      value !== null && typeof value === "object"
        ? (value as Record<string | number, Json>)[key]
        : undefined,
    root,
  );
}

/** A copy of `root` with another value at a path; undefined takes the key away. */
export function withValue(root: Json, path: Path, value: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  if (Array.isArray(root)) {
    const copy = [...root];
    copy[Number(key)] = withValue(copy[Number(key)] ?? null, rest, value);
    return copy;
  }
  const copy: JsonObject = { ...(root as JsonObject | null) };
  if (rest.length === 0 && value === undefined) delete copy[key];
  else copy[key] = withValue(copy[key] ?? {}, rest, value);
  return copy;
}

export function set(draft: Draft, path: Path, value: Json | undefined): Draft {
  return { ...draft, recipe: withValue(draft.recipe, path, value) as JsonObject };
}

/** Puts a step before the index-th of the list that `at` names (["steps"] or a repeat's). */
export function insert(draft: Draft, at: Path, index: number, step: JsonObject): Draft {
  const list = [...((valueAt(draft.recipe, at) as JsonObject[] | undefined) ?? [])];
  list.splice(index, 0, step);
  const off =
    at.length > 1 ? draft.off : draft.off.map((each) => (each >= index ? each + 1 : each));
  return { ...set(draft, at, list), off };
}

export function remove(draft: Draft, at: Path, index: number): Draft {
  const list = [...((valueAt(draft.recipe, at) as JsonObject[] | undefined) ?? [])];
  list.splice(index, 1);
  const off =
    at.length > 1
      ? draft.off
      : draft.off.filter((each) => each !== index).map((each) => (each > index ? each - 1 : each));
  return { ...set(draft, at, list), off };
}

/** Moves a step to another place of its list. */
export function move(draft: Draft, at: Path, from: number, to: number): Draft {
  const step = valueAt(draft.recipe, [...at, from]) as JsonObject | undefined;
  if (!step || from === to) return draft;
  const wasOff = at.length === 1 && draft.off.includes(from);
  const moved = insert(remove(draft, at, from), at, to, step);
  return wasOff ? { ...moved, off: [...moved.off, to].sort((a, b) => a - b) } : moved;
}

/** Switches a step of the recipe's own list off, or on again. */
export function toggle(draft: Draft, index: number): Draft {
  const off = draft.off.includes(index)
    ? draft.off.filter((each) => each !== index)
    : [...draft.off, index].sort((a, b) => a - b);
  return { ...draft, off };
}

/** The place in the recipe that the engine sees, of a place in the draft (steps may be off). */
export function seenAs(draft: Draft, path: Path): Path {
  const [list, index, ...rest] = path;
  if (list !== "steps" || typeof index !== "number") return path;
  return [list, index - draft.off.filter((each) => each < index).length, ...rest];
}

/** The place in the draft of a place in the recipe that the engine sees: `seenAs` turned round. */
export function drawnAs(draft: Draft, path: Path): Path {
  const [list, index, ...rest] = path;
  if (list !== "steps" || typeof index !== "number") return path;
  const on = stepsOf(draft.recipe).flatMap((_, at) => (draft.off.includes(at) ? [] : [at]));
  return [list, on[index] ?? index, ...rest];
}

/** The first place that a sentence of the engine names, as "steps.2.talus_angle is …". */
export function placeIn(sentence: string): Path | null {
  const found = /\b(?:steps\.\d+|grid|seed|sea_level|title)(?:\.\w+)*/.exec(sentence)?.[0];
  return found?.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key)) ?? null;
}

/** Puts a copy of a step behind it. */
export function duplicate(draft: Draft, at: Path, index: number): Draft {
  const step = valueAt(draft.recipe, [...at, index]);
  return step === undefined
    ? draft
    : insert(draft, at, index + 1, structuredClone(step) as JsonObject);
}

/**
 * Names for the steps of a list that stay theirs while the list changes: `named` holds those of
 * the list before. A step that was changed takes the name of the one at its place.
 */
export function namesOf(
  steps: readonly JsonObject[],
  before: readonly JsonObject[],
  named: WeakMap<JsonObject, number>,
): number[] {
  const kept = new Set(steps);
  return steps.map((step, index) => {
    const old = before[index];
    const heir = old && !kept.has(old) && old.op === step.op ? named.get(old) : undefined;
    const name = named.get(step) ?? heir ?? newName();
    named.set(step, name);
    return name;
  });
}

let lastName = 0;
export function newName(): number {
  lastName += 1;
  return lastName;
}
