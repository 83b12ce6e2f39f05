/**
 * The keyboard on the stage: arrows move, + and − come nearer, Home shows all. W A S D Q E fly where
 * the stage was come to by keys, or while the mouse is pressed on it: else they are the page's.
 */

import { Vector3 } from "three";
import { FARTHEST } from "./stage.ts";

/** What keys move: a camera that looks at a target. */
export interface Moved {
  readonly camera: { readonly position: Vector3; getWorldDirection(into: Vector3): Vector3 };
  readonly controls: { readonly target: Vector3 };
  frame(): void;
  invalidate(): void;
}

type Way = readonly [right: number, forward: number, up: number, nearer: number];

const WAYS: Readonly<Record<string, Way>> = {
  ArrowLeft: [-1, 0, 0, 0],
  ArrowRight: [1, 0, 0, 0],
  ArrowUp: [0, 1, 0, 0],
  ArrowDown: [0, -1, 0, 0],
  KeyA: [-1, 0, 0, 0],
  KeyD: [1, 0, 0, 0],
  KeyW: [0, 1, 0, 0],
  KeyS: [0, -1, 0, 0],
  KeyE: [0, 0, 1, 0],
  KeyQ: [0, 0, -1, 0],
  Equal: [0, 0, 0, 1],
  NumpadAdd: [0, 0, 0, 1],
  Minus: [0, 0, 0, -1],
  NumpadSubtract: [0, 0, 0, -1],
};
const ALL = ["Home", "Digit0"];
/** A second's way, as a share of the distance to what is looked at; Shift doubles it. */
const SPEED = 0.55;
const LOWEST = 0.5;

export class Keys {
  private readonly held = new Set<string>();
  private fast = false;
  /** The stage was clicked, and is now; so its focus is the mouse's. */
  private clicked = false;
  private pressed = false;

  /** Listens on an element that has the focus; `touch` hears of every move. */
  constructor(element: HTMLElement, moved: Moved, touch: () => void) {
    element.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.code.startsWith("Key") && this.clicked && !this.pressed) return;
      if (ALL.includes(event.code)) moved.frame();
      else if (event.code in WAYS) {
        this.held.add(event.code);
        touch();
      } else return;
      this.fast = event.shiftKey;
      event.preventDefault();
      moved.invalidate();
    });
    element.addEventListener("keyup", (event) => this.held.delete(event.code));
    element.addEventListener("blur", () => {
      this.held.clear();
      this.clicked = false;
    });
    element.addEventListener("pointerdown", () => {
      this.clicked = this.pressed = true;
    });
    for (const end of ["pointerup", "pointercancel"] as const)
      element.addEventListener(end, () => {
        this.pressed = false;
      });
  }

  /** Moves by what is held; true while anything is. */
  step(moved: Moved, seconds: number): boolean {
    if (this.held.size === 0) return false;
    const { camera, controls } = moved;
    const ahead = camera.getWorldDirection(new Vector3());
    const level = new Vector3(ahead.x, 0, ahead.z).normalize();
    const right = new Vector3(-level.z, 0, level.x);
    const far = camera.position.distanceTo(controls.target);
    const pace = SPEED * far * seconds * (this.fast ? 2 : 1);
    const way = new Vector3();
    let nearer = 0;
    for (const key of this.held) {
      const [x, z, y, closer] = WAYS[key] ?? [0, 0, 0, 0];
      way.addScaledVector(right, x).addScaledVector(level, z);
      way.y += y;
      nearer += closer;
    }
    way.multiplyScalar(pace);
    camera.position.add(way);
    controls.target.add(way);
    if (nearer > 0 ? far > 2 : far < 0.95 * FARTHEST)
      camera.position.addScaledVector(ahead, nearer * pace);
    camera.position.y = Math.max(camera.position.y, LOWEST);
    return true;
  }
}
