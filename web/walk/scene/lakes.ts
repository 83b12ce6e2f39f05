/** Lakes and the sea: flat water where the levels stand above the ground, cut sharp at the shore. */

import {
  DataTexture,
  type InstancedBufferGeometry,
  Mesh,
  type MeshPhysicalMaterial,
  RedFormat,
} from "three";
import type { Lattice } from "../ground.ts";
import type { Part, Stage } from "../stage.ts";
import type { Still } from "./still.ts";
import { RAISED, type Sheet, sheetOf, square } from "./terrain.ts";
import type { Tiles } from "./tiles.ts";
import { type Waters, water } from "./water.ts";

export class Lakes implements Part {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshPhysicalMaterial>;
  private readonly stage: Stage;
  private readonly sheet: Sheet;
  private readonly there: DataTexture;
  private readonly tiles: Tiles;

  /** Shares squares and focus with the ground. */
  constructor(
    stage: Stage,
    lattice: Lattice,
    still: Still,
    terrain: { readonly tiles: Tiles; readonly sheet: Sheet },
    waters: Waters,
  ) {
    this.stage = stage;
    this.sheet = {
      ...sheetOf({ ...lattice, metres: still.metres }),
      uFocus: terrain.sheet.uFocus,
    };
    this.there = new DataTexture(still.there, lattice.cols, lattice.rows, RedFormat);
    this.there.needsUpdate = true;
    const material = water(waters, {
      key: "lake",
      uniforms: { ...this.sheet, uThere: { value: this.there } },
      head: `${RAISED}\nuniform sampler2D uThere;`,
      place: "raised(position.xz)",
      flow: "vec2(0.05, 0.02)",
      seen: "texelFetch(uThere, ivec2(vPlace * uLattice.xy), 0).r",
      surf: 1,
    });
    this.mesh = new Mesh(square(terrain.tiles), material);
    this.mesh.name = "lake";
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    stage.scene.add(this.mesh);
    this.tiles = terrain.tiles;
  }

  tick(): void {
    const { geometry } = this.mesh;
    geometry.instanceCount = this.tiles.count;
    geometry.getAttribute("tile").needsUpdate = true;
  }

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.there.dispose();
    for (const { value } of [this.sheet.uHeights, this.sheet.uSlopes]) value.dispose();
  }
}
