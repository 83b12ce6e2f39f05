/** Trees on their places: grown whole near her, with fewer leaves farther off, simple far away. */

import {
  type BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  type Material,
  MeshStandardMaterial,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Things } from "../land.ts";
import type { Part, Stage } from "../stage.ts";
import { bark, twig } from "./paint.ts";
import { type Manner, Planted, Stand } from "./planted.ts";
import { among, atMost, type Spread } from "./spread.ts";
import { thin } from "./thin.ts";
import { crown, GREAT, grow, type Habit, simple, small } from "./tree.ts";
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
/** Small trees are grown from so many seeds. */
const SEEDS = 3;

const TREE: Manner = {
  sunk: 0.05,
  colour: (tint, into) => into.setHSL(0.1 + 0.05 * tint, 0.3, 0.62 + 0.2 * tint),
};

export interface Looks {
  readonly bark: MeshStandardMaterial;
  readonly leaves: MeshStandardMaterial;
  readonly plain: MeshStandardMaterial;
}

export function looksOf(wind: Wind): Looks {
  const leaves = new MeshStandardMaterial({
    map: twig(),
    alphaTest: 0.45,
    vertexColors: true,
    side: DoubleSide,
    roughness: 0.8,
  });
  bend(leaves, wind, "leaf");
  thin(leaves);
  return {
    bark: new MeshStandardMaterial({ map: bark(), roughness: 0.95 }),
    leaves,
    plain: new MeshStandardMaterial({ vertexColors: true, roughness: 0.95 }),
  };
}

/** Trees of `tree` and `great_tree`: one spread for each seed they are grown from. */
export function trees(stage: Stage, things: Things, looks: Looks): Part[] {
  const { kind, size } = things;
  if (kind === "great_tree") return [planted(stage, () => among(stage, kind), GREAT, size, looks)];
  return Array.from({ length: SEEDS }, (_, n) => {
    const mine = () => among(stage, kind, (tint) => Math.floor(tint * 4099) % SEEDS === n);
    return planted(stage, mine, small(51 + n), size, looks);
  });
}

function planted(
  stage: Stage,
  all: () => Spread,
  habit: Habit,
  size: number,
  { bark, leaves, plain }: Looks,
): Planted {
  const spread = all();
  const few = spread.count <= FEW && !stage.land.about.onward;
  const tree = grow(habit);
  const share = stage.quality.leaves;
  const crowned = crown(habit, tree, share);
  crowned.computeBoundingBox();
  const grown = size / (crowned.boundingBox?.max.y ?? 1);
  const stand = (parts: [BufferGeometry, Material][], most: number, name: string) => {
    for (const [geometry] of parts) geometry.scale(grown, grown, grown);
    const made = new Stand(parts, atMost(stage, most, spread), TREE);
    made.meshes.forEach((mesh, k) => {
      mesh.name = `${name} ${habit.seed} ${k}`;
    });
    return made;
  };
  scaleMiddles(crowned, grown);
  const whole = stand(
    [
      [tree.trunk, bark],
      [crowned, leaves],
    ],
    few ? FEW : MOST[0],
    "tree",
  );
  if (few) return new Planted(stage, all, [[Number.POSITIVE_INFINITY, whole]], spread);
  const sparse = crown(habit, tree, SHARE * share);
  scaleMiddles(sparse, grown);
  const slim = grow(habit, 5);
  const fewer = stand(
    [
      [slim.trunk, bark],
      [sparse, leaves],
    ],
    MOST[1],
    "tree, fewer leaves",
  );
  const far = stand([[simple(habit, tree), plain]], MOST[2], "tree, far");
  const seen = Math.min(SEEN, stage.reach - FADES);
  const stands = [
    [WHOLE, whole],
    [FEWER, fewer],
    [seen, far],
  ] as const;
  return new Planted(stage, all, stands, spread);
}

function scaleMiddles(geometry: BufferGeometry, by: number): void {
  const middle = geometry.getAttribute("middle");
  for (let k = 0; k < middle.array.length; k++) middle.array[k] = (middle.array[k] as number) * by;
}

/** The trees that close the view: cones on sticks. */
export function farTrees(stage: Stage, things: Things, { plain }: Looks): Part {
  const all = () => among(stage, things.kind);
  const spread = all();
  const stand = new Stand([[cone(things.size), plain]], atMost(stage, MOST[2], spread), {
    sunk: 0.1,
    colour: (tint, into) => into.setHSL(0.2 + 0.08 * tint, 0.25, 0.5 + 0.3 * tint),
  });
  for (const mesh of stand.meshes) {
    mesh.name = "far trees";
    mesh.castShadow = false;
  }
  return new Planted(stage, all, [[SEEN, stand]], spread);
}

function cone(size: number): BufferGeometry {
  const colours = (geometry: BufferGeometry, low: number, high: number) => {
    const place = geometry.getAttribute("position");
    const [deep, light] = [new Color(low), new Color(high)];
    const made = Array.from({ length: place.count }, (_, k) =>
      deep
        .clone()
        .lerp(light, Math.max(0, place.getY(k) / size))
        .toArray(),
    );
    geometry.setAttribute("color", new Float32BufferAttribute(made.flat(), 3));
    return geometry;
  };
  const tier = (from: number, to: number, wide: number) =>
    colours(
      new ConeGeometry(wide * size, (to - from) * size, 9, 1, true).translate(
        0,
        ((from + to) / 2) * size,
        0,
      ),
      0x3c5528,
      0x77823c,
    );
  const stick = new CylinderGeometry(0.025 * size, 0.04 * size, 0.3 * size, 5, 1, true);
  stick.translate(0, 0.13 * size, 0);
  return mergeGeometries([
    colours(stick, 0x46352a, 0x46352a),
    tier(0.12, 0.62, 0.27),
    tier(0.42, 0.84, 0.2),
    tier(0.68, 1, 0.13),
  ]);
}
