/** A land on its block: ground and water, walls of earth, the table it stands on, its shade. */

import { DoubleSide, Mesh, RingGeometry, type ShaderMaterial, type WebGLRenderer } from "three";
import groundFragment from "../shaders/ground.frag.glsl?raw";
import groundVertex from "../shaders/ground.vert.glsl?raw";
import tableFragment from "../shaders/table.frag.glsl?raw";
import tableVertex from "../shaders/table.vert.glsl?raw";
import wallFragment from "../shaders/wall.frag.glsl?raw";
import wallVertex from "../shaders/wall.vert.glsl?raw";
import type { View } from "../state/store.ts";
import type { Box } from "./framing.ts";
import { type AirUniforms, painted } from "./glsl.ts";
import { sheet, walls } from "./grid.ts";
import { Ground } from "./ground.ts";
import { REACH, Shade } from "./shade.ts";
import { EDGE } from "./stage.ts";

/**
 * Vertices along the longer edge: more than the screen has pixels is waste. Without a graphics card
 * a triangle costs 5 µs, so there are fewer, and fewest while the picture moves.
 */
const FINE = 640;
const DEAR = 320;
const COARSE = 120;
/** Cells along an edge of the sun's picture: at rest, and while the land or the sun moves. */
const SHARP = 768;
const BLURRED = 256;

export class Diorama extends Ground {
  readonly meshes: readonly Mesh[];
  readonly colours;
  private readonly surface: Mesh;
  private readonly rim: Mesh;
  private readonly table: Mesh;
  private readonly shade: Shade;
  private vertices = [0, 0];

  constructor(air: AirUniforms, clock: { value: number }, sharpness: number) {
    super(sharpness);
    this.shade = new Shade(this.relief, air);
    this.colours = {
      ...this.ink,
      uRange: { value: 1 },
      uFlat: { value: 1 },
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
    this.colours.uChanges.value = changes ? 1 : 0;
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

  override dispose(): void {
    super.dispose();
    for (const { geometry, material } of this.meshes) {
      geometry.dispose();
      (material as ShaderMaterial).dispose();
    }
    this.shade.dispose();
  }
}
