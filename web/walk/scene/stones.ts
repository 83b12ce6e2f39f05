/** Stones on the banks, pebbles on the bed: lumps of rock, no two turned alike. */

import {
  type BufferGeometry,
  type Color,
  IcosahedronGeometry,
  MeshStandardMaterial,
  type Vector3,
} from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Manner } from "./planted.ts";

/** A lump: a ball with bumps, flattened where it lies. */
function lump(detail: number, rough: number): BufferGeometry {
  const ball = new IcosahedronGeometry(1, detail);
  ball.deleteAttribute("uv");
  ball.deleteAttribute("normal");
  const geometry = mergeVertices(ball, 1e-4);
  const place = geometry.getAttribute("position");
  for (let k = 0; k < place.count; k++) {
    const [x, y, z] = [place.getX(k), place.getY(k), place.getZ(k)];
    const bump =
      1 +
      rough *
        (0.6 * Math.sin(2.3 * x + 1.7 * y + 0.4) * Math.sin(2.9 * z - 1.1 * x + 1.3) +
          0.4 * Math.sin(5.1 * y + 3.7 * z) * Math.sin(4.3 * x + 2.2));
    place.setXYZ(k, x * bump, y * bump * 0.72, z * bump);
  }
  geometry.computeVertexNormals();
  return geometry;
}

const rock = () => new MeshStandardMaterial({ roughness: 0.88 });
const wet = () => new MeshStandardMaterial({ roughness: 0.45 });

export const STONE: Manner = {
  sunk: 0.22,
  lean: 0.35,
  stretch: (tint: number, into: Vector3) => {
    into.set(1 + 0.5 * ((7 * tint) % 1), 0.7 + 0.5 * ((13 * tint) % 1), 1);
  },
  colour: (tint: number, into: Color) => {
    into.setHSL(0.08 + 0.06 * tint, 0.06 + 0.05 * ((5 * tint) % 1), 0.26 + 0.2 * tint);
  },
};

export const PEBBLE: Manner = {
  sunk: 0.15,
  along: 0.7,
  stretch: (tint: number, into: Vector3) => {
    into.set(1.2, 0.6 + 0.3 * tint, 0.9);
  },
  colour: (tint: number, into: Color) => {
    into.setHSL(0.07 + 0.07 * ((3 * tint) % 1), 0.12, 0.22 + 0.34 * tint);
  },
};

export const stone = (): [BufferGeometry, MeshStandardMaterial] => [lump(2, 0.34), rock()];
export const pebble = (): [BufferGeometry, MeshStandardMaterial] => [lump(1, 0.16), wet()];
