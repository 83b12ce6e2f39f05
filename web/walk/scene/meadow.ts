/**
 * Grass on any land: one patch of blades repeated round her, thinned by how densely grass grows.
 *
 * A tile's first blades, by rank, stand in a wide window; the others only in a narrow one. Each tile has
 * its place in the buffer for good: as she goes, the tiles that fall behind are filled anew ahead.
 */

import {
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  Matrix4,
  Quaternion,
  Vector3,
} from "three";
import type { Table, Walk } from "../land.ts";
import type { Later, Part, Stage } from "../stage.ts";
import { bladeColour, bladeMaterial, tuft } from "./blades.ts";
import type { Wind } from "./wind.ts";

const COLUMNS = ["x", "z", "scale", "turn", "tint", "tilt", "rank"] as const;
const BLADE = COLUMNS.length;
/** Tiles along the edges of the wide and of the narrow window. */
const WIDE = 9;
const NARROW = 5;
/** Ranks below this stand in the wide window. */
const FIRST = 0.25;
/** Blades set in a frame, about: a millisecond's work. */
const PACE = 900;
const SUNK = 0.04;
/** Where it grows no denser than this, it is dry. */
const POOR = 0.3;
/** Ground as white as this lies under snow. */
const SNOW = 205;
/** No tile. */
const NONE = 2 ** 30;
const UP = new Vector3(0, 1, 0);

/** Tiles of a window that slides: each has a place, and knows which tile of the land is in it. */
class Window {
  readonly edge: number;
  readonly blades: Float32Array;
  /** Where its blades begin in the buffer. */
  readonly first: number;
  private readonly holds: Int32Array;

  constructor(edge: number, blades: Float32Array, first: number) {
    [this.edge, this.blades, this.first] = [edge, blades, first];
    this.holds = new Int32Array(2 * edge * edge).fill(NONE);
  }

  get perTile(): number {
    return this.blades.length / BLADE;
  }

  /** The place of a tile of the land that is due there, or -1 if it is there. */
  claim(col: number, row: number): number {
    const { edge, holds } = this;
    const place = mod(row, edge) * edge + mod(col, edge);
    if (holds[2 * place] === col && holds[2 * place + 1] === row) return -1;
    holds[2 * place] = col;
    holds[2 * place + 1] = row;
    return place;
  }

  /** Forgets the tiles that are not kept: they are due again. */
  forget(kept: (col: number, row: number) => boolean): void {
    const { holds } = this;
    for (let at = 0; at < holds.length; at += 2)
      if (!kept(holds[at] as number, holds[at + 1] as number)) holds[at] = NONE;
  }
}

const mod = (n: number, by: number) => ((n % by) + by) % by;

export class Meadow implements Part {
  readonly mesh: InstancedMesh;
  private readonly stage: Stage;
  private readonly edge: number;
  private readonly windows: readonly [Window, Window];
  private land: Walk;
  private readonly matrix = new Matrix4();
  private readonly place = new Vector3();
  private readonly size = new Vector3();
  private readonly side = new Vector3();
  private readonly turn = new Quaternion();
  private readonly tilt = new Quaternion();
  private readonly colour = new Color();

  constructor(stage: Stage, patch: { edge: number; table: Table }, wind: Wind) {
    this.stage = stage;
    this.edge = patch.edge;
    this.land = stage.land;
    const [first, later] = split(patch.table.only(COLUMNS), stage.quality.blades);
    const wide = new Window(WIDE, first, 0);
    const narrow = new Window(NARROW, later, wide.perTile * WIDE ** 2);
    this.windows = [wide, narrow];
    const most = narrow.first + narrow.perTile * NARROW ** 2;
    this.mesh = new InstancedMesh(tuft(), bladeMaterial(wind), most);
    this.mesh.name = "grass";
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * most), 3);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.instanceMatrix.array.fill(0); // nothing is drawn where nothing was set
    stage.scene.add(this.mesh);
    this.fill(Number.POSITIVE_INFINITY);
  }

  tick(): void {
    this.fill(PACE);
  }

  /** Keeps what grows in both windows; all of it is sown anew where she was taken elsewhere. */
  renew(later: Later): void {
    const before = this.land;
    this.land = this.stage.land;
    const same =
      before.origin.east === this.land.origin.east &&
      before.origin.north === this.land.origin.north;
    const kept = (col: number, row: number) => same && this.held(before, col, row);
    for (const window of this.windows) window.forget(kept);
    if (!same) later(() => this.fill(Number.POSITIVE_INFINITY));
  }

  /** Whether a tile lay wholly in a window. */
  private held({ grid, x, z }: Walk, col: number, row: number): boolean {
    const [wide, deep] = [(grid.nx * grid.cell_size) / 2, (grid.ny * grid.cell_size) / 2];
    const beside = (at: number, middle: number) =>
      Math.max(middle - at * this.edge, (at + 1) * this.edge - middle);
    return beside(col, x) < wide && beside(row, z) < deep;
  }

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    (this.mesh.material as Material).dispose();
    this.mesh.dispose();
  }

  /** Fills tiles that are due, until so many blades are set. */
  private fill(most: number): void {
    const { x, z } = this.stage.focus;
    const [col, row] = [Math.floor(x / this.edge), Math.floor(z / this.edge)];
    let set = 0;
    for (const window of this.windows) {
      const half = (window.edge - 1) / 2;
      for (let down = -half; down <= half; down++)
        for (let right = -half; right <= half; right++) {
          if (set >= most) return;
          const place = window.claim(col + right, row + down);
          if (place < 0) continue;
          this.setTile(window, place, col + right, row + down);
          set += window.perTile;
        }
    }
  }

  private setTile(window: Window, place: number, col: number, row: number): void {
    const { blades, perTile } = window;
    const first = window.first + place * perTile;
    for (let k = 0; k < perTile; k++)
      this.setBlade(first + k, blades, BLADE * k, col * this.edge, row * this.edge);
    const { instanceMatrix, instanceColor } = this.mesh;
    instanceMatrix.addUpdateRange(16 * first, 16 * perTile);
    instanceMatrix.needsUpdate = true;
    instanceColor?.addUpdateRange(3 * first, 3 * perTile);
    if (instanceColor) instanceColor.needsUpdate = true;
  }

  private setBlade(at: number, blades: Float32Array, from: number, west: number, north: number) {
    const of = (k: number) => blades[from + k] as number;
    const { matrix, place, size, side, turn, tilt, colour, mesh } = this;
    const [x, z] = [west + of(0), north + of(1)];
    const dense = this.stage.ground.inside(x, z) ? this.grass(x, z) : 0;
    const grows = dense > of(6);
    size.setScalar(grows ? of(2) : 0);
    place.set(x, grows ? this.stage.ground.height(x, z) - SUNK : 0, z);
    turn.setFromAxisAngle(UP, of(3));
    side.set(Math.cos(of(3)), 0, -Math.sin(of(3)));
    turn.premultiply(tilt.setFromAxisAngle(side, of(5)));
    matrix.compose(place, turn, size).toArray(mesh.instanceMatrix.array, 16 * at);
    bladeColour(of(4), colour, Math.max(0, 1 - dense / POOR));
    colour.toArray((mesh.instanceColor as InstancedBufferAttribute).array, 3 * at);
  }

  /** How densely grass grows at a place, 0 to 1. */
  private grass(x: number, z: number): number {
    const { grid, layers, x: east, z: south } = this.land;
    if (!layers.grass) return 0;
    const { nx, ny, cell_size: cell } = grid;
    const col = Math.min(Math.max(Math.floor((x - east) / cell + nx / 2), 0), nx - 1);
    const row = Math.min(Math.max(Math.floor((z - south) / cell + ny / 2), 0), ny - 1);
    const at = row * nx + col;
    const tint = layers.tint?.data;
    if (tint && Math.min(tint[4 * at] as number, tint[4 * at + 2] as number) > SNOW) return 0;
    return (layers.grass.data[at] as number) / 255;
  }
}

/** The blades of low rank and the others, of `most` in all windows. */
function split(blades: Float32Array, most: number): [Float32Array, Float32Array] {
  const count = blades.length / BLADE;
  const share = Math.min(1, most / (count * (FIRST * WIDE ** 2 + (1 - FIRST) * NARROW ** 2)));
  const part = (from: number, to: number) =>
    blades.filter((_, k) => {
      const rank = blades[Math.floor(k / BLADE) * BLADE + BLADE - 1] as number;
      return rank >= from && rank < to;
    });
  return [part(0, FIRST * share), part(FIRST * share, share)];
}
