/** What sun and sky reach of a land and of the table round it, as pictures that are kept. */

import {
  LinearFilter,
  Mesh,
  NoColorSpace,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  type ShaderMaterial,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import shadeFragment from "../shaders/shade.frag.glsl?raw";
import wholeVertex from "../shaders/whole.vert.glsl?raw";
import { type AirUniforms, figured, type ReliefUniforms } from "./glsl.ts";

/** The table's picture goes so many edges of the land. */
export const REACH = 5;
const FLOOR = 320;
const SKY = 320;

/** Draws a material over a whole render target. */
export class Pass {
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera();
  private readonly mesh = new Mesh(new PlaneGeometry(2, 2));

  constructor() {
    this.mesh.frustumCulled = false;
    this.scene.add(this.mesh);
  }

  run(renderer: WebGLRenderer, material: ShaderMaterial, target: WebGLRenderTarget): void {
    const before = renderer.getRenderTarget();
    this.mesh.material = material;
    renderer.setRenderTarget(target);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(before);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
  }
}

function target(size: number): WebGLRenderTarget {
  const made = new WebGLRenderTarget(size, size, { depthBuffer: false, magFilter: LinearFilter });
  made.texture.colorSpace = NoColorSpace;
  return made;
}

export class Shade {
  readonly sun = target(1);
  readonly sky = target(SKY);
  readonly floorSun = target(FLOOR);
  readonly floorSky = target(FLOOR / 2);
  private readonly pass = new Pass();
  private readonly own = {
    uFrom: { value: new Vector2() },
    uSpan: { value: new Vector2() },
    uTop: { value: 0 },
    uStep: { value: 1 },
    uFloor: { value: 0 },
  };
  private readonly direct: ShaderMaterial;
  private readonly diffuse: ShaderMaterial;

  constructor(relief: ReliefUniforms, air: AirUniforms) {
    const uniforms = { ...relief, uSun: air.uSun, ...this.own };
    this.direct = figured(wholeVertex, shadeFragment, uniforms, { LOOKS: 260 });
    this.diffuse = figured(wholeVertex, shadeFragment, uniforms, { SKY: 1, WAYS: 12 });
  }

  /** Draws the pictures anew; `cells` is how fine the sun's is, and without `sky` that one stays. */
  draw(renderer: WebGLRenderer, cells: number, edge: number, top: number, sky: boolean): void {
    this.own.uTop.value = top;
    this.sun.setSize(cells, cells);
    this.land(renderer, this.direct, this.sun, edge / cells);
    this.floor(renderer, this.direct, this.floorSun, (REACH * edge) / FLOOR / 2);
    if (!sky) return;
    this.land(renderer, this.diffuse, this.sky, (1.2 * edge) / SKY);
    this.floor(renderer, this.diffuse, this.floorSky, (1.2 * edge) / SKY);
  }

  dispose(): void {
    for (const each of [this.sun, this.sky, this.floorSun, this.floorSky]) each.dispose();
    for (const each of [this.direct, this.diffuse, this.pass]) each.dispose();
  }

  private land(
    renderer: WebGLRenderer,
    material: ShaderMaterial,
    to: WebGLRenderTarget,
    step: number,
  ): void {
    this.own.uFrom.value.set(0, 0);
    this.own.uSpan.value.set(1, 1);
    this.own.uFloor.value = 0;
    this.own.uStep.value = step;
    this.pass.run(renderer, material, to);
  }

  private floor(
    renderer: WebGLRenderer,
    material: ShaderMaterial,
    to: WebGLRenderTarget,
    step: number,
  ): void {
    this.own.uFrom.value.setScalar(0.5 - REACH / 2);
    this.own.uSpan.value.setScalar(REACH);
    this.own.uFloor.value = 1;
    this.own.uStep.value = step;
    this.pass.run(renderer, material, to);
  }
}
