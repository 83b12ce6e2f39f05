/** Undo and redo: drafts as they were, the newest last. */

import { computed, signal } from "@preact/signals-core";
import { type Draft, draft, dragging } from "./store.ts";

const MOST = 200;
/** Changes of one place within this time [ms], or one drag, are one: undone in one go. */
const TOGETHER = 800;

const past = signal<readonly Draft[]>([]);
const future = signal<readonly Draft[]>([]);
let lastPlace = "";
let lastTime = 0;

export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

/** Takes a new draft; `place` names what was changed. */
export function change(next: Draft, place: string, now: number = Date.now()): void {
  const current = draft.value;
  if (next === current) return;
  const soon = dragging.peek() || now - lastTime < TOGETHER;
  const same = place !== "" && place === lastPlace && soon;
  if (current && !same) past.value = [...past.value, current].slice(-MOST);
  future.value = [];
  lastPlace = place;
  lastTime = now;
  draft.value = next;
}

/** Begins anew, with nothing to undo: a land was opened by a link. */
export function begin(first: Draft): void {
  past.value = [];
  future.value = [];
  lastPlace = "";
  draft.value = first;
}

export function undo(): void {
  const back = past.value.at(-1);
  if (!back || !draft.value) return;
  past.value = past.value.slice(0, -1);
  future.value = [...future.value, draft.value];
  lastPlace = "";
  draft.value = back;
}

export function redo(): void {
  const on = future.value.at(-1);
  if (!on || !draft.value) return;
  future.value = future.value.slice(0, -1);
  past.value = [...past.value, draft.value];
  lastPlace = "";
  draft.value = on;
}
