/** What whoever lives in the scene is lent, and what it has to be. */

import type { ReadonlySignal, Signal } from "@preact/signals-core";
import type { PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Ground } from "./ground.ts";
import type { Walk } from "./land.ts";
import type { Rivers } from "./rivers.ts";

/** Whatever moves. */
export interface Part {
  /** `seconds` of the scene's own time, which rests while it is paused; `dt` of it since the last. */
  tick(seconds: number, dt: number): void;
  /**
   * The stage's `window`, `ground` and `rivers` are those of another window. Where both hold a place it
   * is the same in both, so that there is time: what takes long is done `later`, a job a frame.
   */
  renew?(later: Later): void;
  dispose(): void;
}

export type Later = (job: () => void) => void;

/** What the person may turn. */
export interface Mood {
  /** Hour of the day, 6 to 20. */
  readonly hour: Signal<number>;
  /** 0 clear to 1 thick. */
  readonly mist: Signal<number>;
}

/** How much is drawn, from the page's address: a test asks for little. */
export interface Quality {
  readonly blades: number;
  /** Leaf cards, as a share of what a tree has. */
  readonly leaves: number;
  /** Cells along an edge of the sun's shadow. */
  readonly shadow: number;
  /** Samples a pixel, for smooth edges. */
  readonly samples: number;
  /** Whether water is seen through: all behind it is drawn once more, and smoothed. */
  readonly fine: boolean;
}

export interface Stage {
  readonly canvas: HTMLCanvasElement;
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly renderer: WebGLRenderer;
  /** Turns round `controls.target`; whoever moves the camera itself sets `enabled` to false. */
  readonly controls: OrbitControls;
  readonly ground: Ground;
  readonly rivers: Rivers;
  readonly land: Walk;
  /** How far round her fine land, and what stands on it, is drawn [m]. */
  readonly reach: number;
  /** Where she is: grass, trees and shadows are finest round it. Who walks moves it. */
  readonly focus: Vector3;
  readonly mood: Mood;
  readonly quality: Quality;
  /** The Pause button; time also rests while the page is hidden. */
  readonly paused: Signal<boolean>;
  /** The person asks for less motion. */
  readonly calm: ReadonlySignal<boolean>;
  add(part: Part): void;
  remove(part: Part): void;
  /** Asks for a frame where nothing moves by itself (`?still`, or paused). */
  invalidate(): void;
}
