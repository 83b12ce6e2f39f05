/** The landscape: air, land and water of what the page knows, kept in step with it. */

import { effect } from "@preact/signals-core";
import { type Land, land, type View, view, wanted } from "../state/store.ts";
import { Air } from "./air.ts";
import { Diorama } from "./diorama.ts";
import { type Stage, stillEyes } from "./stage.ts";

/** While land or sun move, light is drawn so often at most [s]. */
const BAKE_EVERY = 0.25;
/** And finely so long after they came to rest [s]. */
const BAKE_REST = 0.35;

export class Landscape {
  readonly air = new Air();
  readonly now: Diorama;
  private readonly stage: Stage;
  private readonly clock = { value: 0 };
  private readonly ends: (() => void)[] = [];
  /** Seconds since land or sun changed, and since light was drawn; Infinity: nothing is due. */
  private changed = Number.POSITIVE_INFINITY;
  private baked = Number.POSITIVE_INFINITY;
  private skyDue = true;

  constructor(stage: Stage) {
    this.stage = stage;
    this.now = new Diorama(this.air.uniforms, this.clock);
    stage.scene.add(...this.now.meshes, this.air.dome);
    stage.steps.push(
      (seconds) => this.shine(seconds),
      (seconds) => this.ripple(seconds),
    );
    stage.draw = () => this.paint();
    stage.revived.push(() => this.due(true));
    this.ends.push(
      effect(() => this.take(land.value)),
      effect(() => this.look(view.value)),
    );
  }

  dispose(): void {
    for (const end of this.ends) end();
    this.now.dispose();
    this.air.dispose();
  }

  private paint(): void {
    const { renderer, scene, camera, isCoarse } = this.stage;
    this.now.refine(isCoarse);
    renderer.render(scene, camera);
  }

  private take(next: Land): void {
    if (!next.layers.elevation) return;
    this.now.take(next, seaLevel());
    this.now.look(view.peek());
    if (next.layers.elevation.part !== "live") this.stage.fit(this.now.box);
    this.due(true);
  }

  private look(next: View): void {
    this.air.place(next.azimuth, next.height, next.fog);
    this.now.look(next);
    this.due(true);
  }

  private due(sky: boolean): void {
    this.changed = 0;
    this.skyDue ||= sky;
    this.stage.invalidate();
  }

  /** Draws the light that is due: at once if it was long ago, finely when all is at rest. */
  private shine(seconds: number): boolean {
    this.changed += seconds;
    this.baked += seconds;
    if (this.changed === Number.POSITIVE_INFINITY) return false;
    const rest = this.changed > BAKE_REST;
    if (!rest && this.baked < BAKE_EVERY) return true;
    this.now.bake(this.stage.renderer, !rest, this.skyDue);
    this.baked = 0;
    if (rest) [this.changed, this.skyDue] = [Number.POSITIVE_INFINITY, false];
    this.stage.invalidate();
    return true;
  }

  /** Moves the water's ripples while there is water to see and frames are cheap. */
  private ripple(seconds: number): boolean {
    if (this.now.relief.uWet.value === 0 || this.stage.slow || stillEyes()) return false;
    this.clock.value += seconds;
    return true;
  }
}

function seaLevel(): number | null {
  const level = wanted.peek()?.sea_level;
  return typeof level === "number" ? level : null;
}
