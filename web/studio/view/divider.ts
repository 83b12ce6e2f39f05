/** The line between before and now: dragged by the pointer, moved by the arrow keys. */

import { signal } from "@preact/signals-core";

/** Where the line stands, as a share of the picture's width from the left. */
export const divider = signal(0.5);

const STEP = 0.02;
const [LEAST, MOST] = [0.02, 0.98];

const LINE = `position:absolute;top:0;bottom:0;width:44px;margin-left:-22px;cursor:ew-resize;
  touch-action:none;display:none;background:linear-gradient(90deg,transparent 21px,#fff 21px,#fff 23px,transparent 23px);
  filter:drop-shadow(0 0 5px rgb(0 0 0 / .55));outline-offset:-16px`;
const KNOB = `position:absolute;top:50%;left:4px;width:36px;height:36px;margin-top:-18px;border-radius:50%;
  background:#fff;color:#27313a;display:grid;place-items:center;font:600 15px system-ui`;

const SIDE = `position:absolute;bottom:max(12%,64px);padding:2px 9px;border-radius:9px;white-space:nowrap;
  background:rgb(20 26 33 / .72);color:#fff;font:600 13px system-ui;pointer-events:none;`;

/** What stands to the left and to the right of the line, and what the line is. */
interface Words {
  readonly label: string;
  readonly left: string;
  readonly right: string;
}

export class Divider {
  readonly element = document.createElement("div");
  private readonly canvas: HTMLCanvasElement;

  constructor(canvas: HTMLCanvasElement, words: Words) {
    this.canvas = canvas;
    const { element } = this;
    element.style.cssText = LINE;
    element.tabIndex = 0;
    element.setAttribute("role", "slider");
    element.setAttribute("aria-orientation", "horizontal");
    element.setAttribute("aria-label", words.label);
    element.setAttribute("aria-valuemin", "0");
    element.setAttribute("aria-valuemax", "100");
    element.append(
      part(KNOB, "⇆"),
      part(`${SIDE}right:30px`, words.left),
      part(`${SIDE}left:30px`, words.right),
    );
    element.addEventListener("pointerdown", (event) => element.setPointerCapture(event.pointerId));
    element.addEventListener("pointermove", (event) => this.drag(event));
    element.addEventListener("keydown", (event) => this.press(event));
    canvas.after(element);
  }

  /** Shows the line at its place, or hides it. */
  place(isShown: boolean, share: number): void {
    const { style } = this.element;
    style.display = isShown ? "block" : "none";
    style.left = `${100 * share}%`;
    this.element.setAttribute("aria-valuenow", String(Math.round(100 * share)));
  }

  dispose(): void {
    this.element.remove();
  }

  private drag(event: PointerEvent): void {
    if (!this.element.hasPointerCapture(event.pointerId)) return;
    const { left, width } = this.canvas.getBoundingClientRect();
    move((event.clientX - left) / width);
  }

  private press(event: KeyboardEvent): void {
    const ways: Record<string, number> = { ArrowLeft: -STEP, ArrowRight: STEP };
    const way = ways[event.key];
    if (way === undefined) return;
    event.preventDefault();
    move(divider.peek() + way);
  }
}

function part(style: string, text: string): HTMLElement {
  const made = document.createElement("span");
  made.style.cssText = style;
  made.textContent = text;
  made.setAttribute("aria-hidden", "true");
  return made;
}

function move(share: number): void {
  divider.value = Math.min(Math.max(share, LEAST), MOST);
}
