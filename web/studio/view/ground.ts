/** A land as shaders read it: heights, water, colours, and how it was before. */

import { type Texture, Vector2, Vector3 } from "three";
import { type Block, values } from "../api/block.ts";
import type { Land } from "../state/store.ts";
import { HEIGHTS, learned, plainness, SLOPES } from "./learned.ts";
import { elevationAt, type Heights } from "./march.ts";
import { usualChange } from "./marks.ts";
import { Plane } from "./relief.ts";
import { waterLevels } from "./shore.ts";
import { EDGE } from "./stage.ts";

/** What lies on the ground is drawn so far above it [scene units]. */
const LIFT = 0.12;

type Point = readonly [number, number, number];

export class Ground {
  private readonly heights = new Plane("heights");
  private readonly levels = new Plane("heights");
  private readonly tint: Plane;
  private readonly origin = new Plane("heights");
  private readonly memory = new Plane("colours");
  readonly relief = {
    uHeight: { value: this.heights.texture as Texture },
    uWater: { value: this.levels.texture },
    uWet: { value: 0 },
    uSea: { value: 0 },
    uCells: { value: new Vector2(1, 1) },
    uSize: { value: new Vector2(EDGE, EDGE) },
    uUp: { value: 1 },
    uDatum: { value: 0 },
    uFoot: { value: -4 },
  };
  /** How the ground is coloured. */
  readonly ink;
  protected range = { low: 0, high: 1 };
  /** Of what is shown, which may be drawn on the card: `surfing`. */
  protected readonly shape = { rows: 1, cols: 1, cell: 1 };
  protected surfing = false;
  private shown: Land["layers"] = {};
  /** Its own colours are known; `plain` leaves them out. */
  private tinted = false;
  private plain = false;

  constructor(sharpness: number) {
    this.tint = new Plane("colours", sharpness);
    this.ink = {
      uTint: { value: this.tint.texture },
      uTinted: { value: 0 },
      uLook: { value: this.memory.texture },
      uLooked: { value: 0 },
      uBefore: { value: this.origin.texture },
      uChange: { value: 1 },
      uPlain: { value: 0 },
    };
  }

  /** The ground that is shown, for who looks where a ray meets it. */
  get ground(): Heights | null {
    if (!this.shown.elevation) return null;
    const { rows, cols } = this.heights;
    const levels = this.relief.uWet.value ? numbers(this.levels) : null;
    const cell = this.shown.elevation.cell_size ?? 1;
    return { metres: numbers(this.heights), rows, cols, cell, levels };
  }

  /** Its lowest and highest place, and its longer edge [m]. */
  get extent(): { low: number; high: number; longest: number } {
    return { ...this.range, longest: this.longest };
  }

  /** The lowest and highest that a ray may meet [m]. */
  get reach(): [number, number] {
    const slack = 0.5 * (this.range.high - this.range.low) + 1;
    return [this.range.low - slack, this.range.high + slack];
  }

  /** Where a place [m] of the land lies in the scene, just above what is shown there. */
  above(x: number, y: number, elevation: number): Vector3 {
    const ground = this.ground;
    const top = ground ? Math.max(elevation, elevationAt(ground, x, y)) : elevation;
    const metre = EDGE / this.longest;
    const { uUp, uDatum } = this.relief;
    return new Vector3(x * metre, (top - uDatum.value) * uUp.value + LIFT, -y * metre);
  }

  /** A ray of the scene in the land's metres: east, north, up. */
  inMetres(origin: Vector3, direction: Vector3): { from: Point; way: Point } {
    const across = this.longest / EDGE;
    const up = 1 / this.relief.uUp.value;
    return {
      from: [origin.x * across, -origin.z * across, origin.y * up + this.relief.uDatum.value],
      way: [direction.x * across, -direction.z * across, direction.y * up],
    };
  }

  /** Takes the layers of a land; `sea` is the height of the sea [m], if there is one. */
  take({ layers }: Land, sea: number | null): void {
    const { elevation, water_surface, tint } = layers;
    if (!elevation) return;
    const before = this.shown;
    this.shown = layers;
    const fresh = this.surfing || elevation !== before.elevation;
    this.surfing = false;
    if (fresh) this.raise(elevation, before.elevation);
    if (fresh || water_surface !== before.water_surface) this.flood(layers, sea);
    if (tint && (fresh || tint !== before.tint)) {
      this.tint.fill(tint.data as Uint8Array, tint.shape);
      this.ink.uTint.value = this.tint.texture;
      this.ink.uPlain.value = plainness(tint.data as Uint8Array);
      this.learn(tint);
    }
    this.colour(tint !== undefined);
  }

  /** Shows heights [m] that were drawn on the card, with the sea at its level, until land is taken. */
  surf(
    texture: Texture,
    [rows, cols]: readonly [number, number],
    cell: number,
    sea: number | null,
  ): void {
    Object.assign(this.shape, { rows, cols, cell });
    this.relief.uHeight.value = texture;
    this.relief.uCells.value.set(cols, rows);
    this.relief.uWet.value = sea === null ? 0 : 2;
    this.relief.uSea.value = sea ?? 0;
    this.colour(false);
    this.surfing = true;
  }

  /**
   * Stands beside a land that comes of it: on one scale and, where its own colours are not known,
   * both in those that the other's heights and slopes have.
   */
  beside(other: Ground): void {
    this.range = other.range;
    this.ink.uLook.value = other.ink.uLook.value;
    this.ink.uLooked.value = other.ink.uLooked.value;
    this.ink.uPlain.value = other.ink.uPlain.value;
    other.leaveColours(!this.tinted);
  }

  /** Draws it without its own colours, as long as it is compared with a land that has none. */
  leaveColours(plain: boolean): void {
    this.plain = plain;
    this.colour(this.tinted);
  }

  dispose(): void {
    for (const plane of [this.heights, this.levels, this.tint, this.origin, this.memory])
      plane.dispose();
  }

  protected get longest(): number {
    return Math.max(this.shape.rows, this.shape.cols) * this.shape.cell;
  }

  private colour(tinted: boolean): void {
    this.tinted = tinted;
    this.ink.uTinted.value = tinted && !this.plain ? 1 : 0;
  }

  private raise(elevation: Block, before: Block | undefined): void {
    const live = elevation.part === "live";
    const isWatched = live ? elevation.number !== 1 : before?.part === "live";
    this.heights.fill(values(elevation), elevation.shape);
    this.relief.uHeight.value = this.heights.texture;
    const { rows, cols } = this.heights;
    Object.assign(this.shape, { rows, cols, cell: elevation.cell_size ?? 1 });
    this.relief.uCells.value.set(cols, rows);
    if (!isWatched) {
      this.origin.fill(values(elevation), elevation.shape);
      this.ink.uBefore.value = this.origin.texture;
    }
    this.ink.uChange.value = usualChange(numbers(this.heights), numbers(this.origin));
    if (live && isWatched) return;
    this.range = { low: elevation.low ?? 0, high: elevation.high ?? 1 };
  }

  /** Remembers how this land is coloured, for one whose colours are not known. */
  private learn(tint: Block): void {
    const ground = this.ground;
    if (!ground || tint.data.length !== 4 * ground.metres.length) return;
    const { low, high } = this.range;
    this.memory.fill(learned(ground, tint.data as Uint8Array, low, high), [SLOPES, HEIGHTS]);
    this.ink.uLook.value = this.memory.texture;
    this.ink.uLooked.value = 1;
  }

  private flood({ elevation, water_surface }: Land["layers"], sea: number | null): void {
    if (!elevation) return;
    const surface = elevation.part === "live" || !water_surface ? null : values(water_surface);
    const levels = waterLevels(values(elevation), surface, this.heights.cols, sea);
    this.relief.uWet.value = levels ? 1 : 0;
    if (!levels) return;
    this.levels.fill(levels, elevation.shape);
    this.relief.uWater.value = this.levels.texture;
  }
}

const numbers = (plane: Plane) => plane.texture.image.data as unknown as Float32Array;
