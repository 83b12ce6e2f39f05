/** Flowers of the meadow, reeds at the water and low bushes. */

import {
  type BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  MeshStandardMaterial,
  PlaneGeometry,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { blade } from "./blades.ts";
import { dice } from "./chance.ts";
import { blossom, twig } from "./paint.ts";
import type { Manner } from "./planted.ts";
import { thin } from "./thin.ts";
import { bend, type Wind } from "./wind.ts";

const STALK = 0.62;
const HEAD = 0.17;

/** By species: white, yellow, violet. */
const HUES = [0xffffff, 0xf6cf3e, 0xb48ae6].map((hue) => new Color(hue));

export const FLOWER: Manner = {
  lean: 0.22,
  colour: (tint, into, species) =>
    into.copy(HUES[species] ?? (HUES[0] as Color)).multiplyScalar(0.8 + 0.2 * tint),
};

/** Two heads on stalks that cross: seen from anywhere, one faces you. */
export function flower(wind: Wind): [BufferGeometry, MeshStandardMaterial] {
  const head = new PlaneGeometry(HEAD, HEAD);
  const parts = [
    head.clone().rotateX(-1.1).translate(0, STALK, 0),
    head
      .clone()
      .rotateX(-0.7)
      .rotateY(2.4)
      .translate(0.13, STALK * 0.8, 0.06),
    head
      .rotateX(-0.9)
      .rotateY(4.4)
      .translate(-0.1, STALK * 0.68, 0.1),
  ];
  const geometry = mergeGeometries(parts);
  upright(geometry);
  const material = new MeshStandardMaterial({
    map: blossom(),
    alphaTest: 0.5,
    side: DoubleSide,
    roughness: 0.7,
  });
  bend(material, wind, "grass");
  thin(material);
  return [geometry, material];
}

export const REED: Manner = {
  lean: 0.12,
  sunk: 0.1,
  colour: (tint, into) => into.setHSL(0.19 + 0.05 * tint, 0.42, 0.3 + 0.12 * tint),
};

/** A tuft of long blades. */
export function reed(wind: Wind): [BufferGeometry, MeshStandardMaterial] {
  const chance = dice(23);
  const parts = Array.from({ length: 11 }, () =>
    blade()
      .scale(0.75, 1.25 + 0.6 * chance(), 1)
      .rotateX((chance() - 0.5) * 0.4)
      .rotateY(2 * Math.PI * chance())
      .translate((chance() - 0.5) * 0.35, 0, (chance() - 0.5) * 0.35),
  );
  const geometry = mergeGeometries(parts);
  const material = new MeshStandardMaterial({
    side: DoubleSide,
    vertexColors: true,
    roughness: 0.8,
  });
  bend(material, wind, "grass");
  thin(material);
  return [geometry, material];
}

export const BUSH: Manner = {
  sunk: 0.1,
  colour: (tint, into) => into.setHSL(0.2 + 0.06 * tint, 0.36, 0.34 + 0.12 * tint),
};

/** A low ball of twigs. */
export function bush(): [BufferGeometry, MeshStandardMaterial] {
  const chance = dice(29);
  const parts = Array.from({ length: 46 }, () => {
    const [round, up] = [2 * Math.PI * chance(), chance()];
    const out = 0.55 * Math.sqrt(1 - 0.7 * up * up);
    return new PlaneGeometry(0.62, 0.62)
      .rotateX(3 * chance())
      .rotateY(6 * chance())
      .translate(out * Math.cos(round), 0.15 + 0.75 * up, out * Math.sin(round));
  });
  const geometry = mergeGeometries(parts);
  roundNormals(geometry, 0.3);
  const material = new MeshStandardMaterial({
    map: twig(),
    alphaTest: 0.45,
    side: DoubleSide,
    roughness: 0.85,
  });
  thin(material);
  return [geometry, material];
}

function upright(geometry: BufferGeometry): void {
  const { count } = geometry.getAttribute("position");
  const normals = Array.from({ length: count }, () => [0, 1, 0]).flat();
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
}

/** Normals that look away from a middle at a height: a crown is lit as a ball is. */
export function roundNormals(geometry: BufferGeometry, middle: number): void {
  const place = geometry.getAttribute("position");
  const normals: number[] = [];
  for (let k = 0; k < place.count; k++) {
    const [x, y, z] = [place.getX(k), place.getY(k) - middle, place.getZ(k)];
    const length = Math.hypot(x, y, z) || 1;
    normals.push(x / length, y / length, z / length);
  }
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
}
