/** Keys that work wherever no text is typed; the help dialog lists them. */

import { batch } from "@preact/signals-core";
import type { Engine } from "../engine.ts";
import { set } from "../state/draft.ts";
import { change, redo, undo } from "../state/history.ts";
import { doing, draft, view } from "../state/store.ts";
import type { Word } from "../texts.ts";
import { anySeed } from "./handing.ts";
import { MODES } from "./looks.tsx";
import { dialog, putAway, show, showRecipe, toggleGallery } from "./rooms.ts";
import { playOrPause } from "./watching.tsx";

interface Key {
  /** As a person reads it; parts that do the same are parted by " / ". */
  readonly keys: string;
  readonly word: Word;
}

/** What the help dialog lists. */
export const KEYS: readonly Key[] = [
  { keys: "Ctrl+Z", word: "undo" },
  { keys: "Ctrl+Shift+Z / Ctrl+Y", word: "redo" },
  { keys: "N", word: "dice" },
  { keys: "P", word: "keyPresets" },
  { keys: "R / L / W / M", word: "keyRooms" },
  { keys: "E", word: "export" },
  { keys: "O", word: "open" },
  { keys: "1 / 2 / 3", word: "keyModes" },
  { keys: "Space", word: "keyPlay" },
  { keys: "Alt+↑ / Alt+↓", word: "keyMove" },
  { keys: "Tab / Shift+Tab", word: "keyTab" },
  { keys: "← / → / ↑ / ↓", word: "keyStage" },
  { keys: "W / A / S / D / Q / E", word: "keyFly" },
  { keys: "+ / − / Home", word: "keyNearer" },
  { keys: "Esc", word: "keyEscape" },
  { keys: "?", word: "help" },
];

type Deed = (engine: Engine) => void;

const DEEDS: Readonly<Record<string, Deed>> = {
  n: () => {
    const now = draft.peek();
    if (now) change(set(now, ["seed"], anySeed()), "");
  },
  p: toggleGallery,
  r: showRecipe,
  l: () => show("look"),
  w: () => show("watch"),
  m: () => show("measure"),
  e: () => {
    dialog.value = "export";
  },
  o: () => document.querySelector<HTMLButtonElement>(".opens")?.click(),
  "?": () => {
    dialog.value = "help";
  },
  "1": () => look(0),
  "2": () => look(1),
  "3": () => look(2),
  " ": (engine) =>
    batch(() => {
      if (doing.peek().what !== "watch") show("watch");
      playOrPause(engine);
    }),
  escape: putAway,
};

function look(index: number): void {
  const mode = MODES[index];
  if (mode) view.value = { ...view.peek(), mode };
}

/** Whether an element takes the keys that are typed for itself. */
function takesKeys(target: Element): boolean {
  if (target.closest("[popover]")) return true;
  if (target instanceof HTMLInputElement)
    return target.type !== "range" && target.type !== "checkbox";
  return target.matches("select, textarea, [contenteditable]");
}

/** The button that the mouse pressed last: its deed is done, and the space bar is free again. */
let clicked: Element | null = null;

/** Whether the space bar presses what has the focus. */
const isPressed = (target: Element): boolean =>
  target.matches("input") || (target.matches("button, a, summary") && target !== clicked);

/** Listens until the function that it returns is called. */
export function listenToKeys(engine: Engine): () => void {
  const hear = (event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : document.body;
    const busy = document.querySelector("dialog[open], .moving");
    if (event.key === "Tab") clicked = null;
    if (event.defaultPrevented || event.isComposing || busy || takesKeys(target)) return;
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      const deed = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" ? redo : null;
      if (!deed) return;
      event.preventDefault();
      deed();
      return;
    }
    const deed = DEEDS[key];
    if (!deed || event.altKey || event.repeat || (key === " " && isPressed(target))) return;
    event.preventDefault();
    deed(engine);
  };
  const press = ({ target }: PointerEvent) => {
    clicked = target instanceof Element ? target.closest("button, a, summary") : null;
  };
  const ended = new AbortController();
  addEventListener("keydown", hear, { signal: ended.signal });
  addEventListener("pointerdown", press, { signal: ended.signal, capture: true });
  return () => ended.abort();
}
