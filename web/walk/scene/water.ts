/** Water that is seen through: one material for streams, lakes and the sea. */

import { Color, MeshPhysicalMaterial, ShaderChunk, type Texture } from "three";
import { patched, patchedAfter } from "./patch.ts";
import type { Sheet } from "./sheet.ts";
import type { Wind } from "./wind.ts";

/** How the water moves: three waves of place and time. Length [rad/m], pace [rad/s], height [m]. */
const RIPPLES = `
float ripple(vec2 p, float t) {
  return 0.014 * sin(1.9 * p.x + 0.7 * p.y + 1.6 * t)
    + 0.010 * sin(-1.1 * p.x + 2.3 * p.y + 2.1 * t)
    + 0.006 * sin(3.1 * p.x + 3.7 * p.y - 2.9 * t);
}
vec2 rippled(vec2 p, float t) {
  const float e = 0.05;
  return vec2(
    ripple(p - vec2(e, 0.0), t) - ripple(p + vec2(e, 0.0), t),
    ripple(p - vec2(0.0, e), t) - ripple(p + vec2(0.0, e), t)) / (2.0 * e);
}`;

/** How deep the water is at a place, by the bed's own heights: shores are as sharp as the bed. */
const BED = `
uniform highp sampler2D uBed;
uniform vec4 uBedLattice;
uniform vec2 uBedMiddle;
float bedAt(vec2 p) {
  vec2 at = clamp((p - uBedMiddle) / uBedLattice.z + 0.5 * (uBedLattice.xy - 1.0), vec2(0.0), uBedLattice.xy - 1.001);
  ivec2 c = ivec2(at);
  vec2 f = at - vec2(c);
  vec2 west = vec2(texelFetch(uBed, c, 0).r, texelFetch(uBed, c + ivec2(0, 1), 0).r);
  vec2 east = vec2(texelFetch(uBed, c + ivec2(1, 0), 0).r, texelFetch(uBed, c + 1, 0).r);
  vec2 across = mix(west, east, f.x);
  return mix(across.x, across.y, f.y);
}`;

/**
 * What drifts with the flow, in turns: each goes a little way and begins again while the other is seen,
 * so that nothing is torn where fast water runs beside slow.
 */
const DRIFT = `
const float TURN = 3.0;
vec3 drifting(vec2 p, vec2 flow, float t) {
  float turn = fract(t / TURN);
  float other = fract(turn + 0.5);
  vec3 one = texture2D(uGrain, p - flow * TURN * (turn - 0.5)).rgb;
  vec3 two = texture2D(uGrain, p - flow * TURN * (other - 0.5) + 0.37).rgb;
  return mix(one, two, abs(2.0 * turn - 1.0));
}`;

/** Shallows are clear, depths dark; foam where water is swift, and where waves run out on a shore. */
const COLOUR = `
float murk = 1.0 - exp(-1.1 * deep);
float swift = smoothstep(1.4, 3.4, length(vFlow));
vec2 along = normalize(vFlow + 1e-5);
vec2 streaks = vec2(dot(vWater, along) * 0.55, dot(vWater, vec2(-along.y, along.x)) * 1.7);
vec2 hurry = vec2(length(vFlow) * 0.55, 0.0);
float froth = 0.55 * drifting(streaks, hurry, uSeconds).g
  + 0.45 * drifting(2.9 * streaks.yx, 2.9 * hurry.yx, uSeconds).b;
float lap = 0.5 + 0.5 * sin(1.1 * uSeconds - 9.0 * deep + 5.0 * froth);
float edge = (1.0 - smoothstep(0.02, 0.16, deep)) * (0.25 + 0.5 * lap * uSurf + 0.5 * swift);
edge += uSurf * 0.55 * smoothstep(0.75, 1.0, lap) * (1.0 - smoothstep(0.1, 0.9, deep));
float foam = smoothstep(0.62 - 0.24 * swift, 0.9 - 0.24 * swift, froth + 0.3 * edge);
foam = clamp(0.85 * foam * max(swift, edge), 0.0, 0.8);`;

const PLAIN = `
diffuseColor.rgb = mix(vec3(0.07, 0.17, 0.14), vec3(0.012, 0.062, 0.075), murk);
diffuseColor.a = mix(0.22, 0.96, murk) * smoothstep(0.0, 0.05, deep);`;
const FOAMED = `
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.82, 0.86, 0.86), foam);
diffuseColor.a = max(diffuseColor.a, foam);`;

/** Waves and finer ones, which are lost with distance: what is smaller than a pixel does not glint. */
const WAVES = `
float closer = 1.0 / (1.0 + 0.0016 * dot(vViewPosition, vViewPosition));
vec2 lean = rippled(vWater, uSeconds) * (0.25 + 0.75 * closer);
vec2 small = drifting(0.21 * vWater, 0.21 * vFlow, uSeconds).rg
  + drifting(0.33 * vWater.yx, 0.23 * vFlow.yx, uSeconds).gb - 1.0;
lean += small * (0.04 + 0.17 * closer) * (0.7 + 1.6 * swift);
normal = normalize((viewMatrix * vec4(lean.x, 1.0, lean.y, 0.0)).xyz);`;

/** What the sky mirrors hides the bed, and no glint is so bright that it blinds. */
const LAST = `
float mirror = pow(1.0 - saturate(dot(normal, normalize(vViewPosition))), 4.0);
diffuseColor.a = max(diffuseColor.a, mirror * smoothstep(0.0, 0.05, deep));
outgoingLight = min(outgoingLight, vec3(5.0));`;

const THICK = patched(
  patched(
    ShaderChunk.transmission_fragment,
    "material.thickness = thickness;",
    "material.thickness = thickness * clamp(deep, 0.0, 5.0);",
  ),
  "material.transmission = transmission;",
  "material.transmission = transmission * (1.0 - foam) * (1.0 - 0.7 * smoothstep(1.0, 5.0, deep));",
);

/** Where water lies, as passages of a vertex shader: its place, flow [m/s], and whether it is seen. */
export interface WaterGeometry {
  readonly key: string;
  readonly uniforms: Readonly<Record<string, { value: unknown }>>;
  readonly head: string;
  readonly place: string;
  readonly flow: string;
  /** 1 where there is water, 0 where other water takes over. */
  readonly seen: string;
  /** Whether waves run out on its shores, 0 or 1. */
  readonly surf: number;
}

export interface Waters {
  readonly fine: boolean;
  readonly wind: Wind;
  readonly grain: Texture;
  /** The ground below. */
  readonly bed: Sheet;
}

export function water(
  { fine, wind, grain, bed }: Waters,
  shape: WaterGeometry,
): MeshPhysicalMaterial {
  const material = new MeshPhysicalMaterial({
    color: fine ? 0xffffff : 0x2f5f5a,
    roughness: 0.08,
    ior: 1.33,
    transmission: fine ? 0.92 : 0,
    thickness: 0.9,
    attenuationColor: new Color(0x58b9a8),
    attenuationDistance: 1.3,
    envMapIntensity: 0.85,
    transparent: !fine,
  });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, shape.uniforms, {
      uSeconds: wind,
      uGrain: { value: grain },
      uBed: bed.uHeights,
      uBedLattice: bed.uLattice,
      uBedMiddle: bed.uMiddle,
      uSurf: { value: shape.surf },
    });
    const varyings =
      "uniform float uSeconds;\nvarying vec2 vWater, vFlow;\nvarying float vLevel, vSeen;\n";
    const vertex = patchedAfter(
      shader.vertexShader,
      "#include <common>",
      varyings + RIPPLES + shape.head,
    );
    shader.vertexShader = patchedAfter(
      vertex,
      "#include <begin_vertex>",
      `transformed = ${shape.place};
       vWater = transformed.xz;
       vFlow = ${shape.flow};
       vSeen = ${shape.seen};
       vLevel = transformed.y;
       transformed.y += ripple(vWater, uSeconds);`,
    );
    shader.fragmentShader = flowing(shader.fragmentShader, varyings, fine);
  };
  material.customProgramCacheKey = () => `water ${shape.key} ${fine}`;
  return material;
}

function flowing(shader: string, varyings: string, fine: boolean): string {
  const head = `${varyings}uniform sampler2D uGrain;\nuniform float uSurf;\n`;
  let text = patchedAfter(shader, "#include <common>", head + RIPPLES + BED + DRIFT);
  text = patchedAfter(
    text,
    "#include <clipping_planes_fragment>",
    "float deep = vLevel - bedAt(vWater);\nif (deep <= 0.0 || vSeen < 0.5) discard;",
  );
  text = patchedAfter(text, "#include <color_fragment>", COLOUR + (fine ? "" : PLAIN) + FOAMED);
  text = patchedAfter(
    text,
    "#include <roughnessmap_fragment>",
    "roughnessFactor = mix(roughnessFactor, 0.7, foam);",
  );
  text = patchedAfter(text, "#include <normal_fragment_begin>", WAVES);
  text = patched(text, "#include <opaque_fragment>", `${LAST}\n#include <opaque_fragment>`);
  return fine ? patched(text, "#include <transmission_fragment>", THICK) : text;
}
