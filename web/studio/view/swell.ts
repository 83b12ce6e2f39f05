/**
 * While a slider moves, or time runs, the page draws noise itself, at the rate of the screen; the
 * engine's own land takes its place when the slider is let go.
 */

import { effect } from "@preact/signals-core";
import type { JsonObject } from "../api/client.ts";
import { type Heard, type Numbers, waves } from "../api/waves.ts";
import { doing, dragging, drawnHere, drift, land, wanted } from "../state/store.ts";
import type { Diorama } from "./diorama.ts";
import type { Stage } from "./stage.ts";
import { Waves } from "./waves.ts";

/** Cells along the longer edge of what is drawn: where frames are cheap, and dear. */
const FINE = 512;
const COARSE = 256;
/** The old land is back if so long after the slider was let go [ms] nothing grows. */
const PATIENCE = 500;

export class Swell {
  readonly waves: Waves;
  private readonly stage: Stage;
  private readonly diorama: Diorama;
  private readonly changed: (isOver: boolean) => void;
  private readonly end: () => void;
  private heard: Heard | null = null;
  /** The recipe as it was heard, without the numbers that need no asking. */
  private known = "";
  private asking = false;
  private timer = 0;

  /** `changed` hears after each drawing, and when the drawn land is to be left (`isOver`). */
  constructor(stage: Stage, diorama: Diorama, changed: (isOver: boolean) => void) {
    this.stage = stage;
    this.diorama = diorama;
    this.changed = changed;
    this.waves = new Waves(stage.renderer);
    this.end = effect(() =>
      this.follow(wanted.value, dragging.value || drift.value !== 0, drift.value),
    );
    stage.revived.push(() => this.forget());
  }

  /** The heights [m] that the card draws of a recipe, row by row, for who compares them. */
  async sample(recipe: JsonObject, size: number, time = 0): Promise<Float32Array | null> {
    const heard = await waves(recipe, size);
    if (!heard.steps) return null;
    this.forget();
    this.waves.hear(heard);
    const numbers = new Map(heard.steps.map(({ index, values }) => [index, values]));
    const drawn = this.waves.draw((index) => numbers.get(index) ?? {}, time);
    const [rows, cols] = heard.shape;
    const read = new Float32Array(4 * rows * cols);
    if (drawn) this.stage.renderer.readRenderTargetPixels(drawn, 0, 0, cols, rows, read);
    this.forget();
    return read.filter((_, k) => k % 4 === 0);
  }

  dispose(): void {
    this.end();
    clearTimeout(this.timer);
    this.waves.dispose();
  }

  private follow(recipe: JsonObject | null, isMoving: boolean, time: number): void {
    if (!recipe || !isMoving || !Waves.areSupported(this.stage.renderer)) {
      if (drawnHere.peek()) this.leave();
      return;
    }
    clearTimeout(this.timer);
    if (this.shapeOf(recipe) === this.known) this.draw(recipe, time);
    else if (!this.asking) void this.ask(recipe);
  }

  /** Asks for the octaves; what has moved on meanwhile is asked for next. */
  private async ask(recipe: JsonObject): Promise<void> {
    this.asking = true;
    const heard = await waves(recipe, this.stage.slow ? COARSE : FINE).catch(() => null);
    this.asking = false;
    this.heard = heard;
    this.known = heard ? this.shapeOf(recipe) : "";
    if (heard) this.waves.hear(heard);
    if (heard) this.follow(wanted.peek(), dragging.peek() || drift.peek() !== 0, drift.peek());
  }

  private draw(recipe: JsonObject, time: number): void {
    const { heard } = this;
    if (!heard?.steps) {
      drawnHere.value = false;
      return;
    }
    const steps = recipe.steps as JsonObject[];
    const told = new Map(heard.steps.map((step) => [step.index, step]));
    const numbersOf = (index: number): Numbers => {
      const step = told.get(index);
      const own = Object.entries(steps[index] ?? {}).filter(
        ([, value]) => typeof value === "number",
      );
      return { ...step?.defaults, ...(Object.fromEntries(own) as Numbers) };
    };
    const drawn = this.waves.draw(numbersOf, time);
    if (!drawn) return;
    drawnHere.value = true;
    const sea = typeof recipe.sea_level === "number" ? recipe.sea_level : null;
    this.diorama.surf(drawn.texture, heard.shape, heard.cell_size, sea);
    this.changed(false);
  }

  /** The recipe without the numbers that a shader takes. */
  private shapeOf(recipe: JsonObject): string {
    const steps = (Array.isArray(recipe.steps) ? recipe.steps : []) as JsonObject[];
    const local = new Map(this.heard?.steps?.map(({ index, values }) => [index, values]));
    return JSON.stringify([
      recipe.grid,
      recipe.seed,
      this.stage.slow,
      steps.map((step, index) =>
        Object.entries(step).filter(
          ([name, value]) => typeof value !== "number" || !(name in (local.get(index) ?? {})),
        ),
      ),
    ]);
  }

  /** Waits for the engine's land; if none comes, the old one is still right. */
  private leave(): void {
    drawnHere.value = false;
    this.timer = window.setTimeout(() => {
      if (doing.peek().what === "" && land.peek().layers.elevation) this.changed(true);
    }, PATIENCE);
  }

  private forget(): void {
    this.waves.forget();
    [this.heard, this.known] = [null, ""];
  }
}
