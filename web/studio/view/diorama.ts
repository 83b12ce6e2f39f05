/** A land on its block: ground and water, walls of earth, the table it stands on, its shade. */

import {
  DoubleSide,
  Mesh,
  RingGeometry,
  type ShaderMaterial,
  type Texture,
  Vector2,
  Vector3,
  type WebGLRenderer,
} from "three";
import { type Block, values } from "../api/block.ts";
import groundFragment from "../shaders/ground.frag.glsl?raw";
import groundVertex from "../shaders/ground.vert.glsl?raw";
import tableFragment from "../shaders/table.frag.glsl?raw";
import tableVertex from "../shaders/table.vert.glsl?raw";
import wallFragment from "../shaders/wall.frag.glsl?raw";
import wallVertex from "../shaders/wall.vert.glsl?raw";
import type { Land, View } from "../state/store.ts";
import type { Box } from "./framing.ts";
import { type AirUniforms, painted } from "./glsl.ts";
import { sheet, walls } from "./grid.ts";
import { HEIGHTS, learned, SLOPES } from "./learned.ts";
import { elevationAt, type Heights } from "./march.ts";
import { Plane } from "./relief.ts";
import { REACH, Shade } from "./shade.ts";
import { waterLevels } from "./shore.ts";
import { EDGE } from "./stage.ts";

/**
 * Vertices along the longer edge: more than the screen has pixels is waste. Without a graphics card
 * a triangle costs 5 µs, so there are fewer, and fewest while the picture moves.
 */
const FINE = 640;
const DEAR = 320;
const COARSE = 120;
/** Cells along an edge of the sun's picture: at rest, and while the land or the sun moves. */
/** What lies on the ground is drawn so far above it [scene units]. */
const LIFT = 0.12;
const SHARP = 768;
const BLURRED = 256;

type Point = readonly [number, number, number];

export class Diorama {
  readonly meshes: readonly Mesh[];
  readonly relief: ReturnType<typeof reliefUniforms>;
  private readonly heights = new Plane("heights");
  private readonly levels = new Plane("heights");
  private readonly tint: Plane;
  private readonly origin = new Plane("heights");
  private readonly memory = new Plane("colours");
  private readonly surface: Mesh;
  private readonly rim: Mesh;
  private readonly table: Mesh;
  private readonly shade: Shade;
  readonly colours;
  private shown: Land["layers"] = {};
  private range = { low: 0, high: 1 };
  private vertices = [0, 0];
  /** Of what is shown, which may be drawn on the card: `surfing`. */
  private readonly shape = { rows: 1, cols: 1, cell: 1 };
  private surfing = false;

  constructor(air: AirUniforms, clock: { value: number }, sharpness: number) {
    this.tint = new Plane("colours", sharpness);
    this.relief = reliefUniforms(this.heights, this.levels);
    this.shade = new Shade(this.relief, air);
    this.colours = {
      uTint: { value: this.tint.texture },
      uTinted: { value: 0 },
      uLook: { value: this.memory.texture },
      uLooked: { value: 0 },
      uRange: { value: 1 },
      uFlat: { value: 1 },
      uBefore: { value: this.origin.texture },
      uShade: { value: this.shade.sun.texture },
      uOpen: { value: this.shade.sky.texture },
      uChanges: { value: 0 },
      uSteep: { value: 0.6 },
      uClear: { value: 1 },
      uTime: clock,
    };
    const uniforms = { ...air, ...this.relief, ...this.colours };
    const floor = {
      uFloorShade: { value: this.shade.floorSun.texture },
      uFloorOpen: { value: this.shade.floorSky.texture },
      uReach: { value: REACH },
    };
    const made = (vertex: string, fragment: string) => {
      const mesh = new Mesh(sheet(2, 2), painted(vertex, fragment, { ...uniforms, ...floor }));
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      return mesh;
    };
    this.surface = made(groundVertex, groundFragment);
    this.rim = made(wallVertex, wallFragment);
    this.table = made(tableVertex, tableFragment);
    this.table.geometry = new RingGeometry(0, 14 * EDGE, 48, 6);
    (this.table.material as ShaderMaterial).side = DoubleSide;
    this.meshes = [this.surface, this.rim, this.table];
  }

  set visible(isVisible: boolean) {
    for (const mesh of this.meshes) mesh.visible = isVisible;
  }

  /** The ground that is shown, for who looks where a ray meets it. */
  get ground(): Heights | null {
    if (!this.shown.elevation) return null;
    const { rows, cols } = this.heights;
    const levels = this.relief.uWet.value ? numbers(this.levels) : null;
    const cell = this.shown.elevation.cell_size ?? 1;
    return { metres: numbers(this.heights), rows, cols, cell, levels };
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
      this.colours.uTint.value = this.tint.texture;
      this.colours.uTinted.value = 1;
      this.learn(tint);
    }
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
    this.colours.uTinted.value = 0;
    this.surfing = true;
  }

  look({ exaggeration, changes }: View): void {
    const { low, high } = this.range;
    const { uUp, uDatum, uFoot, uSize } = this.relief;
    const metre = EDGE / this.longest;
    uUp.value = metre * exaggeration;
    uDatum.value = low;
    const relief = (high - low) * uUp.value;
    uFoot.value = -Math.max(5.5, 0.4 * relief);
    uSize.value.set(this.shape.cols, this.shape.rows).multiplyScalar(this.shape.cell * metre);
    this.colours.uRange.value = Math.max(high - low, 1e-6);
    this.colours.uFlat.value = 1 / exaggeration;
    this.colours.uChanges.value = changes ? 25 / Math.max(high - low, 1e-6) : 0;
    this.colours.uSteep.value = Math.min(Math.max(0.04 * relief, 0.12), 1.2);
    this.colours.uClear.value = Math.max(relief / 14, 0.25);
  }

  /** Its lowest and highest place, and its longer edge [m]. */
  get extent(): { low: number; high: number; longest: number } {
    return { ...this.range, longest: this.longest };
  }

  /** Where the block is, for a camera. */
  get box(): Box {
    const { uUp, uFoot, uSize } = this.relief;
    const high = (this.range.high - this.range.low) * uUp.value;
    return { wide: uSize.value.x, deep: uSize.value.y, low: uFoot.value, high };
  }

  /** Draws sun and sky anew for the land as it is; quickly, or well. */
  bake(renderer: WebGLRenderer, quick: boolean, sky: boolean): void {
    const longer = Math.max(this.shape.rows, this.shape.cols);
    const cells = Math.min(quick ? BLURRED : SHARP, Math.max(2 * longer, 192));
    const highest = this.box.high * (this.surfing ? 2 : 1); // what is drawn on the card may be higher
    this.shade.draw(renderer, cells, EDGE, highest, sky);
  }

  /** Fits the meshes to the land and to what frames may cost. */
  refine(slow: boolean, coarse: boolean): void {
    const { rows, cols } = this.shape;
    const shrink = Math.min(1, (coarse ? COARSE : slow ? DEAR : FINE) / Math.max(rows, cols));
    const [ny, nx] = [rows, cols].map((n) => Math.max(2, Math.round(n * shrink))) as [
      number,
      number,
    ];
    if (this.vertices[0] === ny && this.vertices[1] === nx) return;
    this.vertices = [ny, nx];
    this.surface.geometry.dispose();
    this.rim.geometry.dispose();
    this.surface.geometry = sheet(ny, nx);
    this.rim.geometry = walls(Math.max(ny, nx));
  }

  dispose(): void {
    for (const { geometry, material } of this.meshes) {
      geometry.dispose();
      (material as ShaderMaterial).dispose();
    }
    for (const plane of [this.heights, this.levels, this.tint, this.origin, this.memory])
      plane.dispose();
    this.shade.dispose();
  }

  private get longest(): number {
    return Math.max(this.shape.rows, this.shape.cols) * this.shape.cell;
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
      this.colours.uBefore.value = this.origin.texture;
    }
    if (live && isWatched) return;
    this.range = { low: elevation.low ?? 0, high: elevation.high ?? 1 };
  }

  /** Remembers how this land is coloured, for one that is drawn on the card. */
  private learn(tint: Block): void {
    const ground = this.ground;
    if (!ground || tint.data.length !== 4 * ground.metres.length) return;
    const { low, high } = this.range;
    this.memory.fill(learned(ground, tint.data as Uint8Array, low, high), [SLOPES, HEIGHTS]);
    this.colours.uLook.value = this.memory.texture;
    this.colours.uLooked.value = 1;
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

function reliefUniforms(heights: Plane, levels: Plane) {
  return {
    uHeight: { value: heights.texture as Texture },
    uWater: { value: levels.texture },
    uWet: { value: 0 },
    uSea: { value: 0 },
    uCells: { value: new Vector2(1, 1) },
    uSize: { value: new Vector2(EDGE, EDGE) },
    uUp: { value: 1 },
    uDatum: { value: 0 },
    uFoot: { value: -4 },
  };
}
