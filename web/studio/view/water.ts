/** Lakes and sea: a second sheet at the water's surface, clear in the shallows, deep blue below. */

import { Color, type DataTexture, Mesh, MeshPhysicalMaterial } from "three";
import { sheet } from "./grid.ts";
import type { GroundUniforms } from "./ground.ts";
import { RELIEF_GLSL } from "./relief.ts";

const FRAGMENT_HEAD = /* glsl */ `
${RELIEF_GLSL}
uniform sampler2D uSurface;
uniform float uTime;
uniform float uClear;
varying vec2 vPlace;
`;

/** Ripples of three sines; they die away where the water is shallow. */
const RIPPLES = /* glsl */ `
vec2 there = vPlace * 420.0;
vec2 ripple = vec2(
  sin(there.x * 1.7 + there.y * 0.6 + uTime) + 0.6 * sin(there.x * 3.1 - there.y * 2.3 - 1.3 * uTime),
  sin(there.y * 1.9 - there.x * 0.8 - 0.8 * uTime) + 0.6 * sin(there.y * 2.7 + there.x * 1.9 + 1.1 * uTime)
);
normal = normalize((viewMatrix * vec4(normalize(vec3(0.012 * ripple.x, 1.0, 0.012 * ripple.y)), 0.0)).xyz);
`;

const DEPTH = /* glsl */ `
float depth = texture2D(uSurface, vPlace).r - texture2D(uHeight, vPlace).r;
if (depth <= 0.001) discard;
float murk = 1.0 - exp(-depth / uClear);
diffuseColor.rgb = mix(vec3(0.16, 0.36, 0.38), diffuseColor.rgb, murk);
diffuseColor.a = mix(0.25, 0.94, murk);
`;

export interface WaterUniforms {
  readonly uSurface: { value: DataTexture };
  readonly uTime: { value: number };
  /** Depth [m] in which two thirds of the light are gone. */
  readonly uClear: { value: number };
}

export class Water {
  readonly mesh: Mesh;
  readonly uniforms: WaterUniforms;
  private rows = 0;
  private cols = 0;

  constructor(
    private readonly ground: GroundUniforms,
    surface: DataTexture,
  ) {
    this.uniforms = { uSurface: { value: surface }, uTime: { value: 0 }, uClear: { value: 8 } };
    const material = new MeshPhysicalMaterial({
      color: new Color(0.012, 0.055, 0.085),
      roughness: 0.12,
      metalness: 0,
      ior: 1.33,
      transparent: true,
      depthWrite: false,
    });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.ground, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace(
          "#include <common>",
          `#include <common>\n${RELIEF_GLSL}\nuniform sampler2D uSurface;\nvarying vec2 vPlace;`,
        )
        .replace(
          "#include <begin_vertex>",
          "vPlace = uv;\nvec3 transformed = vec3(position.x, (texture2D(uSurface, uv).r - uDatum) * uUp, position.z);",
        );
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\n${FRAGMENT_HEAD}`)
        .replace("#include <color_fragment>", `#include <color_fragment>\n${DEPTH}`)
        .replace(
          "#include <normal_fragment_begin>",
          `#include <normal_fragment_begin>\n${RIPPLES}`,
        );
    };
    this.mesh = new Mesh(sheet(2, 2), material);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.visible = false;
  }

  shape(rows: number, cols: number): void {
    if (rows === this.rows && cols === this.cols) return;
    [this.rows, this.cols] = [rows, cols];
    this.mesh.geometry.dispose();
    this.mesh.geometry = sheet(rows, cols, 384);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as MeshPhysicalMaterial).dispose();
  }
}
