/** The landscape: air, land and water of what the page knows, kept in step with it. */

import { effect } from "@preact/signals-core";
import {
  before,
  doing,
  draft,
  drawnHere,
  droplet,
  type Land,
  land,
  type View,
  view,
  wanted,
} from "../state/store.ts";
import { say } from "../texts.ts";
import { Air } from "./air.ts";
import { Diorama } from "./diorama.ts";
import { Divider, divider } from "./divider.ts";
import { firstExaggeration } from "./framing.ts";
import { Glance } from "./glance.ts";
import { Keys } from "./keys.ts";
import { Legends } from "./legends.ts";
import { MapSheet } from "./sheet.ts";
import { type Stage, stillEyes } from "./stage.ts";
import { Swell } from "./swell.ts";
import { Trail } from "./trail.ts";

/** While land or sun move, light is drawn so often at most, roughly; finely with the first frame at rest [s]. */
const BAKE_EVERY = 0.25;
const SHARPNESS = 4;

export class Landscape {
  readonly air = new Air();
  readonly now: Diorama;
  /** The land before the last change, while one compares. */
  past: Diorama | null = null;
  readonly map: MapSheet;
  private readonly stage: Stage;
  private readonly trail = new Trail();
  private readonly glance: Glance;
  private readonly legends: Legends;
  readonly swell: Swell;
  private readonly divider: Divider;
  private readonly clock = { value: 0 };
  private readonly ends: (() => void)[] = [];
  /** Seconds since land or sun changed, and since light was drawn; Infinity: nothing is due. */
  private changed = Number.POSITIVE_INFINITY;
  private baked = Number.POSITIVE_INFINITY;
  private lightDue = true;
  private skyDue = true;
  /** The land that was shown as it is best seen: its title and ground. */
  private greeted = "";

  constructor(stage: Stage) {
    this.stage = stage;
    this.now = new Diorama(this.air.uniforms, this.clock, stage.slow ? 1 : SHARPNESS);
    this.map = new MapSheet(stage, this.now, this.air.uniforms);
    this.glance = new Glance(stage, this.now, this.map);
    this.legends = new Legends(this.map, () => stage.invalidate());
    this.swell = new Swell(stage, this.now, (isOver) => this.surge(isOver));
    this.divider = new Divider(stage.canvas, {
      label: say("compare"),
      left: say("before"),
      right: say("now"),
    });
    const keys = new Keys(stage.canvas, stage, () => stage.touch());
    stage.scene.add(...this.now.meshes, this.air.dome, this.trail.group);
    stage.steps.push(
      (seconds) => keys.step(stage, seconds),
      (seconds) => this.shine(seconds),
      (seconds) => this.ripple(seconds),
      (seconds) => this.trail.step(seconds),
    );
    stage.draw = () => this.paint();
    stage.resized.push(() => this.map.fit(this.now.relief.uSize.value));
    stage.revived.push(() => this.due(true));
    this.ends.push(
      effect(() => {
        stage.growing = doing.value.what === "grow";
      }),
      effect(() => this.take(land.value)),
      effect(() => this.compare(view.value.mode === "compare" ? before.value : null)),
      effect(() => this.look(view.value)),
      effect(() => this.divide(view.value.mode === "compare", divider.value)),
      effect(() => this.run(droplet.value)),
    );
  }

  dispose(): void {
    for (const end of this.ends) end();
    this.swell.dispose();
    for (const each of [this.glance, this.legends, this.divider, this.map, this.trail])
      each.dispose();
    this.past?.dispose();
    this.now.dispose();
    this.air.dispose();
  }

  private paint(): void {
    const { renderer, scene, camera, slow, isCoarse, canvas } = this.stage;
    if (view.peek().mode === "map") {
      this.map.draw();
      return;
    }
    this.now.refine(slow, isCoarse);
    if (!this.past) {
      renderer.render(scene, camera);
      return;
    }
    this.past.refine(slow, isCoarse);
    const { clientWidth: width, clientHeight: height } = canvas;
    const left = Math.round(width * divider.peek());
    renderer.setScissorTest(true);
    for (const [shown, from, to] of [
      [this.past, 0, left],
      [this.now, left, width],
    ] as const) {
      this.past.visible = shown === this.past;
      this.now.visible = shown === this.now;
      renderer.setScissor(from, 0, to - from, height);
      renderer.render(scene, camera);
    }
    renderer.setScissorTest(false);
  }

  private take(next: Land): void {
    if (!next.layers.elevation || drawnHere.peek()) return;
    this.now.take(next, seaLevel());
    this.past?.beside(this.now);
    this.now.look(view.peek());
    this.past?.look(view.peek());
    if (next.layers.elevation.part !== "live") {
      this.stage.fit(this.now.box);
      this.map.fit(this.now.relief.uSize.value);
    }
    this.greet();
    this.due(true);
  }

  /** Shows another land as it is best seen at first; changes of the same land leave the view alone. */
  private greet(): void {
    const recipe = draft.peek()?.recipe;
    const name = recipe && JSON.stringify([recipe.title, recipe.grid]);
    if (!name || name === this.greeted) return;
    const isFirst = this.greeted === "";
    this.greeted = name;
    const { low, high, longest } = this.now.extent;
    const exaggeration = firstExaggeration(high - low, longest);
    if (isFirst && view.peek().exaggeration !== 1) return; // a link says how it is looked at
    if (exaggeration !== view.peek().exaggeration) view.value = { ...view.peek(), exaggeration };
    if (!isFirst) this.stage.frame();
  }

  /** The page has drawn noise itself, or leaves it for the land there was. */
  private surge(isOver: boolean): void {
    if (isOver) this.take(land.peek());
    this.now.look(view.peek());
    this.due(false);
  }

  /** Sets up, renews or takes down the land to compare with. */
  private compare(other: Land | null): void {
    if (!other?.layers.elevation) {
      if (this.past) this.stage.scene.remove(...this.past.meshes);
      this.past?.dispose();
      this.past = null;
      this.now.visible = true;
      this.now.leaveColours(false);
    } else {
      if (!this.past) {
        this.past = new Diorama(this.air.uniforms, this.clock, 1);
        this.stage.scene.add(...this.past.meshes);
      }
      this.past.take(other, seaLevel());
      this.past.beside(this.now);
      this.past.look(view.peek());
    }
    this.due(true);
  }

  private look(next: View): void {
    this.air.place(next.azimuth, next.height, next.fog);
    this.now.look(next);
    this.past?.look(next);
    this.stage.fit(this.now.box);
    this.stage.controls.enabled = next.mode !== "map";
    this.map.controls.enabled = next.mode === "map";
    this.draw(droplet.peek());
    this.due(true);
  }

  private divide(isShown: boolean, share: number): void {
    this.divider.place(isShown, share);
    this.stage.invalidate();
  }

  private run(points: readonly (readonly number[])[]): void {
    this.draw(points);
    this.trail.start(stillEyes());
  }

  private draw(points: readonly (readonly number[])[]): void {
    this.trail.show(points, (x, y, elevation) => this.now.above(x, y, elevation));
    this.stage.invalidate();
  }

  private due(sky: boolean): void {
    this.changed = 0;
    this.lightDue = true;
    this.skyDue ||= sky;
    this.stage.invalidate();
  }

  /** Draws the light that is due: at once if it was long ago, finely when all is at rest. */
  private shine(seconds: number): boolean {
    this.changed += seconds;
    this.baked += seconds;
    if (this.changed === Number.POSITIVE_INFINITY) return false;
    const rest = this.changed > this.stage.patience / 1000;
    if (!rest && (this.baked < BAKE_EVERY || !this.lightDue)) return false;
    for (const diorama of [this.now, this.past])
      diorama?.bake(this.stage.renderer, !rest, this.skyDue);
    this.baked = 0;
    this.lightDue = false;
    if (rest) [this.changed, this.skyDue] = [Number.POSITIVE_INFINITY, false];
    if (!rest || !this.stage.isCoarse) this.stage.invalidate(); // a fine frame comes by itself
    return false;
  }

  /** Moves the water's ripples while there is water to see and frames are cheap. */
  private ripple(seconds: number): boolean {
    const dry = this.now.relief.uWet.value === 0 || view.peek().mode === "map";
    if (dry || this.stage.slow || stillEyes()) return false;
    this.clock.value += seconds;
    return true;
  }
}

function seaLevel(): number | null {
  const level = wanted.peek()?.sea_level;
  return typeof level === "number" ? level : null;
}
