/** What is done to the picture: bright things bloom, then tones for the screen, then a grade. */

import { HalfFloatType, Vector2, WebGLRenderTarget } from "three";
import { EffectComposer } from "three/examples/jsm/postprocessing/EffectComposer.js";
import { OutputPass } from "three/examples/jsm/postprocessing/OutputPass.js";
import { RenderPass } from "three/examples/jsm/postprocessing/RenderPass.js";
import { ShaderPass } from "three/examples/jsm/postprocessing/ShaderPass.js";
import { UnrealBloomPass } from "three/examples/jsm/postprocessing/UnrealBloomPass.js";
import type { Stage } from "../stage.ts";

const STRENGTH = 0.32;
const RADIUS = 0.55;
/** In light of the scene, where a sunlit meadow is about 1. */
const THRESHOLD = 3;

/** Works on colours as the screen shows them: a curve, warm lights, cool shades, a soft frame. */
const GRADE = {
  name: "Grade",
  uniforms: { tDiffuse: { value: null } },
  vertexShader: `
    varying vec2 vUv;
    void main() {
      vUv = uv;
      gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    }`,
  fragmentShader: `
    uniform sampler2D tDiffuse;
    varying vec2 vUv;
    void main() {
      vec3 colour = clamp(texture2D(tDiffuse, vUv).rgb, 0.0, 1.0);
      colour = mix(colour, colour * colour * (3.0 - 2.0 * colour), 0.22);
      float luma = dot(colour, vec3(0.2126, 0.7152, 0.0722));
      colour += vec3(0.035, 0.018, -0.012) * smoothstep(0.55, 1.0, luma);
      colour += vec3(-0.018, 0.004, 0.022) * (1.0 - smoothstep(0.0, 0.45, luma));
      colour = mix(vec3(luma), colour, 1.1);
      vec2 out_ = vUv - 0.5;
      colour *= 1.0 - 0.42 * smoothstep(0.25, 0.95, dot(out_, out_) * 2.0);
      gl_FragColor = vec4(clamp(colour, 0.0, 1.0), 1.0);
    }`,
};

export class Post {
  private readonly composer: EffectComposer;
  private readonly passes: { dispose(): void }[];

  constructor({ renderer, scene, camera, quality }: Omit<Stage, "controls" | "calm">) {
    const target = new WebGLRenderTarget(1, 1, { type: HalfFloatType, samples: quality.samples });
    this.composer = new EffectComposer(renderer, target);
    const draw = new RenderPass(scene, camera);
    const bloom = new UnrealBloomPass(new Vector2(1, 1), STRENGTH, RADIUS, THRESHOLD);
    const output = new OutputPass();
    const grade = new ShaderPass(GRADE);
    this.passes = [draw, bloom, output, grade];
    for (const pass of [draw, bloom, output, grade]) this.composer.addPass(pass);
  }

  resize(width: number, height: number, ratio: number): void {
    this.composer.setPixelRatio(ratio);
    this.composer.setSize(width, height);
  }

  render(): void {
    this.composer.render();
  }

  dispose(): void {
    for (const pass of this.passes) pass.dispose();
    this.composer.dispose();
  }
}
