/**
 * What is thin, as blades and leaves: light shines through it, both sides are lit alike, and what
 * hangs before the eye makes way for the view.
 */

import type { MeshStandardMaterial } from "three";
import { patchedAfter } from "./patch.ts";

const GLOW = `
#if NUM_DIR_LIGHTS > 0
  // The last light reckoned is the sun's, with the shadow on it.
  float through = saturate(dot(-geometryViewDir, directLight.direction));
  reflectedLight.directDiffuse +=
    diffuseColor.rgb * directLight.color * (0.05 + 0.32 * through * through * through);
#endif`;

/** Between these distances from the eye [m] it comes into being, grain by grain. */
const NEAR = [0.7, 1.5] as const;
const MAKES_WAY = `
float grainHere = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
if (smoothstep(${NEAR[0]}, ${NEAR[1]}, length(vViewPosition)) < grainHere) discard;`;

/** Lets the sun shine through, and keeps the normals as they were made on both sides. */
export function thin(material: MeshStandardMaterial): void {
  const before = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    let text = shader.fragmentShader;
    text = patchedAfter(text, "#include <clipping_planes_fragment>", MAKES_WAY);
    text = patchedAfter(text, "#include <normal_fragment_begin>", "normal = normalize(vNormal);");
    shader.fragmentShader = patchedAfter(text, "#include <lights_fragment_begin>", GLOW);
  };
  const key = material.customProgramCacheKey();
  material.customProgramCacheKey = () => `${key} thin`;
}
