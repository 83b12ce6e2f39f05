/** Low plants of the heights and of dry land: heather, sage, cacti, tussocks of grass. */

import {
  type BufferGeometry,
  CapsuleGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  MeshStandardMaterial,
  PlaneGeometry,
  type Texture,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { blade } from "./blades.ts";
import { dice } from "./chance.ts";
import { roundNormals } from "./flowers.ts";
import { sprig } from "./needles.ts";
import { twig } from "./paint.ts";
import type { Manner } from "./planted.ts";
import { thin } from "./thin.ts";
import { bend, type Wind } from "./wind.ts";

export const HEATHER: Manner = {
  sunk: 0.06,
  along: 0.5,
  colour: (tint, into) => into.setHSL(0.08 + 0.1 * tint, 0.16, 0.55 + 0.25 * tint),
};

/** A low cushion of stems in flower. */
export function heather(): [BufferGeometry, MeshStandardMaterial] {
  const chance = dice(97);
  const parts = Array.from({ length: 30 }, () => {
    const [round, out] = [2 * Math.PI * chance(), 0.75 * Math.sqrt(chance())];
    return new PlaneGeometry(0.6, 0.5)
      .translate(0, 0.22 * (1.15 - out), 0)
      .rotateX((chance() - 0.5) * 0.8)
      .rotateY(6.3 * chance())
      .translate(out * Math.cos(round), 0, out * Math.sin(round));
  });
  return cushion(parts, sprig());
}

export const SAGE: Manner = {
  sunk: 0.08,
  colour: (tint, into) => into.setHSL(0.19 + 0.08 * tint, 0.13, 0.46 + 0.2 * tint),
};

/** A loose silver-green ball. */
export function sage(): [BufferGeometry, MeshStandardMaterial] {
  const chance = dice(101);
  const parts = Array.from({ length: 34 }, () => {
    const [round, up] = [2 * Math.PI * chance(), chance()];
    const out = 0.62 * Math.sqrt(1 - 0.6 * up * up) * (0.5 + 0.5 * chance());
    return new PlaneGeometry(0.42, 0.42)
      .rotateX(3 * chance())
      .rotateY(6 * chance())
      .translate(out * Math.cos(round), 0.1 + 0.55 * up, out * Math.sin(round));
  });
  return cushion(parts, twig());
}

function cushion(parts: BufferGeometry[], map: Texture): [BufferGeometry, MeshStandardMaterial] {
  const geometry = mergeGeometries(parts);
  roundNormals(geometry, -0.2);
  const material = new MeshStandardMaterial({
    map,
    alphaTest: 0.45,
    side: DoubleSide,
    roughness: 0.9,
  });
  thin(material);
  return [geometry, material];
}

export const CACTUS: Manner = {
  sunk: 0.12,
  lean: 0.06,
  colour: (tint, into) => into.setHSL(0.24 + 0.04 * tint, 0.3, 0.36 + 0.12 * tint),
};

/** A ribbed column with arms. */
export function cactus(): [BufferGeometry, MeshStandardMaterial] {
  const limb = (thick: number, long: number) => ribbed(new CapsuleGeometry(thick, long, 4, 22, 6));
  const arm = (way: number, y: number, long: number) => {
    const elbow = limb(0.105, 0.3)
      .rotateZ(Math.PI / 2)
      .translate(0.24, y, 0);
    const up = limb(0.105, long).translate(0.42, y + long / 2, 0);
    return [elbow.rotateY(way), up.rotateY(way)];
  };
  const parts = [limb(0.17, 2).translate(0, 1.1, 0), ...arm(0.4, 1, 0.6), ...arm(3.3, 1.25, 0.4)];
  return [
    mergeGeometries(parts),
    new MeshStandardMaterial({ vertexColors: true, roughness: 0.75 }),
  ];
}

/** Eleven ribs along an upright shape, dark between them. */
function ribbed(shape: BufferGeometry): BufferGeometry {
  const place = shape.getAttribute("position");
  const colours: number[] = [];
  for (let k = 0; k < place.count; k++) {
    const rib = Math.cos(11 * Math.atan2(place.getZ(k), place.getX(k)));
    const swell = 1 + 0.07 * rib;
    place.setXYZ(k, place.getX(k) * swell, place.getY(k), place.getZ(k) * swell);
    const light = 0.72 + 0.28 * rib;
    colours.push(light, light, 0.92 * light);
  }
  shape.setAttribute("color", new Float32BufferAttribute(colours, 3));
  shape.deleteAttribute("uv");
  return shape;
}

const [GREEN, STRAW] = [new Color(0x7f8a42), new Color(0xb7a465)];

export const TUSSOCK: Manner = {
  sunk: 0.06,
  colour: (tint, into) => into.copy(GREEN).lerp(STRAW, tint),
};

/** Long dry blades that fall outward all round. */
export function tussock(wind: Wind): [BufferGeometry, MeshStandardMaterial] {
  const chance = dice(103);
  const parts = Array.from({ length: 26 }, () =>
    blade(2)
      .scale(0.8, 0.55 + 0.4 * chance(), 1)
      .rotateX(0.15 + 0.75 * chance())
      .rotateY(2 * Math.PI * chance())
      .translate((chance() - 0.5) * 0.16, 0, (chance() - 0.5) * 0.16),
  );
  const material = new MeshStandardMaterial({
    side: DoubleSide,
    vertexColors: true,
    roughness: 0.8,
  });
  bend(material, wind, "grass");
  thin(material);
  return [mergeGeometries(parts), material];
}
