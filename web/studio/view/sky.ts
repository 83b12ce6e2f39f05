/** Sun and sky: one direction for light, shadows, scattering and the light that all things reflect. */

import {
  Color,
  DirectionalLight,
  FogExp2,
  HemisphereLight,
  PMREMGenerator,
  Scene,
  Vector3,
  type WebGLRenderer,
} from "three";
import { Sky } from "three/examples/jsm/objects/Sky.js";
import { EDGE } from "./stage.ts";

const RADIANS = Math.PI / 180;

export class Heavens {
  readonly sun = new DirectionalLight(0xffffff, 3);
  private readonly sky = new Sky();
  private readonly fill = new HemisphereLight(0xbfd6ee, 0x6b5d4c, 0.9);
  private readonly fog = new FogExp2(0xc9d6df, 0);
  private readonly baker: PMREMGenerator;
  private baked: ReturnType<PMREMGenerator["fromScene"]> | null = null;

  constructor(
    private readonly scene: Scene,
    private readonly renderer: WebGLRenderer,
  ) {
    this.baker = new PMREMGenerator(renderer);
    this.sky.scale.setScalar(3.6 * EDGE);
    const { sun } = this;
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.normalBias = 0.12;
    sun.shadow.bias = -0.0004;
    const reach = 0.72 * EDGE;
    Object.assign(sun.shadow.camera, {
      left: -reach,
      right: reach,
      top: reach,
      bottom: -reach,
      near: 1,
      far: 4 * EDGE,
    });
    scene.add(this.sky, sun, sun.target, this.fill);
    scene.fog = this.fog;
  }

  /** Moves the sun: azimuth clockwise from north, height above the horizon [°]. */
  place(azimuth: number, height: number, haze: number): void {
    const towards = new Vector3(
      Math.sin(azimuth * RADIANS) * Math.cos(height * RADIANS),
      Math.sin(height * RADIANS),
      -Math.cos(azimuth * RADIANS) * Math.cos(height * RADIANS),
    );
    const low = Math.max(0, 1 - height / 40);
    const uniforms = this.sky.material.uniforms;
    const set = (name: string, value: unknown) => {
      const uniform = uniforms[name];
      if (uniform) uniform.value = value;
    };
    set("turbidity", 2 + 4 * haze);
    set("rayleigh", 1.4 + 1.2 * low);
    set("mieCoefficient", 0.004);
    set("mieDirectionalG", 0.82);
    set("cloudCoverage", 0);
    (uniforms.sunPosition as { value: Vector3 }).value.copy(towards);
    this.sun.position.copy(towards).multiplyScalar(1.6 * EDGE);
    this.sun.color.setRGB(1, 0.93 - 0.22 * low * low, 0.82 - 0.42 * low);
    this.sun.intensity = 9.5 * Math.min(1, 0.25 + height / 22);
    this.fog.color.lerpColors(new Color(0xb9cbdc), new Color(0xe2c6a4), low * low);
    this.fog.density = (haze * haze * 1.1) / EDGE;
    this.bake(set);
  }

  dispose(): void {
    this.baked?.dispose();
    this.baker.dispose();
    this.sky.material.dispose();
    this.sky.geometry.dispose();
  }

  /** Bakes the sky, without the sun's disc, into the light that materials reflect. */
  private bake(set: (name: string, value: unknown) => void): void {
    set("showSunDisc", 0);
    const alone = new Scene();
    alone.add(this.sky);
    const exposure = this.renderer.toneMappingExposure;
    this.baked?.dispose();
    this.baked = this.baker.fromScene(alone, 0, 0.1, 8 * EDGE);
    this.renderer.toneMappingExposure = exposure;
    this.scene.add(this.sky);
    this.scene.environment = this.baked.texture;
    this.scene.environmentIntensity = 0.85;
    set("showSunDisc", 1);
  }
}
