/** What is thin, as blades and leaves: light shines through it, and both sides are lit alike. */

import type { MeshStandardMaterial } from "three";
import { patchedAfter } from "./patch.ts";

const GLOW = `
#if NUM_DIR_LIGHTS > 0
  // The last light reckoned is the sun's, with the shadow on it.
  float through = saturate(dot(-geometryViewDir, directLight.direction));
  reflectedLight.directDiffuse +=
    diffuseColor.rgb * directLight.color * (0.05 + 0.32 * through * through * through);
#endif`;

/** Lets the sun shine through, and keeps the normals as they were made on both sides. */
export function thin(material: MeshStandardMaterial): void {
  const before = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    let text = shader.fragmentShader;
    text = patchedAfter(text, "#include <normal_fragment_begin>", "normal = normalize(vNormal);");
    shader.fragmentShader = patchedAfter(text, "#include <lights_fragment_begin>", GLOW);
  };
  const key = material.customProgramCacheKey();
  material.customProgramCacheKey = () => `${key} thin`;
}
