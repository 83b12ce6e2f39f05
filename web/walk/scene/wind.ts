/** One wind for all that bends: gusts that roll over the meadow. */

import type { MeshStandardMaterial } from "three";
import { patchedAfter } from "./patch.ts";

/** Seconds of the wind; the same object is every shader's uniform. */
export type Wind = { value: number };

/** How far grass bends in a gust [m per m of height], and how far a leaf is moved [m]. */
const GRASS = [0.17, 0.102] as const;
const LEAF = [0.07, 0.042] as const;

const GUST = `
vec3 gust(vec2 place, vec2 strength) {
  float phase = 0.8 * place.x + 0.6 * place.y;
  return vec3(
    (sin(1.7 * uWind + phase) + 0.4 * sin(2.9 * uWind + 1.7 * phase)) * strength.x,
    0.0,
    cos(1.3 * uWind + 1.2 * phase) * strength.y);
}
// An instance's turn comes after the wind, which blows one way for all: it is taken back first.
vec3 intoItsFrame(vec3 push) {
  mat3 turn = mat3(instanceMatrix);
  return vec3(
    dot(turn[0], push) / length(turn[0]),
    dot(turn[1], push) / length(turn[1]),
    dot(turn[2], push) / length(turn[2]));
}`;

const BEND = {
  // A blade bends by its height, before its own scale.
  grass: `transformed += intoItsFrame(gust(instanceMatrix[3].xz,
    vec2(${GRASS.join(", ")})) * max(transformed.y, 0.0));`,
  // A leaf is moved whole, by the place of its own middle.
  leaf: `transformed += intoItsFrame(gust((instanceMatrix * vec4(middle, 1.0)).xz,
    vec2(${LEAF.join(", ")})));`,
} as const;

/** Bends the instances of a material; leaves have their card's middle as the attribute `middle`. */
export function bend(material: MeshStandardMaterial, wind: Wind, kind: keyof typeof BEND): void {
  const before = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    shader.uniforms.uWind = wind;
    const attribute = kind === "leaf" ? "attribute vec3 middle;" : "";
    const head = `uniform float uWind;\n${attribute}\n${GUST}`;
    shader.vertexShader = patchedAfter(shader.vertexShader, "#include <common>", head);
    shader.vertexShader = patchedAfter(shader.vertexShader, "#include <begin_vertex>", BEND[kind]);
  };
  const key = material.customProgramCacheKey();
  material.customProgramCacheKey = () => `${key} bends like ${kind}`;
}
