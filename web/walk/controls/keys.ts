/** Keys: she walks as long as they are held. */

import type { Stage } from "../stage.ts";
import type { Walker } from "../walker/walker.ts";

const AHEAD = ["KeyW", "ArrowUp"];
const BACK = ["KeyS", "ArrowDown"];
const LEFT = ["KeyA", "ArrowLeft"];
const RIGHT = ["KeyD", "ArrowRight"];
const ALL = new Set([...AHEAD, ...BACK, ...LEFT, ...RIGHT]);

/** What single keys do. */
export interface Deeds {
  person(): void;
  pause(): void;
  help(): void;
}

/** Listens until the returned function is called. */
export function listenToKeys(stage: Stage, walker: Walker, deeds: Deeds): () => void {
  const held = new Set<string>();
  const wish = () => {
    const any = (codes: string[]) => Number(codes.some((code) => held.has(code)));
    walker.wish.forward = any(AHEAD) - any(BACK);
    walker.wish.right = any(RIGHT) - any(LEFT);
    stage.invalidate();
  };
  const down = (event: KeyboardEvent) => {
    walker.wish.runs = event.shiftKey;
    if (event.ctrlKey || event.metaKey || event.altKey || isForm(event.target)) return;
    if (ALL.has(event.code)) {
      event.preventDefault();
      held.add(event.code);
      wish();
    } else if (event.repeat) return;
    else if (event.code === "KeyV") deeds.person();
    else if (event.code === "KeyP") deeds.pause();
    else if (event.key === "?") deeds.help();
  };
  const up = (event: KeyboardEvent) => {
    walker.wish.runs = event.shiftKey;
    if (held.delete(event.code)) wish();
  };
  const leave = () => {
    held.clear();
    walker.wish.runs = false;
    wish();
  };
  addEventListener("keydown", down);
  addEventListener("keyup", up);
  addEventListener("blur", leave);
  return () => {
    removeEventListener("keydown", down);
    removeEventListener("keyup", up);
    removeEventListener("blur", leave);
  };
}

const isForm = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, select, textarea, dialog") !== null;
