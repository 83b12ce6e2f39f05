/** Stones on the banks, pebbles on the bed: rock with faces and worn edges, no two turned alike. */

import {
  type BufferGeometry,
  Color,
  IcosahedronGeometry,
  MeshStandardMaterial,
  type Texture,
  Vector3,
} from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Lattice } from "../ground.ts";
import { dice } from "./chance.ts";
import { patchedAfter } from "./patch.ts";
import type { Manner } from "./planted.ts";

/** How a ball is cut: by so many planes; the higher the power, the sharper the edges between. */
interface Cut {
  readonly seed: number;
  readonly planes: number;
  readonly sharp: number;
}

/** A rock: a ball cut by planes whose edges are worn, flattened where it lies. */
export function rock(detail: number, { seed, planes, sharp }: Cut): BufferGeometry {
  const chance = dice(seed);
  const faces = Array.from({ length: planes }, () => {
    const [up, round] = [2 * chance() - 1, 2 * Math.PI * chance()];
    const flat = Math.sqrt(1 - up * up);
    const away = new Vector3(flat * Math.cos(round), up, flat * Math.sin(round));
    return away.divideScalar(0.62 + 0.3 * chance());
  });
  const ball = new IcosahedronGeometry(1, detail);
  ball.deleteAttribute("uv");
  ball.deleteAttribute("normal");
  const geometry = mergeVertices(ball, 1e-4);
  const place = geometry.getAttribute("position");
  const way = new Vector3();
  for (let k = 0; k < place.count; k++) {
    way.fromBufferAttribute(place, k);
    const cuts = faces.reduce((sum, face) => sum + Math.max(0, way.dot(face)) ** sharp, 1);
    const rough = 1 + 0.03 * Math.sin(9 * way.x + 7 * way.y) * Math.sin(8 * way.z + 3);
    way.multiplyScalar(rough * cuts ** (-1 / sharp));
    place.setXYZ(k, way.x, 0.8 * way.y, way.z);
  }
  geometry.computeVertexNormals();
  return geometry;
}

const SKIN = `
vec3 sides = abs(normalize(vRockNormal));
sides /= sides.x + sides.y + sides.z;
vec3 grit = texture2D(uGrain, vRock.zy * 0.9).rgb * sides.x
  + texture2D(uGrain, vRock.xz * 0.9).rgb * sides.y + texture2D(uGrain, vRock.xy * 0.9).rgb * sides.z;
vec3 stain = texture2D(uGrain, vRock.zy * 0.17).rgb * sides.x
  + texture2D(uGrain, vRock.xz * 0.17).rgb * sides.y + texture2D(uGrain, vRock.xy * 0.17).rgb * sides.z;
diffuseColor.rgb *= 0.5 + 0.55 * grit.b + 0.45 * stain.g;
float upward = normalize(vRockNormal).y;
float moss = uMoss * smoothstep(0.35, 0.9, upward + 0.9 * (stain.r - 0.5)) * smoothstep(0.42, 0.6, stain.b);
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.075, 0.11, 0.03) * (0.6 + 0.8 * grit.g), 0.75 * moss);`;

/** Rock's own skin: grains and stains by place, from three sides; moss on top where it is green. */
function skin(colour: Color, grain: Texture, moss: number, roughness: number) {
  const material = new MeshStandardMaterial({ color: colour, roughness });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { uGrain: { value: grain }, uMoss: { value: moss } });
    const varyings = "varying vec3 vRock, vRockNormal;\n";
    const vertex = patchedAfter(shader.vertexShader, "#include <common>", varyings);
    shader.vertexShader = patchedAfter(
      vertex,
      "#include <begin_vertex>",
      `vRock = (instanceMatrix * vec4(transformed, 1.0)).xyz;
       vRockNormal = mat3(instanceMatrix) * objectNormal;`,
    );
    const head = `${varyings}uniform sampler2D uGrain;\nuniform float uMoss;\n`;
    let text = patchedAfter(shader.fragmentShader, "#include <common>", head);
    text = patchedAfter(text, "#include <color_fragment>", SKIN);
    shader.fragmentShader = patchedAfter(
      text,
      "#include <normal_fragment_begin>",
      "normal = normalize(normal + 0.5 * (grit - 0.5) + 0.25 * (stain - 0.5));",
    );
  };
  material.customProgramCacheKey = () => "rock";
  return material;
}

export const STONE: Manner = {
  sunk: 0.3,
  lean: 2.6,
  stretch: (tint: number, into: Vector3) => {
    into.set(1 + 0.5 * ((7 * tint) % 1), 0.7 + 0.5 * ((13 * tint) % 1), 1);
  },
  colour: (tint: number, into: Color) => {
    into.setHSL(0.09, 0.1 * ((5 * tint) % 1), 0.62 + 0.3 * tint);
  },
};

export const PEBBLE: Manner = {
  sunk: 0.15,
  along: 0.7,
  stretch: (tint: number, into: Vector3) => {
    into.set(1.2, 0.6 + 0.3 * tint, 0.9);
  },
  colour: (tint: number, into: Color) => {
    into.setHSL(0.07 + 0.07 * ((3 * tint) % 1), 0.14, 0.5 + 0.45 * tint);
  },
};

/** What stones are made of: the land's own rock, how mossy it is, and the grain of all. */
export interface Quarry {
  readonly colour: Color;
  readonly moss: number;
  readonly grain: Texture;
}

export const stone = ({ colour, moss, grain }: Quarry): [BufferGeometry, MeshStandardMaterial] => [
  rock(3, { seed: 83, planes: 13, sharp: 16 }),
  skin(colour, grain, moss, 0.9),
];

export const pebble = ({ colour, grain }: Quarry): [BufferGeometry, MeshStandardMaterial] => [
  rock(1, { seed: 89, planes: 5, sharp: 5 }),
  skin(colour, grain, 0, 0.45),
];

/** Ground steeper than this [m/m] shows what the land is made of. */
const STEEP = 0.7;
/** Where no ground is steep. */
const USUAL = new Color(0x7d776c);

/** The mean colour of steep ground, as the land paints it. */
export function rockOf({ metres, cols, cell }: Lattice, tint: Uint8Array | null): Color {
  if (!tint) return USUAL.clone();
  const sums = [0, 0, 0];
  let count = 0;
  for (let k = cols + 1; k < metres.length - cols - 1; k += 3) {
    const of = (n: number) => metres[k + n] as number;
    if (Math.hypot(of(1) - of(-1), of(cols) - of(-cols)) < 2 * STEEP * cell) continue;
    for (let band = 0; band < 3; band++)
      sums[band] = (sums[band] as number) + (tint[4 * k + band] as number);
    count++;
  }
  if (count < 0.001 * metres.length) return USUAL.clone();
  const [red, green, blue] = sums.map((sum) => sum / count / 255) as [number, number, number];
  return new Color().setRGB(red, green, blue, "srgb").lerp(USUAL, 0.25);
}
