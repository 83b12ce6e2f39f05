/** Keys, mouse and fingers on the picture, as they move the flight. */

import type { Below, Flight } from "./flight.ts";

/** Degrees that a drag across the picture's height turns. */
const TURN = 60;
/** Seconds' way that a notch of the wheel, or the picture's height by two fingers, goes. */
const NOTCH = 0.25;
const PULL = 2.5;

interface Hears {
  readonly flight: Flight;
  readonly below: Below;
  stir(): void;
  walk(): void;
}

export function listen(canvas: HTMLCanvasElement, { flight, below, stir, walk }: Hears): void {
  const fingers = new Map<number, { x: number; y: number }>();
  /** How far apart the first two are [pixels]. */
  const spread = () => {
    const [a, b] = fingers.values();
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest("dialog")) return;
    if (event.key === "?") document.querySelector<HTMLElement>(".keys-button")?.click();
    else if (event.code === "KeyF") walk();
    else if (!flight.press(event.code, event.shiftKey)) return;
    event.preventDefault();
    stir();
  });
  addEventListener("keyup", (event) => flight.release(event.code, event.shiftKey));
  addEventListener("blur", () => flight.letGo());
  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener("pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    if (!from) return;
    const share = 1 / canvas.clientHeight / fingers.size;
    const [right, down] = [(event.clientX - from.x) * share, (event.clientY - from.y) * share];
    const apart = spread();
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const wider = (spread() - apart) / canvas.clientHeight;
    if (fingers.size > 1) flight.nudge(PULL * (wider - down), PULL * -right, below);
    else flight.look(-right * TURN, down * TURN);
    stir();
  });
  for (const kind of ["pointerup", "pointercancel"] as const)
    canvas.addEventListener(kind, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      flight.nudge(-Math.sign(event.deltaY) * NOTCH, 0, below);
      stir();
    },
    { passive: false },
  );
}
