/** Everything that a walk's data puts on the stage, in the order in which it may rely on the rest. */

import { type BufferGeometry, Color, type Material, Vector3 } from "three";
import type { Things } from "../land.ts";
import type { Later, Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import { Air } from "./air.ts";
import { BLADE, blade, bladeMaterial } from "./blades.ts";
import { BUSH, bush, FLOWER, flower, REED, reed } from "./flowers.ts";
import { Horizon } from "./horizon.ts";
import { Lakes } from "./lakes.ts";
import { Meadow } from "./meadow.ts";
import { FallingLeaves, Pollen } from "./motes.ts";
import { grain } from "./paint.ts";
import { type Manner, Planted, Stand } from "./planted.ts";
import { CACTUS, cactus, HEATHER, heather, SAGE, sage, TUSSOCK, tussock } from "./scrub.ts";
import { Clouds, Shafts } from "./sky.ts";
import { among, atMost, COLUMNS, Spread } from "./spread.ts";
import { PEBBLE, pebble, type Quarry, rockOf, STONE, stone } from "./stones.ts";
import { Streams } from "./stream.ts";
import { Terrain } from "./terrain.ts";
import type { Wind } from "./wind.ts";
import { farTrees, type Looks, looksOf, trees } from "./wood.ts";

/** What small things look like, how far they are seen [m], and how many are drawn at most. */
interface Kind {
  readonly model: (wind: Wind, quarry: Quarry) => [BufferGeometry, Material];
  readonly manner: Manner;
  readonly seen: number;
  readonly most: number;
  readonly casts: boolean;
  /** How high it is beside its kind. */
  readonly high?: number;
}

/** By kind or, where species differ in form, by the species. */
const KINDS: Readonly<Record<string, Kind>> = {
  leafy: { model: bush, manner: BUSH, seen: 90, most: 1200, casts: true },
  heather: { model: heather, manner: HEATHER, seen: 70, most: 1200, casts: false, high: 0.34 },
  sage: { model: sage, manner: SAGE, seen: 110, most: 1200, casts: true, high: 0.6 },
  cactus: { model: cactus, manner: CACTUS, seen: 160, most: 500, casts: true, high: 1.9 },
  tussock: { model: tussock, manner: TUSSOCK, seen: 80, most: 1400, casts: false, high: 0.5 },
  flower: { model: flower, manner: FLOWER, seen: 60, most: 4000, casts: false },
  reed: { model: reed, manner: REED, seen: 70, most: 1500, casts: false },
  stone: { model: (_, quarry) => stone(quarry), manner: STONE, seen: 110, most: 1200, casts: true },
  pebble: {
    model: (_, quarry) => pebble(quarry),
    manner: PEBBLE,
    seen: 40,
    most: 2500,
    casts: false,
  },
};

/** Round things reach below what they rest on; `size` is how high they are above their foot. */
const HEIGHT_OF_GRASS = 1.05;

/** Bushes of deserts, and what the rock there tends to. */
const DRY = new Set(["sage", "cactus"]);
const DESERT = new Color(0xa4623c);

export function dress(stage: Theatre): void {
  const wind: Wind = { value: 0 };
  const grains = grain();
  const air = new Air(stage);
  const { beyond, still, lattice, colours } = stage.window;
  const arid = aridOf(stage.land.scatter);
  const rock = rockOf(lattice, colours).lerp(DESERT, 0.6 * arid);
  const quarry: Quarry = { colour: rock, moss: mossOf(colours), grain: grains };
  const horizon = beyond && new Horizon(stage, beyond);
  const ground = new Terrain(stage, horizon, { grain: grains, rock, arid });
  horizon?.standRound(ground.fine);
  const waters = { fine: stage.quality.fine, wind, grain: grains, bed: ground.sheet };
  const goesOn = Boolean(stage.land.about.onward);
  const parts: (Part | null)[] = [
    clock(wind, grains),
    air,
    ground,
    horizon,
    still || goesOn ? new Lakes(stage, ground, waters) : null,
    stage.rivers.all.length > 0 || goesOn ? new Streams(stage, waters) : null,
    new Clouds(stage),
    new Pollen(stage, wind),
    ...grass(stage, wind),
    new Growing(stage, wind, air, quarry),
  ];
  for (const part of parts) if (part) stage.add(part);
}

/** What stands in the windows, kind by kind: a kind that was nowhere yet comes with the first window it is in. */
class Growing implements Part {
  private readonly kinds = new Set<string>();
  private readonly parts: Part[] = [];
  private readonly grow: (things: Things) => Part[];
  private readonly stage: Theatre;

  constructor(stage: Theatre, wind: Wind, air: Air, quarry: Quarry) {
    this.stage = stage;
    const looks = looksOf(wind);
    this.grow = (things) => [
      ...planted(stage, things, wind, quarry),
      ...wooded(stage, things, looks, air),
    ];
    this.look((job) => job());
  }

  tick(seconds: number, dt: number): void {
    for (const part of this.parts) part.tick(seconds, dt);
  }

  renew(later: Later): void {
    for (const part of this.parts) part.renew?.(later);
    this.look(later);
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  private look(later: Later): void {
    for (const things of this.stage.land.scatter) {
      if (this.kinds.has(things.kind)) continue;
      this.kinds.add(things.kind);
      later(() => this.parts.push(...this.grow(things)));
    }
  }
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
      const some = things.table.only(COLUMNS).subarray(0, stage.quality.blades * COLUMNS.length);
      const spread = new Spread(some);
      const geometry = scaled(blade(), things.size / HEIGHT_OF_GRASS);
      const stand = new Stand([[geometry, bladeMaterial(wind)]], spread.count, BLADE);
      return standing(stage, () => spread, stand, "grass", Number.POSITIVE_INFINITY, false, spread);
    });
}

function planted(stage: Theatre, things: Things, wind: Wind, quarry: Quarry): Part[] {
  const { kind, size } = things;
  if (KINDS[kind]) return small(stage, wind, quarry, kind, size, () => among(stage, kind));
  const species = things.species.length > 0 ? things.species : kind === "bush" ? ["leafy"] : [];
  return species.flatMap((name, own) => {
    const all = () => among(stage, kind, (_, species) => species === own);
    return KINDS[name] ? small(stage, wind, quarry, name, size, all) : [];
  });
}

/** Small things that look alike, if there are or may yet be any. */
function small(
  stage: Theatre,
  wind: Wind,
  quarry: Quarry,
  name: string,
  size: number,
  all: () => Spread,
): Part[] {
  const kind = KINDS[name] as Kind;
  const spread = all();
  if (spread.count === 0 && !stage.land.about.onward) return [];
  const [geometry, material] = kind.model(wind, quarry);
  const grown = ((kind.high ?? 1) * size) / heightOf(geometry);
  const most = atMost(stage, kind.most, spread);
  const stand = new Stand([[scaled(geometry, grown), material]], most, {
    ...kind.manner,
    sunk: (kind.manner.sunk ?? 0) * grown,
  });
  const seen = most === spread.count ? Number.POSITIVE_INFINITY : kind.seen;
  return [standing(stage, all, stand, name, seen, kind.casts, spread)];
}

/** How mossy stones are, 0 to 1: as green as the land is. */
function mossOf(colours: Uint8Array | null): number {
  if (!colours) return 0.5;
  let sum = 0;
  for (let k = 3; k < colours.length; k += 28) sum += colours[k] as number;
  return Math.min(1, (1.3 * 28 * sum) / (255 * colours.length));
}

/** How dry the land is, 0 to 1: the share of its bushes that grow in deserts. */
function aridOf(scatter: readonly Things[]): number {
  const bushes = scatter.find(({ kind }) => kind === "bush");
  if (!bushes || bushes.table.count === 0) return 0;
  const species = bushes.table.only(["species"]);
  const dry = species.reduce((sum, n) => sum + (DRY.has(bushes.species[n] ?? "") ? 1 : 0), 0);
  return dry / species.length;
}

function standing(
  stage: Theatre,
  all: () => Spread,
  stand: Stand,
  name: string,
  seen: number,
  casts: boolean,
  spread: Spread,
): Part {
  for (const mesh of stand.meshes) {
    mesh.name = name;
    mesh.castShadow = casts;
  }
  return new Planted(stage, all, [[seen, stand]], spread);
}

/** Trees; through and from the greatest falls light, and fall leaves. */
function wooded(stage: Theatre, things: Things, looks: Looks, air: Air): Part[] {
  if (things.kind === "far_tree") return [farTrees(stage, things, looks)];
  if (things.kind === "tree") return trees(stage, things, looks);
  if (things.kind === "great_tree")
    return [...trees(stage, things, looks), ...underTheGreatest(stage, things, air)];
  return [];
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
