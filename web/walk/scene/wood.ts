/** Trees on their places: grown whole near her, with fewer leaves farther off, simple far away. */

import {
  type BufferGeometry,
  DoubleSide,
  type Material,
  MeshStandardMaterial,
  type Texture,
} from "three";
import type { Things } from "../land.ts";
import type { Part, Stage } from "../stage.ts";
import { birch, GREAT, type Habit, pine, small } from "./habits.ts";
import { birchBark, frond, strands, tuft } from "./needles.ts";
import { bark, twig } from "./paint.ts";
import { type Manner, Planted, Stand } from "./planted.ts";
import { among, atMost, type Spread } from "./spread.ts";
import { spire, spruce } from "./spruce.ts";
import { thin } from "./thin.ts";
import { crown, grow, simple } from "./tree.ts";
import { bend, type Wind } from "./wind.ts";

/** Where there are no more trees than this, all are grown whole. */
const FEW = 40;
/** How far trees are grown whole, with larger and fewer leaves, and seen at all [m]. */
const WHOLE = 34;
const FEWER = 130;
const SEEN = 900;
/** Trees end so far [m] before fine land does: there it is coarse already, and they would not stand on it. */
const FADES = 40;
/** Trees of a kind at most, whole, with fewer leaves, and simple. */
const MOST = [28, 700, 12000] as const;
/** Share of the leaves in the middle distance. */
const SHARE = 0.045;
const TREE: Manner = {
  sunk: 0.05,
  colour: (tint, into) => into.setHSL(0.1 + 0.05 * tint, 0.3, 0.62 + 0.2 * tint),
};

export interface Looks {
  readonly bark: Material;
  readonly paleBark: Material;
  readonly leaves: Material;
  readonly strands: Material;
  readonly fronds: Material;
  readonly tufts: Material;
  readonly plain: Material;
}

/** Trunk and crown at two levels of detail, and the whole as it is far away. */
interface Form {
  readonly name: string;
  readonly whole: Parts;
  readonly fewer: () => Parts;
  readonly far: () => BufferGeometry;
}

type Parts = [BufferGeometry, Material][];

export function looksOf(wind: Wind): Looks {
  const leafy = (map: Texture) => {
    const material = new MeshStandardMaterial({
      map,
      alphaTest: 0.45,
      vertexColors: true,
      side: DoubleSide,
      roughness: 0.8,
    });
    bend(material, wind, "leaf");
    thin(material);
    return material;
  };
  return {
    bark: new MeshStandardMaterial({ map: bark(), roughness: 0.95 }),
    paleBark: new MeshStandardMaterial({ map: birchBark(), roughness: 0.9 }),
    leaves: leafy(twig()),
    strands: leafy(strands()),
    fronds: leafy(frond()),
    tufts: leafy(tuft()),
    plain: new MeshStandardMaterial({ vertexColors: true, roughness: 0.95 }),
  };
}

/** Trees of `tree` and `great_tree`: one spread for each form that they grow in. */
export function trees(stage: Stage, things: Things, looks: Looks): Part[] {
  const { kind, size } = things;
  const share = stage.quality.leaves;
  if (kind === "great_tree") {
    const form = () => crowned(GREAT, share, looks.bark, looks.leaves);
    return planted(stage, () => among(stage, kind), form, size, looks.plain);
  }
  const forms = formsOf(share, looks, things.table.count <= FEW);
  const names = things.species.length > 0 ? things.species : ["broadleaf"];
  return names.flatMap((name, own) => {
    const seeds = forms[name] ?? forms.broadleaf ?? [];
    return seeds.flatMap((form, n) => {
      const suits = (tint: number, species: number) =>
        species === own && Math.floor(tint * 4099) % seeds.length === n;
      return planted(stage, () => among(stage, kind, suits), form, size, looks.plain);
    });
  });
}

/** What trees of a species grow like: no two seeds alike. */
function formsOf(
  share: number,
  looks: Looks,
  few: boolean,
): Readonly<Record<string, (() => Form)[]>> {
  const { bark, paleBark, leaves, strands, fronds, tufts } = looks;
  return {
    broadleaf: (few ? [51, 52, 53] : [51, 52]).map(
      (seed) => () => crowned(small(seed), share, bark, leaves),
    ),
    birch: [() => crowned(birch(61), share, paleBark, strands)],
    pine: [() => crowned(pine(67), share, bark, tufts)],
    conifer: [71, 72].map((seed) => () => {
      const parts = (tiers: number, round: number): Parts => {
        const { trunk, crown } = spruce(seed, tiers, round);
        return [
          [trunk, bark],
          [crown, fronds],
        ];
      };
      return { name: `spruce ${seed}`, whole: parts(19, 9), fewer: () => parts(10, 6), far: spire };
    }),
  };
}

/** A tree with a crown of cards. */
function crowned(habit: Habit, share: number, wood: Material, leaf: Material): Form {
  const tree = grow(habit);
  return {
    name: `tree ${habit.seed}`,
    whole: [
      [tree.trunk, wood],
      [crown(habit, tree, share), leaf],
    ],
    fewer: () => [
      [grow(habit, 5).trunk, wood],
      [crown(habit, tree, SHARE * share), leaf],
    ],
    far: () => simple(habit, tree),
  };
}

/** Trees of one form, if there are or may yet be any. */
function planted(
  stage: Stage,
  all: () => Spread,
  form: () => Form,
  size: number,
  plain: Material,
): Planted[] {
  const spread = all();
  const goesOn = Boolean(stage.land.about.onward);
  if (spread.count === 0 && !goesOn) return [];
  const { name, whole, fewer, far } = form();
  const grown = size / Math.max(...whole.map(([geometry]) => heightOf(geometry)));
  const stand = (parts: Parts, most: number, level: string) => {
    for (const [geometry] of parts) scaled(geometry, grown);
    const made = new Stand(parts, atMost(stage, most, spread), TREE);
    made.meshes.forEach((mesh, k) => {
      mesh.name = `${name}${level} ${k}`;
    });
    return made;
  };
  const few = spread.count <= FEW && !goesOn;
  const near = stand(whole, few ? FEW : MOST[0], "");
  if (few) return [new Planted(stage, all, [[Number.POSITIVE_INFINITY, near]], spread)];
  const stands = [
    [WHOLE, near],
    [FEWER, stand(fewer(), MOST[1], ", fewer leaves")],
    [Math.min(SEEN, stage.reach - FADES), stand([[far(), plain]], MOST[2], ", far")],
  ] as const;
  return [new Planted(stage, all, stands, spread)];
}

function heightOf(geometry: BufferGeometry): number {
  geometry.computeBoundingBox();
  return geometry.boundingBox?.max.y ?? 1;
}

function sized(geometry: BufferGeometry, size: number): BufferGeometry {
  scaled(geometry, size / heightOf(geometry));
  return geometry;
}

/** Scales a geometry, and with it where its cards' middles are. */
function scaled(geometry: BufferGeometry, by: number): void {
  geometry.scale(by, by, by);
  const middle = geometry.attributes.middle;
  if (!middle) return;
  for (let k = 0; k < middle.array.length; k++) middle.array[k] = (middle.array[k] as number) * by;
}

/** The trees that close the view: cones on sticks. */
export function farTrees(stage: Stage, things: Things, { plain }: Looks): Part {
  const all = () => among(stage, things.kind);
  const spread = all();
  const stand = new Stand([[sized(spire(), things.size), plain]], atMost(stage, MOST[2], spread), {
    sunk: 0.1,
    colour: (tint, into) => into.setHSL(0.2 + 0.08 * tint, 0.25, 0.5 + 0.3 * tint),
  });
  for (const mesh of stand.meshes) {
    mesh.name = "far trees";
    mesh.castShadow = false;
  }
  return new Planted(stage, all, [[SEEN, stand]], spread);
}
