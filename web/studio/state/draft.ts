/** Changes of a recipe: each returns a new draft and leaves the old one as it was. */

import type { Json, JsonObject } from "../api/client.ts";
import type { Draft } from "./store.ts";

/** Where a value stands: ["steps", 2, "steps", 0, "talus_angle"]. */
export type Path = readonly (string | number)[];

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
