/** Spruces: tiers of branches that droop about a straight trunk, narrower towards the top. */

import { BufferAttribute, BufferGeometry, Color, CylinderGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { dice } from "./chance.ts";

/** For a tree of 8 m: its height, where branches begin, and how long the lowest are [m]. */
const HIGH = 8;
const SKIRT = 0.7;
const REACH = 2.05;
const GIRTH = 0.17;
/** Shares along a branch, how far it has dropped there, and how wide it is, by its length. */
const ALONG = [0, 0.5, 1] as const;
const DROP = [0, 0.06, 0.34] as const;
const WIDE = [0.1, 0.36, 0.16] as const;
/** Its sides hang below its middle. */
const RIDGE = 0.1;
const [DEEP, TIP] = [new Color(0x2c4229), new Color(0x6d8a4c)];

/** A trunk with bark, and all the branches: strips of 3 × 3 vertices. */
export function spruce(
  seed: number,
  tiers: number,
  round: number,
): { trunk: BufferGeometry; crown: BufferGeometry } {
  const chance = dice(seed);
  const made = new Strips(tiers * round + 3);
  for (let tier = 0; tier < tiers; tier++) {
    const up = tier / tiers;
    const y = SKIRT + (HIGH - SKIRT - 0.35) * up ** 0.92;
    const reach = REACH * (1 - up) ** 0.85 + 0.16;
    for (let n = 0; n < round; n++) {
      const way = (2 * Math.PI * (n + 0.5 * (tier % 2) + 0.5 * chance())) / round;
      made.add(y + 0.25 * (chance() - 0.5), way, reach * (0.78 + 0.4 * chance()), up, chance());
    }
  }
  for (let n = 0; n < 3; n++) made.add(HIGH - 0.45, 2.1 * n, 0.35, 1, 1);
  const trunk = new CylinderGeometry(0.02, GIRTH, HIGH, 7, 1, true).translate(0, HIGH / 2 - 0.3, 0);
  const uv = trunk.getAttribute("uv");
  for (let k = 0; k < uv.count; k++) uv.setXY(k, uv.getX(k), uv.getY(k) * 4);
  return { trunk, crown: made.geometry() };
}

/** Far away: cones in tiers with ragged skirts. */
export function spire(): BufferGeometry {
  const [sides, tiers] = [9, 5];
  const position: number[] = [];
  const color: number[] = [];
  for (let tier = 0; tier < tiers; tier++) {
    const foot = SKIRT + ((HIGH - SKIRT) * tier) / tiers;
    const top = Math.min(HIGH, foot + (1.9 * (HIGH - SKIRT)) / tiers);
    const wide = REACH * (1 - tier / tiers) ** 0.85 * 0.92 + 0.1;
    const rim = (k: number) => {
      const r = wide * (k % 2 ? 0.78 : 1);
      const way = (2 * Math.PI * (k + 0.37 * tier)) / (2 * sides);
      return [r * Math.cos(way), foot - (k % 2 ? 0 : 0.18), r * Math.sin(way)];
    };
    for (let k = 0; k < 2 * sides; k++) {
      position.push(0, top, 0, ...rim(k + 1), ...rim(k));
      const low = DEEP.clone().lerp(TIP, 0.35 * (tier / tiers));
      const high = DEEP.clone().lerp(TIP, 0.55);
      color.push(...high.toArray(), ...low.toArray(), ...low.toArray());
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(color), 3));
  geometry.computeVertexNormals();
  const stick = new CylinderGeometry(0.08, GIRTH, SKIRT + 0.6, 5, 1, true)
    .toNonIndexed()
    .translate(0, (SKIRT + 0.6) / 2 - 0.3, 0);
  stick.deleteAttribute("uv");
  const brown = new Float32Array(stick.getAttribute("position").array.length).fill(0.09);
  stick.setAttribute("color", new BufferAttribute(brown, 3));
  return mergeGeometries([geometry, stick]);
}

class Strips {
  private readonly arrays: Readonly<
    Record<"position" | "normal" | "color" | "middle", Float32Array>
  >;
  private readonly uv: Float32Array;
  private readonly corners: number[] = [];
  private count = 0;

  constructor(most: number) {
    const triples = () => new Float32Array(27 * most);
    this.arrays = { position: triples(), normal: triples(), color: triples(), middle: triples() };
    this.uv = new Float32Array(18 * most);
  }

  /** A branch at a height, so long, `up` the tree; `light` by its chance. */
  add(y: number, way: number, long: number, up: number, light: number): void {
    const out = new Vector3(Math.cos(way), 0, Math.sin(way));
    const over = new Vector3(-out.z, 0, out.x);
    const { position, normal, color, middle } = this.arrays;
    const first = 9 * this.count;
    for (let row = 0; row < 3; row++)
      for (let side = -1; side <= 1; side++) {
        const at = first + 3 * row + side + 1;
        const place = out
          .clone()
          .multiplyScalar(long * (ALONG[row] as number))
          .addScaledVector(over, side * long * (WIDE[row] as number));
        // Young branches, at the top, still rise.
        const rise = 0.55 * Math.max(0, up - 0.55) * (ALONG[row] as number);
        place.y = y - long * ((DROP[row] as number) - rise + (side === 0 ? 0 : RIDGE));
        place.toArray(position, 3 * at);
        out
          .clone()
          .multiplyScalar(0.75)
          .setY(0.55)
          .normalize()
          .toArray(normal, 3 * at);
        DEEP.clone()
          .lerp(TIP, (ALONG[row] as number) * (0.45 + 0.4 * light) + 0.15 * up)
          .toArray(color, 3 * at);
        out
          .clone()
          .multiplyScalar(long / 2)
          .setY(y)
          .toArray(middle, 3 * at);
        this.uv.set([ALONG[row] as number, (side + 1) / 2], 2 * at);
      }
    for (const row of [0, 1])
      for (const col of [0, 1]) {
        const a = first + 3 * row + col;
        this.corners.push(a, a + 3, a + 1, a + 1, a + 3, a + 4);
      }
    this.count++;
  }

  geometry(): BufferGeometry {
    const made = new BufferGeometry();
    for (const [name, array] of Object.entries(this.arrays))
      made.setAttribute(name, new BufferAttribute(array, 3));
    made.setAttribute("uv", new BufferAttribute(this.uv, 2));
    made.setIndex(this.corners);
    return made;
  }
}
