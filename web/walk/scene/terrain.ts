/** The ground: one instanced square of quads, raised by the heights in a texture; one draw call. */

import {
  BufferAttribute,
  type DataTexture,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  type Material,
  Mesh,
  MeshDepthMaterial,
  MeshStandardMaterial,
  RGBADepthPacking,
  Vector3,
  Vector4,
} from "three";
import type { Later, Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import type { Window } from "../window.ts";
import type { FarSheet } from "./horizon.ts";
import {
  bytesOf,
  COARSE,
  coloursOf,
  type Fine,
  heightsOf,
  MELTS,
  NEARNESS,
  raise,
  raised,
  type Sheet,
  sheetOf,
  slopesOf,
} from "./sheet.ts";
import { type Laid, paintGround, type Soil } from "./soil.ts";
import { NUMBERS, TILE, Tiles } from "./tiles.ts";

/** She goes so far [cells] before the squares are chosen anew. */
const SHIFT = 4;

/** A square of quads from 0 to TILE, which `tiles` puts everywhere. */
export function square(tiles: Tiles): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const positions: number[] = [];
  const corners: number[] = [];
  for (let row = 0; row <= TILE; row++)
    for (let col = 0; col <= TILE; col++) positions.push(col, 0, row);
  for (let row = 0; row < TILE; row++)
    for (let col = 0; col < TILE; col++) {
      const a = row * (TILE + 1) + col;
      const south = a + TILE + 1;
      corners.push(a, south, a + 1, a + 1, south, south + 1);
    }
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute(
    "normal",
    new BufferAttribute(
      new Float32Array(positions.length).map((_, k) => (k % 3 === 1 ? 1 : 0)),
      3,
    ),
  );
  geometry.setIndex(corners);
  geometry.setAttribute("tile", new InstancedBufferAttribute(tiles.numbers, NUMBERS));
  return geometry;
}

export class Terrain implements Part {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshStandardMaterial>;
  readonly tiles: Tiles;
  readonly sheet: Sheet;
  readonly fine: Fine;
  private readonly stage: Theatre;
  private readonly laid: Laid = {
    slopes: { value: null },
    tint: { value: null },
    shores: { value: null },
  };

  constructor(stage: Theatre, far: FarSheet | null, soil: Soil) {
    this.stage = stage;
    const { lattice } = stage.window;
    const more = far ? TILE * Math.ceil(MELTS / lattice.cell / TILE) : 0;
    this.sheet = sheetOf(lattice, more);
    this.tiles = new Tiles(lattice.rows + 2 * more, lattice.cols + 2 * more);
    [this.laid.slopes.value, this.laid.tint.value, this.laid.shores.value] = layersOf(stage.window);
    this.fine = {
      uNear: { value: new Vector3(0, 0, stage.reach) },
      uWindow: { value: windowOf(stage.window) },
    };
    const material = new MeshStandardMaterial({ roughness: 0.95, color: 0x8a8f5c });
    const uniforms = { ...this.sheet, ...this.fine, ...far?.uniforms };
    const head = far ? NEARNESS + COARSE + raised(true) : raised(false);
    raise(material, uniforms, head);
    paintGround(material, this.laid, soil, far);
    this.mesh = new Mesh(square(this.tiles), material);
    this.mesh.name = "ground";
    this.mesh.customDepthMaterial = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
    raise(this.mesh.customDepthMaterial, uniforms, head);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.castShadow = true;
    stage.scene.add(this.mesh);
    this.choose();
  }

  tick(): void {
    const { x: east, z: south } = this.stage.focus;
    this.fine.uNear.value.set(east, south, this.stage.reach);
    const [col, row] = this.place();
    const { x, y } = this.sheet.uFocus.value;
    if (Math.hypot(col - x, row - y) > SHIFT) this.choose();
  }

  /** Takes the ground of another window; its textures go to the card one after the other. */
  renew(later: Later): void {
    const { window, renderer } = this.stage;
    const { lattice } = window;
    const made = [heightsOf(lattice), ...layersOf(window)] as const;
    for (const texture of made) if (texture) later(() => renderer.initTexture(texture));
    later(() => {
      const { uHeights, uMiddle } = this.sheet;
      const { slopes, tint, shores } = this.laid;
      for (const { value } of [uHeights, slopes, tint, shores]) value?.dispose();
      [uHeights.value, slopes.value, tint.value, shores.value] = made;
      uMiddle.value.set(lattice.x ?? 0, lattice.z ?? 0);
      this.fine.uWindow.value.copy(windowOf(window));
      this.choose();
    });
  }

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    (this.mesh.customDepthMaterial as Material).dispose();
    for (const { value } of [this.sheet.uHeights, ...Object.values(this.laid)]) value?.dispose();
  }

  private place(): [number, number] {
    const { x: cols, y: rows, z: cell, w: more } = this.sheet.uLattice.value;
    const { x: east, y: south } = this.sheet.uMiddle.value;
    const { x, z } = this.stage.focus;
    return [(x - east) / cell + (cols - 1) / 2 + more, (z - south) / cell + (rows - 1) / 2 + more];
  }

  private choose(): void {
    const [col, row] = this.place();
    this.sheet.uFocus.value.set(col, row);
    this.tiles.choose(col, row);
    const { geometry } = this.mesh;
    geometry.instanceCount = this.tiles.count;
    const attribute = geometry.getAttribute("tile");
    attribute.needsUpdate = true;
  }
}

const windowOf = ({ lattice: { rows, cols, cell, x = 0, z = 0 } }: Window): Vector4 =>
  new Vector4(x, z, ((cols - 1) / 2) * cell, ((rows - 1) / 2) * cell);

/** Slopes, colours and shores of a window. */
function layersOf(window: Window): [DataTexture, DataTexture | null, DataTexture | null] {
  const { lattice, leans, colours, shores } = window;
  return [
    slopesOf(leans, lattice),
    colours && coloursOf(colours, lattice),
    shores && bytesOf(shores, lattice),
  ];
}
