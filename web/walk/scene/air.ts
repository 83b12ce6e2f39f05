/** Sky, sun, haze and the light they give, at the hour and in the mist that the person chose. */

import { effect } from "@preact/signals-core";
import {
  type Color,
  DirectionalLight,
  FogExp2,
  HemisphereLight,
  PMREMGenerator,
  Scene,
  Vector3,
  type WebGLRenderTarget,
} from "three";
import { Sky } from "three/examples/jsm/objects/Sky.js";
import type { Part, Stage } from "../stage.ts";
import { lightAt, towardsSun } from "./light.ts";
import { patched } from "./patch.ts";

/** Edge of the square round her that the sun's shadows fall in [m]. */
const SHADED = 100;
/** She goes so far [m] before the shadows' square follows. */
const SHIFT = 6;
/** The sun's shadow is drawn from so far away [m]. */
const ASIDE = 120;
/** At the middle of the slider, what is half a land away keeps e⁻¹ of its colour. */
const MIST = 1.05;
/** The same where land stands on the horizon, which is to be seen. */
const CLEAR = 0.5;
/** Brightness of the sky beside the lamps of three.js. */
const SKY_GAIN = 0.15;
/** The environment is made anew once the hour has rested so long [ms]. */
const REST = 180;
const FAR = 4000;

export class Air implements Part {
  readonly sun: DirectionalLight;
  /** Unit vector towards the sun. */
  readonly towards = new Vector3();
  private readonly stage: Stage;
  private readonly sky = makeSky();
  private readonly soft = new HemisphereLight();
  private readonly fog = new FogExp2(0xffffff, 0.01);
  private readonly baker: PMREMGenerator;
  private readonly bench = new Scene();
  private baked: WebGLRenderTarget | null = null;
  private due = 0;
  private readonly stop: () => void;

  constructor(stage: Stage) {
    this.stage = stage;
    this.baker = new PMREMGenerator(stage.renderer);
    this.sun = lamp(stage.quality.shadow);
    stage.scene.fog = this.fog;
    stage.scene.add(this.sky, this.soft, this.sun, this.sun.target);
    this.stop = effect(() => this.follow(stage.mood.hour.value, stage.mood.mist.value));
    this.bake();
  }

  /** Colour of the haze, as the ground's edge fades into it. */
  get haze(): Color {
    return this.fog.color;
  }

  tick(): void {
    const { focus, camera } = this.stage;
    this.sky.position.copy(camera.position);
    const { target } = this.sun;
    if (Math.hypot(focus.x - target.position.x, focus.z - target.position.z) > SHIFT) this.aim();
    if (this.due > 0 && performance.now() > this.due) this.bake();
  }

  dispose(): void {
    this.stop();
    this.stage.scene.remove(this.sky, this.soft, this.sun, this.sun.target);
    this.sky.geometry.dispose();
    this.sky.material.dispose();
    this.sun.dispose();
    this.baked?.dispose();
    this.baker.dispose();
  }

  private follow(hour: number, mist: number): void {
    const light = lightAt(hour);
    towardsSun(hour, this.towards);
    this.sun.color.copy(light.sun);
    this.sun.intensity = light.strength;
    this.soft.color.copy(light.above);
    this.soft.groundColor.copy(light.below);
    this.soft.intensity = light.soft;
    this.fog.color.copy(light.haze);
    const { grid } = this.stage.land;
    const half = (Math.max(grid.nx, grid.ny) * grid.cell_size) / 2;
    this.fog.density = ((this.stage.land.around ? CLEAR : MIST) * (0.25 + 1.5 * mist)) / half;
    const { uniforms } = this.sky.material;
    (uniforms.sunPosition as { value: Vector3 }).value.copy(this.towards);
    (uniforms.turbidity as { value: number }).value = 2 + 7 * mist;
    this.aim();
    this.due = performance.now() + REST;
    this.stage.invalidate();
  }

  /** Puts the square of the shadows where she is. */
  private aim(): void {
    const { target } = this.sun;
    target.position.copy(this.stage.focus);
    this.sun.position.copy(this.towards).multiplyScalar(ASIDE).add(target.position);
  }

  /** Bakes the sky, without the sun's disc, into what lights and tints every material. */
  private bake(): void {
    this.due = 0;
    const { showSunDisc } = this.sky.material.uniforms as { showSunDisc: { value: number } };
    const { parent } = this.sky;
    showSunDisc.value = 0;
    this.sky.position.set(0, 0, 0);
    this.bench.add(this.sky);
    const baked = this.baker.fromScene(this.bench, 0, 0.1, FAR);
    showSunDisc.value = 1;
    parent?.add(this.sky);
    this.baked?.dispose();
    this.baked = baked;
    this.stage.scene.environment = baked.texture;
    this.stage.scene.environmentIntensity = 2.2;
    this.stage.invalidate();
  }
}

/** A slightly hazy evening sky; the clouds are sprites of our own. */
function makeSky(): Sky {
  const sky = new Sky();
  sky.scale.setScalar(FAR / 2);
  const { uniforms } = sky.material;
  const set = (name: string, value: number) => {
    (uniforms[name] as { value: number }).value = value;
  };
  set("cloudCoverage", 0);
  set("rayleigh", 1.9);
  set("mieCoefficient", 0.003);
  set("mieDirectionalG", 0.78);
  sky.material.fragmentShader = patched(
    sky.material.fragmentShader,
    "gl_FragColor = vec4( texColor, 1.0 );",
    `gl_FragColor = vec4( min( texColor * ${SKY_GAIN}, vec3( 3.2, 2.6, 1.9 ) ), 1.0 );`,
  );
  return sky;
}

function lamp(edge: number): DirectionalLight {
  const sun = new DirectionalLight();
  sun.castShadow = edge > 0;
  const { shadow } = sun;
  shadow.mapSize.set(edge, edge);
  Object.assign(shadow.camera, {
    left: -SHADED / 2,
    right: SHADED / 2,
    bottom: -SHADED / 2,
    top: SHADED / 2,
    near: 1,
    far: 2 * ASIDE,
  });
  shadow.bias = -0.0006;
  shadow.normalBias = 0.06;
  shadow.radius = 2.5;
  return sun;
}
