/** The pointer on the stage: where it hovers, what it clicks, where a double click goes. */

/** A press that moves less [pixels] and lasts shorter [ms] is a click. */
const STILL = 5;
const SHORT = 500;
/** A second click so soon [ms] is one half of a double click. */
const DOUBLE = 350;

export interface Hears {
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  goTo(x: number, y: number): void;
}

/** Listens to a canvas; places are in its CSS pixels. Returns what ends it. */
export function listenToPointer(canvas: HTMLCanvasElement, hears: Hears): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let pressed: PointerEvent | null = null;
  let clickedAt = 0;
  let hovering = 0;
  const on = <K extends keyof HTMLElementEventMap>(
    kind: K,
    hear: (event: HTMLElementEventMap[K]) => void,
  ) => canvas.addEventListener(kind, hear, { signal });

  on("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    pressed = event.isPrimary && event.button === 0 ? event : null;
  });
  on("pointerup", (event) => {
    const from = pressed;
    pressed = null;
    if (!from || !event.isPrimary || event.timeStamp - from.timeStamp > SHORT) return;
    if (Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > STILL) return;
    const isSecond = event.timeStamp - clickedAt < DOUBLE;
    clickedAt = event.timeStamp;
    if (isSecond) hears.goTo(event.offsetX, event.offsetY);
    else hears.click(event.offsetX, event.offsetY);
  });
  on("pointermove", (event) => {
    if (event.buttons || hovering || event.pointerType === "touch") return;
    hovering = requestAnimationFrame(() => {
      hovering = 0;
      hears.hover(event.offsetX, event.offsetY);
    });
  });
  on("pointerleave", () => hears.leave());
  return () => {
    cancelAnimationFrame(hovering);
    ended.abort();
  };
}
