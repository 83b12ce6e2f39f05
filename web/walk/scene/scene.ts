/** Everything that a walk's data puts on the stage, in the order in which it may rely on the rest. */

import { type BufferGeometry, type Material, Vector3 } from "three";
import type { Things } from "../land.ts";
import type { Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import { Air } from "./air.ts";
import { BLADE, blade, bladeMaterial } from "./blades.ts";
import { BUSH, bush, FLOWER, flower, REED, reed } from "./flowers.ts";
import { Lakes } from "./lakes.ts";
import { Meadow } from "./meadow.ts";
import { FallingLeaves, Pollen } from "./motes.ts";
import { grain } from "./paint.ts";
import { type Manner, Planted, Stand } from "./planted.ts";
import { Clouds, Shafts } from "./sky.ts";
import { COLUMNS, Spread } from "./spread.ts";
import { stillWater } from "./still.ts";
import { PEBBLE, pebble, STONE, stone } from "./stones.ts";
import { Streams } from "./stream.ts";
import { Terrain } from "./terrain.ts";
import type { Wind } from "./wind.ts";
import { farTrees, looksOf, trees } from "./wood.ts";

/** What small things look like, how far they are seen [m], and how many are drawn at most. */
interface Kind {
  readonly model: (wind: Wind) => [BufferGeometry, Material];
  readonly manner: Manner;
  readonly seen: number;
  readonly most: number;
  readonly casts: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  bush: { model: bush, manner: BUSH, seen: 90, most: 1500, casts: true },
  flower: { model: flower, manner: FLOWER, seen: 60, most: 4000, casts: false },
  reed: { model: reed, manner: REED, seen: 70, most: 1500, casts: false },
  stone: { model: stone, manner: STONE, seen: 110, most: 1200, casts: true },
  pebble: { model: pebble, manner: PEBBLE, seen: 40, most: 2500, casts: false },
};

/** Round things reach below what they rest on; `size` is how high they are above their foot. */
const HEIGHT_OF_GRASS = 1.05;

export function dress(stage: Theatre): void {
  const wind: Wind = { value: 0 };
  const grains = grain();
  const tint = stage.land.layers.tint?.data as Uint8Array | undefined;
  const air = new Air(stage);
  const ground = new Terrain(stage, stage.terrain.lattice, tint ?? null, grains);
  const { lattice, levels } = stage.terrain;
  const still = levels && stillWater(lattice, levels, stage.rivers);
  const waters = { fine: stage.quality.fine, wind, grain: grains, bed: ground.sheet };
  const parts: (Part | null)[] = [
    clock(wind, grains),
    air,
    ground,
    still && new Lakes(stage, lattice, still, ground, waters),
    stage.rivers.all.length > 0 ? new Streams(stage, still, waters) : null,
    new Clouds(stage),
    new Pollen(stage, wind),
    ...grass(stage, wind),
    ...planted(stage, wind),
    ...wooded(stage, wind, air),
  ];
  for (const part of parts) if (part) stage.add(part);
}

/** The wind's time is the scene's. */
function clock(wind: Wind, grains: { dispose(): void }): Part {
  return {
    tick(seconds) {
      wind.value = seconds;
    },
    dispose: () => grains.dispose(),
  };
}

function grass(stage: Theatre, wind: Wind): Part[] {
  const { patch, scatter } = stage.land;
  if (patch) return [new Meadow(stage, patch, wind)];
  return scatter
    .filter(({ kind }) => kind === "grass")
    .map((things) => {
      const rows = things.table.only(COLUMNS);
      const some = rows.subarray(0, stage.quality.blades * COLUMNS.length);
      const spread = new Spread(some);
      const geometry = scaled(blade(), things.size / HEIGHT_OF_GRASS);
      const stand = new Stand([[geometry, bladeMaterial(wind)]], spread.count, BLADE);
      return standing(stage, spread, stand, "grass", Number.POSITIVE_INFINITY, false);
    });
}

function planted(stage: Theatre, wind: Wind): Part[] {
  return stage.land.scatter.flatMap((things) => {
    const kind = KINDS[things.kind];
    if (!kind) return [];
    const spread = new Spread(things.table.only(COLUMNS));
    const [geometry, material] = kind.model(wind);
    const high = heightOf(geometry);
    const most = Math.min(kind.most, spread.count);
    const stand = new Stand([[scaled(geometry, things.size / high), material]], most, {
      ...kind.manner,
      sunk: ((kind.manner.sunk ?? 0) * things.size) / high,
    });
    const seen = spread.count <= kind.most ? Number.POSITIVE_INFINITY : kind.seen;
    return [standing(stage, spread, stand, things.kind, seen, kind.casts)];
  });
}

function standing(
  stage: Theatre,
  spread: Spread,
  stand: Stand,
  name: string,
  seen: number,
  casts: boolean,
): Part {
  for (const mesh of stand.meshes) {
    mesh.name = name;
    mesh.castShadow = casts;
  }
  return new Planted(stage, spread, [[seen, stand]]);
}

/** Trees; through and from the greatest falls light, and fall leaves. */
function wooded(stage: Theatre, wind: Wind, air: Air): Part[] {
  const looks = looksOf(wind);
  return stage.land.scatter.flatMap((things) => {
    if (things.kind === "far_tree") return [farTrees(stage, things, looks)];
    if (things.kind === "tree") return trees(stage, things, looks);
    if (things.kind === "great_tree")
      return [...trees(stage, things, looks), ...underTheGreatest(stage, things, air)];
    return [];
  });
}

function underTheGreatest(stage: Theatre, things: Things, air: Air): Part[] {
  const [x = 0, z = 0, scale = 1] = things.table.only(COLUMNS);
  const high = things.size * scale;
  const crown = new Vector3(x, stage.ground.height(x, z) + 0.62 * high, z);
  const from = crown.clone().setY(crown.y + 0.12 * high);
  return [new Shafts(stage, air, crown, high), new FallingLeaves(stage, from, 0.36 * high)];
}

function heightOf(geometry: BufferGeometry): number {
  geometry.computeBoundingBox();
  return geometry.boundingBox?.max.y ?? 1;
}

function scaled(geometry: BufferGeometry, by: number): BufferGeometry {
  return geometry.scale(by, by, by);
}
