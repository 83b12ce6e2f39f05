/** What the ground looks like: soil, rock in layers, scree, gravel and wet sand by the water. */

import type { Color, MeshStandardMaterial, Texture } from "three";
import type { FarSheet } from "./horizon.ts";
import { patchedAfter } from "./patch.ts";
import { GROWN, MELTS, NEARNESS } from "./sheet.ts";
import { ABOVE, BELOW } from "./shores.ts";

/** What the ground is made of. */
export interface Soil {
  readonly grain: Texture;
  readonly rock: Color;
  /** 0 for green land to 1 for desert: its rock is red and layered. */
  readonly arid: number;
}

/** What changes with the window: textures, null where there are none. */
export interface Laid {
  readonly slopes: { value: Texture | null };
  /** The land's colours, in their alpha how densely grass grows. */
  readonly tint: { value: Texture | null };
  readonly shores: { value: Texture | null };
}

const HEAD = `
uniform sampler2D uSlopes, uTint, uGrain, uShores;
uniform vec4 uLattice;
uniform vec2 uMiddle;
uniform vec3 uRock;
uniform float uArid;
varying vec2 vPlace;
varying float vHigh;
vec2 placed() { return (vPlace - 0.5) * uLattice.xy * uLattice.z + uMiddle; }`;

const UPRIGHT = `
ivec2 middle = min(ivec2(tile.xy) + ivec2(position.xz) * int(tile.z) - int(uLattice.w),
  ivec2(uLattice.xy) + int(uLattice.w) - 1);
objectNormal = normalize(vec3(
  heightOf(middle - ivec2(1, 0)) - heightOf(middle + ivec2(1, 0)), 2.0 * uLattice.z,
  heightOf(middle - ivec2(0, 1)) - heightOf(middle + ivec2(0, 1))));`;

const FAR_HEAD = `
uniform sampler2D uFarTint, uFarSlopes;
uniform vec4 uFarLattice;
uniform vec2 uFarMiddle;
${GROWN}
vec2 onFar(vec2 p) { return (p - uFarMiddle) / (uFarLattice.xy * uFarLattice.z) + 0.5; }`;

const CUT = `
float within = nearness(placed());
if (within < 0.0) discard;
float share = 1.0 - smoothstep(0.0, ${MELTS}.0, within);`;

const FAR_LEAN = `
lean = mix(lean, texture2D(uFarSlopes, onFar(metres)).rg * 2.0 - 1.0, share);`;

const FAR_COLOURS = `
land = mix(land, grown(texture2D(uFarTint, onFar(metres)).rgb), share);`;

/** Grain at several sizes, each from two turned layers in turns, so that no tile is seen. */
const grains = (far: string) => `
vec2 metres = placed();
vec2 turned = mat2(0.8, -0.6, 0.6, 0.8) * metres;
vec3 coarse = texture2D(uGrain, turned * 0.011).rgb;
float which = smoothstep(0.38, 0.62, coarse.r);
vec3 fine = mix(texture2D(uGrain, metres * 0.61), texture2D(uGrain, turned * 0.47), which).rgb;
vec3 middle = mix(texture2D(uGrain, metres * 0.083), texture2D(uGrain, turned * 0.061), which).rgb;
vec2 lean = texture2D(uSlopes, vPlace).rg * 2.0 - 1.0;${far}
float upright = sqrt(max(1.0 - dot(lean, lean), 0.01));
float rocky = smoothstep(0.87, 0.76, upright + 0.16 * (middle.b - 0.5) + 0.07 * (fine.b - 0.5));
float scree = smoothstep(0.95, 0.86, upright + 0.08 * (middle.r - 0.5)) * (1.0 - rocky);
vec2 side = vec2(abs(lean.x) > abs(lean.y) ? metres.y : metres.x, vHigh);
vec3 cliff = texture2D(uGrain, side * 0.23).rgb;
vec3 cracks = texture2D(uGrain, side * vec2(0.7, 0.13)).rgb;`;

/** Rock lies in layers, which waver; hard ones pale, soft ones dark. */
const ROCK = `
float depth = vHigh + 9.0 * (coarse.g - 0.5) + 1.6 * (middle.r - 0.5);
float thick = texture2D(uGrain, vec2(0.31, depth * 0.017)).b;
float thin = texture2D(uGrain, vec2(0.71, depth * 0.11)).g;
float layered = 0.6 * thick + 0.4 * thin;
vec3 stone = uRock * mix(1.0, 0.35 + 1.3 * layered, 0.3 + 0.7 * uArid);
stone *= mix(vec3(1.0), mix(vec3(0.92, 0.8, 0.74), vec3(1.12, 1.04, 0.92), thick), uArid);
stone *= 0.5 + 0.6 * cliff.b + 0.45 * cracks.g;`;

const COLOURS = `
vec2 waver = (middle.rg - 0.5 + 0.5 * (fine.rg - 0.5)) * 0.7 / (uLattice.xy * max(uLattice.z, 0.5));
vec4 tinted = texture2D(uTint, vPlace + waver);
float snow = smoothstep(0.5, 0.72, min(tinted.r, tinted.b) + 0.25 * (middle.g - 0.5));
vec3 meadow = mix(vec3(0.055, 0.12, 0.02), vec3(0.13, 0.21, 0.045), 0.6 * middle.g + 0.7 * (texture2D(uGrain, turned * 1.9).r - 0.28));
meadow *= 0.72 + 0.6 * texture2D(uGrain, metres * vec2(2.3, 1.1)).g;
vec3 land = tinted.rgb * mix(vec3(1.0), vec3(1.0, 0.85, 0.66), uArid);
land = mix(land, meadow, 0.8 * tinted.a * (1.0 - snow));
land *= 0.72 + 0.30 * fine.b + 0.22 * middle.b + 0.12 * coarse.b;
land *= 1.0 + 0.10 * vec3(coarse.r - 0.5, 0.0, 0.5 - coarse.g);`;

const BARE = `
float tufted = tinted.a * (1.0 - snow);
land = mix(land, land * 0.35 + 0.65 * uRock * (0.45 + 1.0 * fine.g * fine.r * 2.0), 0.75 * scree * (1.0 - 0.8 * tufted) * (1.0 - snow));
land = mix(land, stone, rocky * (1.0 - snow * smoothstep(0.72, 0.8, upright)));
land = mix(land * 0.8, vec3(0.4, 0.44, 0.5) * (0.8 + 0.16 * middle.b + 0.14 * fine.g), snow * (1.0 - rocky));
float above = texture2D(uShores, vPlace).r * ${BELOW + ABOVE}.0 - ${BELOW}.0;
float gravelly = (1.0 - smoothstep(0.1, 0.75, above + 0.5 * (middle.g - 0.5))) * (1.0 - rocky);
vec3 gravel = mix(uRock, vec3(0.37, 0.31, 0.22), 0.55) * (0.35 + 0.9 * fine.b * fine.b + 0.35 * middle.r);
land = mix(land, gravel, 0.9 * gravelly);
wet = 1.0 - smoothstep(0.0, 0.22, above + 0.12 * (fine.g - 0.5));
land *= 1.0 - 0.52 * wet;`;

const NORMALS = `
vec3 rough = (fine - 0.5) * (0.16 + 0.5 * max(rocky, scree)) + (middle - 0.5) * 0.22;
rough += rocky * 0.9 * (cliff - 0.5) + rocky * 0.4 * (cracks - 0.5);
vec3 upward = normalize(vec3(lean.x, upright, lean.y) + vec3(rough.x, 0.0, rough.y));
normal = normalize((viewMatrix * vec4(upward, 0.0)).xyz);
nonPerturbedNormal = normal;`;

/** Paints the ground, which is raised already. */
export function paintGround(
  material: MeshStandardMaterial,
  laid: Laid,
  soil: Soil,
  far: FarSheet | null,
): void {
  const before = material.onBeforeCompile;
  const [coloured, shored] = [laid.tint.value !== null, laid.shores.value !== null];
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    Object.assign(shader.uniforms, far?.painted, {
      uSlopes: laid.slopes,
      uTint: laid.tint,
      uShores: laid.shores,
      uGrain: { value: soil.grain },
      uRock: { value: soil.rock },
      uArid: { value: soil.arid },
    });
    let vertex = patchedAfter(shader.vertexShader, "#include <common>", "varying float vHigh;");
    vertex = patchedAfter(vertex, "#include <beginnormal_vertex>", UPRIGHT);
    shader.vertexShader = patchedAfter(
      vertex,
      "transformed = raised(position.xz);",
      "vHigh = transformed.y;",
    );
    const head = HEAD + (far ? FAR_HEAD + NEARNESS : "");
    let text = patchedAfter(shader.fragmentShader, "#include <common>", head);
    text = patchedAfter(text, "#include <clipping_planes_fragment>", far ? CUT : "");
    const bare = shored ? ROCK + BARE : "";
    const colours = `${COLOURS}${bare}${far ? FAR_COLOURS : ""}\ndiffuseColor.rgb = land;`;
    text = patchedAfter(
      text,
      "#include <color_fragment>",
      `float wet = 0.0;${grains(far ? FAR_LEAN : "")}${coloured ? colours : ""}`,
    );
    text = patchedAfter(
      text,
      "#include <roughnessmap_fragment>",
      "roughnessFactor = mix(roughnessFactor, 0.5, wet);",
    );
    shader.fragmentShader = patchedAfter(text, "#include <normal_fragment_begin>", NORMALS);
  };
  material.customProgramCacheKey = () => `ground ${coloured} ${shored} ${far !== null}`;
}
