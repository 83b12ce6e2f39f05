/** Grass: every blade one instance of one mesh, bent by the wind; one draw call. */

import {
  type BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  MeshStandardMaterial,
  PlaneGeometry,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { dice } from "./chance.ts";
import type { Manner } from "./planted.ts";
import { thin } from "./thin.ts";
import { bend, type Wind } from "./wind.ts";

const WIDE = 0.085;
const HIGH = 1.05;
const SEGMENTS = 3;
/** Blades of a tuft, and how high they are beside a blade alone. */
const TUFT = 5;
const LOW = 0.56;

/** A blade rooted at the origin: it tapers, curves forward, and is brighter towards its tip. */
export function blade(segments = SEGMENTS): BufferGeometry {
  const geometry = new PlaneGeometry(WIDE, HIGH, 1, segments).translate(0, HIGH / 2, 0);
  const place = geometry.getAttribute("position");
  const colours: number[] = [];
  const normals: number[] = [];
  for (let k = 0; k < place.count; k++) {
    const up = place.getY(k) / HIGH;
    place.setXYZ(k, place.getX(k) * (1 - 0.85 * up), place.getY(k), 0.32 * up * up);
    const light = 0.5 + 0.65 * up;
    colours.push(light, light, light);
    // Lit as the meadow is, not as a thousand mirrors; a little rounder than flat.
    const side = Math.sign(place.getX(k)) * 0.35;
    normals.push(side, 0.9, -0.25);
  }
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  geometry.deleteAttribute("uv");
  return geometry;
}

/** Some lower blades that lean apart: what grows on land where blades are not counted. */
export function tuft(): BufferGeometry {
  const chance = dice(31);
  const parts = Array.from({ length: TUFT }, (_, n) =>
    blade(2)
      .scale(0.4, LOW * (0.55 + 0.6 * chance()), 0.9 * LOW)
      .rotateX(0.05 + 0.3 * chance())
      .rotateY((2 * Math.PI * (n + chance())) / TUFT)
      .translate((chance() - 0.5) * 0.4, 0, (chance() - 0.5) * 0.4),
  );
  return mergeGeometries(parts);
}

export function bladeMaterial(wind: Wind): MeshStandardMaterial {
  const material = new MeshStandardMaterial({
    side: DoubleSide,
    vertexColors: true,
    roughness: 0.75,
  });
  bend(material, wind, "grass");
  thin(material);
  return material;
}

const [DEEP, FRESH, STRAW] = [new Color(0x42661f), new Color(0x86a23c), new Color(0xb9a95a)];

/** Each blade has its own colour: mostly fresh green, some deep, a few dry; more where `dry`, 0 to 1. */
export function bladeColour(tint: number, into: Color, dry = 0): void {
  if (tint < 0.9) into.copy(DEEP).lerp(FRESH, tint / 0.9);
  else into.copy(FRESH).lerp(STRAW, (tint - 0.9) * 9);
  into.lerp(STRAW, dry);
}

export const BLADE: Manner = { sunk: 0.04, colour: (tint, into) => bladeColour(tint, into) };
