/** Lakes and the sea: flat water where the levels stand above the ground, cut sharp at the shore. */

import { type InstancedBufferGeometry, Mesh, type MeshPhysicalMaterial, type Texture } from "three";
import type { Lattice } from "../ground.ts";
import type { Rivers } from "../rivers.ts";
import type { Part, Stage } from "../stage.ts";
import { RAISED, type Sheet, sheetOf, square } from "./terrain.ts";
import type { Tiles } from "./tiles.ts";
import { water } from "./water.ts";
import type { Wind } from "./wind.ts";

/** A river's own water is drawn by its ribbon, which is so much wider [cells]. */
const BESIDE = 1.5;
const DRY = -1000;

export class Lakes implements Part {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshPhysicalMaterial>;
  private readonly stage: Stage;
  private readonly sheet: Sheet;
  private readonly tiles: Tiles;

  /** Shares squares and focus with the ground. Null where no water stands. */
  static on(
    stage: Stage,
    ground: { readonly lattice: Lattice; readonly levels: Float32Array | null },
    terrain: { readonly tiles: Tiles; readonly sheet: Sheet },
    wind: Wind,
    grain: Texture,
  ): Lakes | null {
    if (!ground.levels) return null;
    const metres = withoutRivers(ground.lattice, ground.levels, stage.rivers);
    return metres ? new Lakes(stage, { ...ground.lattice, metres }, terrain, wind, grain) : null;
  }

  private constructor(
    stage: Stage,
    lattice: Lattice,
    terrain: { readonly tiles: Tiles; readonly sheet: Sheet },
    wind: Wind,
    grain: Texture,
  ) {
    this.stage = stage;
    this.sheet = { ...sheetOf(lattice), uFocus: terrain.sheet.uFocus };
    const bed = terrain.sheet.uHeights;
    const material = water(stage.quality.fine, wind, grain, {
      key: "lake",
      uniforms: { ...this.sheet, uBed: bed },
      head: `${RAISED}\nuniform highp sampler2D uBed;`,
      place: "raised(position.xz)",
      flow: "vec2(0.05, 0.02)",
      deep: "transformed.y - texelFetch(uBed, ivec2(vPlace * uLattice.xy), 0).r",
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
    for (const { value } of [this.sheet.uHeights, this.sheet.uSlopes]) value.dispose();
  }
}

/** The levels where water stands, and far below elsewhere; null if it stands nowhere. */
export function withoutRivers(
  { metres, rows, cols, cell }: Lattice,
  levels: Float32Array,
  rivers: Rivers,
): Float32Array | null {
  const made = new Float32Array(levels.length);
  let wet = 0;
  for (let k = 0; k < made.length; k++) {
    const level = levels[k] as number;
    made[k] = level;
    if (level <= (metres[k] as number)) continue;
    const x = ((k % cols) - (cols - 1) / 2) * cell;
    const z = (Math.floor(k / cols) - (rows - 1) / 2) * cell;
    const river = rivers.nearest(x, z);
    if (river && river.distance < river.width / 2 + BESIDE * cell) made[k] = DRY;
    else wet++;
  }
  return wet > 0 ? made : null;
}
