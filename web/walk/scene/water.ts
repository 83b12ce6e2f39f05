/** Water that is seen through: one material for streams, lakes and the sea. */

import { Color, MeshPhysicalMaterial, ShaderChunk, type Texture } from "three";
import { patched, patchedAfter } from "./patch.ts";
import type { Wind } from "./wind.ts";

/** How the water moves: three waves of place and time. Length [rad/m], pace [rad/s], height [m]. */
const RIPPLES = `
float ripple(vec2 p, float t) {
  return 0.014 * sin(1.9 * p.x + 0.7 * p.y + 1.6 * t)
    + 0.010 * sin(-1.1 * p.x + 2.3 * p.y + 2.1 * t)
    + 0.006 * sin(3.1 * p.x + 3.7 * p.y - 2.9 * t);
}
vec3 rippled(vec2 p, float t) {
  const float e = 0.05;
  return normalize(vec3(
    (ripple(p - vec2(e, 0.0), t) - ripple(p + vec2(e, 0.0), t)) / (2.0 * e), 1.0,
    (ripple(p - vec2(0.0, e), t) - ripple(p + vec2(0.0, e), t)) / (2.0 * e)));
}`;

/** Finer waves, which drift with the flow: two layers of grain in turn, so that none is torn. */
const FINE = `
vec2 drift = vFlow * uSeconds;
vec2 small = texture2D(uGrain, 0.21 * (vWater - drift)).rg
  + texture2D(uGrain, 0.33 * (vWater.yx - 0.7 * drift.yx) + 0.37).gb - 1.0;
float closer = 1.0 / (1.0 + 0.02 * dot(vViewPosition, vViewPosition));
vec3 moved = normalize(rippled(vWater, uSeconds) + vec3(small.x, 0.0, small.y) * (0.05 + 0.16 * closer));
normal = normalize((viewMatrix * vec4(moved, 0.0)).xyz);`;

/** Light goes through as much water as there is: shallows are clear, depths are turquoise. */
const THICK = patched(
  ShaderChunk.transmission_fragment,
  "material.thickness = thickness;",
  "material.thickness = thickness * clamp(vDeep, 0.0, 5.0);",
);

/** Where water lies, as passages of a vertex shader: its place, flow [m/s] and depth [m]. */
export interface WaterGeometry {
  readonly key: string;
  readonly uniforms: Readonly<Record<string, { value: unknown }>>;
  readonly head: string;
  readonly place: string;
  readonly flow: string;
  readonly deep: string;
}

export function water(
  fine: boolean,
  wind: Wind,
  grain: Texture,
  shape: WaterGeometry,
): MeshPhysicalMaterial {
  const material = new MeshPhysicalMaterial({
    color: fine ? 0xffffff : 0x2f5f5a,
    roughness: 0.06,
    ior: 1.33,
    transmission: fine ? 0.92 : 0,
    thickness: 0.9,
    attenuationColor: new Color(0x58b9a8),
    attenuationDistance: 1.3,
    envMapIntensity: 1.25,
    ...(fine ? {} : { transparent: true, opacity: 0.72 }),
  });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, shape.uniforms, {
      uSeconds: wind,
      uGrain: { value: grain },
    });
    const varyings = "uniform float uSeconds;\nvarying vec2 vWater, vFlow;\nvarying float vDeep;\n";
    let vertex = patchedAfter(
      shader.vertexShader,
      "#include <common>",
      varyings + RIPPLES + shape.head,
    );
    vertex = patchedAfter(
      vertex,
      "#include <begin_vertex>",
      `transformed = ${shape.place};
       vWater = transformed.xz;
       vFlow = ${shape.flow};
       vDeep = ${shape.deep};
       transformed.y += ripple(vWater, uSeconds);`,
    );
    shader.vertexShader = vertex;
    let text = patchedAfter(
      shader.fragmentShader,
      "#include <common>",
      `${varyings}uniform sampler2D uGrain;\n${RIPPLES}`,
    );
    text = patchedAfter(text, "#include <clipping_planes_fragment>", "if (vDeep <= 0.0) discard;");
    text = patchedAfter(text, "#include <normal_fragment_begin>", FINE);
    if (fine) text = patched(text, "#include <transmission_fragment>", THICK);
    shader.fragmentShader = text;
  };
  material.customProgramCacheKey = () => `water ${shape.key} ${fine}`;
  return material;
}
