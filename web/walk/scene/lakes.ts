/** Lakes and the sea: flat water where the levels stand above the ground, cut sharp at the shore. */

import {
  DataTexture,
  type InstancedBufferGeometry,
  Mesh,
  type MeshPhysicalMaterial,
  RedFormat,
} from "three";
import type { Later, Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import { type Fine, heightsOf, NEARNESS, raised, type Sheet } from "./sheet.ts";
import { square } from "./terrain.ts";
import type { Tiles } from "./tiles.ts";
import { type Waters, water } from "./water.ts";

export class Lakes implements Part {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshPhysicalMaterial>;
  private readonly stage: Theatre;
  private readonly heights: { value: DataTexture };
  private readonly there: { value: DataTexture };
  private readonly tiles: Tiles;

  /** Shares squares, place and focus with the ground. */
  constructor(
    stage: Theatre,
    terrain: { readonly tiles: Tiles; readonly sheet: Sheet; readonly fine: Fine },
    waters: Waters,
  ) {
    this.stage = stage;
    const [heights, there] = this.textures();
    [this.heights, this.there] = [{ value: heights }, { value: there }];
    const { sheet, fine } = terrain;
    const material = water(waters, {
      key: "lake",
      uniforms: { ...sheet, ...fine, uHeights: this.heights, uThere: this.there },
      head: `${NEARNESS}${raised(false)}uniform sampler2D uThere;${SEEN}`,
      place: "raised(position.xz)",
      flow: "vec2(0.05, 0.02)",
      seen: "seenAt(transformed.xz)",
      surf: 1,
    });
    this.mesh = new Mesh(square(terrain.tiles), material);
    this.mesh.name = "lake";
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    stage.scene.add(this.mesh);
    this.tiles = terrain.tiles;
    this.mesh.visible = stage.window.still !== null;
  }

  tick(): void {
    const { geometry } = this.mesh;
    geometry.instanceCount = this.tiles.count;
    geometry.getAttribute("tile").needsUpdate = true;
  }

  /** Takes the water of another window. */
  renew(later: Later): void {
    const made = this.textures();
    for (const texture of made) later(() => this.stage.renderer.initTexture(texture));
    later(() => {
      for (const { value } of [this.heights, this.there]) value.dispose();
      [this.heights.value, this.there.value] = made;
      this.mesh.visible = this.stage.window.still !== null;
    });
  }

  /** Levels, and where there is water; of one cell where there is none. */
  private textures(): [DataTexture, DataTexture] {
    const { still, lattice } = this.stage.window;
    if (!still) return [dry(), dry()];
    const there = new DataTexture(still.there, lattice.cols, lattice.rows, RedFormat);
    there.needsUpdate = true;
    return [heightsOf({ ...lattice, metres: still.metres }), there];
  }

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    for (const { value } of [this.heights, this.there]) value.dispose();
  }
}

const dry = () => new DataTexture(new Uint8Array(1), 1, 1, RedFormat);

/** Whether a place has water of this window, and is drawn finely. */
const SEEN = `
float seenAt(vec2 p) {
  vec2 away = abs(p - uWindow.xy) - uWindow.zw;
  if (max(away.x, away.y) > 0.01 || nearness(p) < 0.0) return 0.0;
  return texelFetch(uThere, ivec2(vPlace * uLattice.xy), 0).r;
}`;
