/** The landscape: ground, water and sky of a land, kept in step with what the page knows. */

import { effect } from "@preact/signals-core";
import { Vector2 } from "three";
import type { Block } from "../api/block.ts";
import { type Land, land, type View, view } from "../state/store.ts";
import { Ground, type GroundUniforms } from "./ground.ts";
import { Plane } from "./relief.ts";
import { Heavens } from "./sky.ts";
import { EDGE, type Stage } from "./stage.ts";
import { Water } from "./water.ts";

/** The table that the block stands on lies this far under its lowest place [scene units]. */
const BASE = 4;

export class Landscape {
  private readonly heights = new Plane("heights");
  private readonly surface = new Plane("heights");
  private readonly tint = new Plane("colours");
  private readonly origin = new Plane("heights");
  private readonly heavens: Heavens;
  readonly ground: Ground;
  readonly water: Water;
  private readonly uniforms: GroundUniforms;
  private range = { low: 0, high: 1 };
  private shown: Partial<Record<string, Block>> = {};
  private readonly ends: (() => void)[] = [];

  constructor(private readonly stage: Stage) {
    this.uniforms = {
      uHeight: { value: this.heights.texture },
      uTint: { value: this.tint.texture },
      uBefore: { value: this.origin.texture },
      uCells: { value: new Vector2(1, 1) },
      uAcross: { value: 1 },
      uUp: { value: 1 },
      uDatum: { value: 0 },
      uCell: { value: 1 },
      uFoot: { value: -BASE },
      uTinted: { value: 0 },
      uChanges: { value: 0 },
      uSteep: { value: 0.6 },
    };
    this.heavens = new Heavens(stage.scene, stage.renderer);
    this.ground = new Ground(this.uniforms);
    this.water = new Water(this.uniforms, this.surface.texture);
    stage.scene.add(this.ground.mesh, this.ground.rim, this.water.mesh);
    stage.steps.push((seconds) => this.ripple(seconds));
    this.ends.push(
      effect(() => this.take(land.value)),
      effect(() => this.look(view.value)),
    );
  }

  dispose(): void {
    for (const end of this.ends) end();
    this.ground.dispose();
    this.water.dispose();
    this.heavens.dispose();
  }

  /** Takes the layers that have come. */
  private take({ layers }: Land): void {
    const { elevation, water_surface, tint } = layers;
    if (!elevation) return;
    if (elevation !== this.shown.elevation) this.raise(elevation);
    if (tint && tint !== this.shown.tint) {
      this.tint.fill(tint);
      this.uniforms.uTint.value = this.tint.texture;
      this.uniforms.uTinted.value = 1;
    }
    if (water_surface && water_surface !== this.shown.water_surface) {
      this.surface.fill(water_surface);
      this.water.uniforms.uSurface.value = this.surface.texture;
      this.water.shape(this.surface.rows, this.surface.cols);
    }
    this.water.mesh.visible = water_surface !== undefined && elevation.part !== "live";
    this.shown = layers;
    this.stage.refresh();
  }

  private raise(elevation: Block): void {
    const starts = elevation.part === "live" && elevation.number === 1;
    this.heights.fill(elevation);
    const { uniforms, heights } = this;
    if (starts || elevation.part !== "live") {
      this.origin.fill(elevation);
      uniforms.uBefore.value = this.origin.texture;
      this.range = { low: elevation.low ?? 0, high: elevation.high ?? 1 };
    }
    uniforms.uHeight.value = heights.texture;
    this.ground.shape(heights.rows, heights.cols);
    uniforms.uCell.value = elevation.cell_size ?? 1;
    uniforms.uAcross.value = EDGE / (Math.max(heights.rows, heights.cols) * uniforms.uCell.value);
    this.scale(view.peek());
  }

  private scale({ exaggeration, changes }: View): void {
    const { uniforms, range } = this;
    uniforms.uUp.value = uniforms.uAcross.value * exaggeration;
    uniforms.uDatum.value = range.low;
    uniforms.uChanges.value = changes ? 25 / Math.max(range.high - range.low, 1e-6) : 0;
    this.water.uniforms.uClear.value = Math.max((range.high - range.low) / 60, 0.3);
  }

  private look(now: View): void {
    this.heavens.place(now.azimuth, now.height, now.fog);
    this.scale(now);
    this.stage.refresh();
  }

  /** Moves the water's ripples while there is water to see. */
  private ripple(seconds: number): boolean {
    if (!this.water.mesh.visible || matchMedia("(prefers-reduced-motion: reduce)").matches)
      return false;
    this.water.uniforms.uTime.value += seconds;
    return true;
  }
}
