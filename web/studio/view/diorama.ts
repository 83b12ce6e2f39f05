/** A land on its block: ground and water, walls of earth, the table it stands on, its shade. */

import { DoubleSide, Mesh, RingGeometry, type ShaderMaterial, Vector2, type WebGLRenderer } from "three";
import { type Block, values } from "../api/block.ts";
import groundFragment from "../shaders/ground.frag.glsl?raw";
import groundVertex from "../shaders/ground.vert.glsl?raw";
import tableFragment from "../shaders/table.frag.glsl?raw";
import tableVertex from "../shaders/table.vert.glsl?raw";
import wallFragment from "../shaders/wall.frag.glsl?raw";
import wallVertex from "../shaders/wall.vert.glsl?raw";
import type { Land, View } from "../state/store.ts";
import { type AirUniforms, painted } from "./glsl.ts";
import { sheet, walls } from "./grid.ts";
import type { Box } from "./framing.ts";
import { Plane } from "./relief.ts";
import { REACH, Shade } from "./shade.ts";
import { waterLevels } from "./shore.ts";
import { EDGE } from "./stage.ts";

/** Vertices along the longer edge at rest, and where frames are dear: more than pixels is waste. */
const FINE = 640;
const COARSE = 224;
/** Cells along an edge of the sun's picture: at rest, and while the land or the sun moves. */
const SHARP = 768;
const BLURRED = 256;

export class Diorama {
  readonly meshes: readonly Mesh[];
  readonly relief: ReturnType<typeof reliefUniforms>;
  private readonly heights = new Plane("heights");
  private readonly levels = new Plane("heights");
  private readonly tint = new Plane("colours");
  private readonly origin = new Plane("heights");
  private readonly ground: Mesh;
  private readonly rim: Mesh;
  private readonly table: Mesh;
  private readonly shade: Shade;
  private readonly colours;
  private shown: Land["layers"] = {};
  private range = { low: 0, high: 1 };
  private vertices = [0, 0];

  constructor(air: AirUniforms, clock: { value: number }) {
    this.relief = reliefUniforms(this.heights, this.levels);
    this.shade = new Shade(this.relief, air);
    this.colours = {
      uTint: { value: this.tint.texture },
      uTinted: { value: 0 },
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
    this.ground = made(groundVertex, groundFragment);
    this.rim = made(wallVertex, wallFragment);
    this.table = made(tableVertex, tableFragment);
    this.table.geometry = new RingGeometry(0, 10 * EDGE, 48, 6);
    (this.table.material as ShaderMaterial).side = DoubleSide;
    this.meshes = [this.ground, this.rim, this.table];
  }

  set visible(isVisible: boolean) {
    for (const mesh of this.meshes) mesh.visible = isVisible;
  }

  /** The heights that are shown [m], for who looks where a ray meets the land. */
  get elevation(): Float32Array | null {
    return this.shown.elevation ? (this.heights.texture.image.data as unknown as Float32Array) : null;
  }

  /** Takes the layers of a land; `sea` is the height of the sea [m], if there is one. */
  take({ layers }: Land, sea: number | null): void {
    const { elevation, water_surface, tint } = layers;
    if (!elevation) return;
    const before = this.shown;
    this.shown = layers;
    const fresh = elevation !== before.elevation;
    if (fresh) this.raise(elevation);
    if (fresh || water_surface !== before.water_surface) this.flood(layers, sea);
    if (tint && tint !== before.tint) {
      this.tint.fill(tint.data as Uint8Array, tint.shape);
      this.colours.uTint.value = this.tint.texture;
      this.colours.uTinted.value = 1;
    }
  }

  look({ exaggeration, changes }: View): void {
    const { low, high } = this.range;
    const { uUp, uDatum, uFoot, uSize } = this.relief;
    const metre = EDGE / this.longest;
    uUp.value = metre * exaggeration;
    uDatum.value = low;
    const relief = (high - low) * uUp.value;
    uFoot.value = -Math.max(5.5, 0.4 * relief);
    uSize.value.set(this.heights.cols, this.heights.rows).multiplyScalar(this.cell * metre);
    this.colours.uChanges.value = changes ? 25 / Math.max(high - low, 1e-6) : 0;
    this.colours.uSteep.value = Math.min(Math.max(0.04 * relief, 0.12), 1.2);
    this.colours.uClear.value = Math.max(relief / 14, 0.25);
  }

  /** Where the block is, for a camera. */
  get box(): Box {
    const { uUp, uFoot, uSize } = this.relief;
    const high = (this.range.high - this.range.low) * uUp.value;
    return { wide: uSize.value.x, deep: uSize.value.y, low: uFoot.value, high };
  }

  /** Draws sun and sky anew for the land as it is; quickly, or well. */
  bake(renderer: WebGLRenderer, quick: boolean, sky: boolean): void {
    const longer = Math.max(this.heights.rows, this.heights.cols);
    const cells = Math.min(quick ? BLURRED : SHARP, Math.max(2 * longer, 192));
    this.shade.draw(renderer, cells, EDGE, this.box.high, sky);
  }

  /** Fits the meshes to the land and to what frames may cost. */
  refine(coarse: boolean): void {
    const { rows, cols } = this.heights;
    const shrink = Math.min(1, (coarse ? COARSE : FINE) / Math.max(rows, cols));
    const [ny, nx] = [rows, cols].map((n) => Math.max(2, Math.round(n * shrink))) as [number, number];
    if (this.vertices[0] === ny && this.vertices[1] === nx) return;
    this.vertices = [ny, nx];
    this.ground.geometry.dispose();
    this.rim.geometry.dispose();
    this.ground.geometry = sheet(ny, nx);
    this.rim.geometry = walls(Math.max(ny, nx));
  }

  dispose(): void {
    for (const { geometry, material } of this.meshes) {
      geometry.dispose();
      (material as ShaderMaterial).dispose();
    }
    for (const plane of [this.heights, this.levels, this.tint, this.origin]) plane.dispose();
    this.shade.dispose();
  }

  private get cell(): number {
    return this.shown.elevation?.cell_size ?? 1;
  }

  private get longest(): number {
    return Math.max(this.heights.rows, this.heights.cols) * this.cell;
  }

  private raise(elevation: Block): void {
    const live = elevation.part === "live";
    this.heights.fill(values(elevation), elevation.shape);
    this.relief.uHeight.value = this.heights.texture;
    this.relief.uCells.value.set(this.heights.cols, this.heights.rows);
    if (live && elevation.number !== 1) return;
    this.origin.fill(values(elevation), elevation.shape);
    this.colours.uBefore.value = this.origin.texture;
    this.range = { low: elevation.low ?? 0, high: elevation.high ?? 1 };
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

function reliefUniforms(heights: Plane, levels: Plane) {
  return {
    uHeight: { value: heights.texture },
    uWater: { value: levels.texture },
    uWet: { value: 0 },
    uCells: { value: new Vector2(1, 1) },
    uSize: { value: new Vector2(EDGE, EDGE) },
    uUp: { value: 1 },
    uDatum: { value: 0 },
    uFoot: { value: -4 },
  };
}
