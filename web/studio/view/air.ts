/** Sun, sky and haze by the height of the sun: the colours that all shaders share. */

import { BackSide, IcosahedronGeometry, Mesh, Vector2, Vector3 } from "three";
import skyFragment from "../shaders/sky.frag.glsl?raw";
import skyVertex from "../shaders/sky.vert.glsl?raw";
import { type AirUniforms, painted } from "./glsl.ts";
import { EDGE } from "./stage.ts";

type Rgb = readonly [number, number, number];

export interface Palette {
  readonly sunlight: Rgb;
  readonly zenith: Rgb;
  readonly horizon: Rgb;
  readonly glow: Rgb;
}

/** Colours in linear light, at heights of the sun [°]; between them they are mixed. */
const HOURS: readonly (readonly [number, Palette])[] = [
  [
    0,
    {
      sunlight: [1.75, 0.62, 0.24],
      zenith: [0.1, 0.14, 0.29],
      horizon: [0.82, 0.45, 0.3],
      glow: [1.0, 0.36, 0.1],
    },
  ],
  [
    8,
    {
      sunlight: [2.8, 1.45, 0.68],
      zenith: [0.14, 0.23, 0.42],
      horizon: [0.86, 0.64, 0.47],
      glow: [0.85, 0.42, 0.15],
    },
  ],
  [
    22,
    {
      sunlight: [3.3, 2.72, 2.05],
      zenith: [0.15, 0.32, 0.6],
      horizon: [0.72, 0.76, 0.76],
      glow: [0.6, 0.42, 0.22],
    },
  ],
  [
    45,
    {
      sunlight: [3.1, 2.82, 2.4],
      zenith: [0.17, 0.37, 0.67],
      horizon: [0.6, 0.74, 0.84],
      glow: [0.42, 0.36, 0.27],
    },
  ],
  [
    90,
    {
      sunlight: [2.7, 2.55, 2.3],
      zenith: [0.17, 0.38, 0.7],
      horizon: [0.57, 0.73, 0.86],
      glow: [0.34, 0.32, 0.28],
    },
  ],
];

/** The colours of sun and sky when the sun is so high [°]. */
export function paletteAt(height: number): Palette {
  const next = Math.max(
    1,
    HOURS.findIndex(([hour]) => hour >= height),
  );
  const [low, high] = [HOURS[next - 1], HOURS[next]];
  if (!low || !high) throw new RangeError(`a sun at ${height}°`);
  const share = Math.min(Math.max((height - low[0]) / (high[0] - low[0]), 0), 1);
  const mix = (key: keyof Palette): Rgb => {
    const [a, b] = [low[1][key], high[1][key]];
    const part = (k: 0 | 1 | 2) => a[k] + (b[k] - a[k]) * share;
    return [part(0), part(1), part(2)];
  };
  return {
    sunlight: mix("sunlight"),
    zenith: mix("zenith"),
    horizon: mix("horizon"),
    glow: mix("glow"),
  };
}

const RADIANS = Math.PI / 180;

/** Towards a sun that stands so far clockwise from north and so high above the horizon [°]. */
export function towardsSun(azimuth: number, height: number): Rgb {
  const level = Math.cos(height * RADIANS);
  return [
    Math.sin(azimuth * RADIANS) * level,
    Math.sin(height * RADIANS),
    -Math.cos(azimuth * RADIANS) * level,
  ];
}

export class Air {
  readonly uniforms: AirUniforms = {
    uSun: { value: new Vector3(0, 1, 0) },
    uSunlight: { value: new Vector3() },
    uZenith: { value: new Vector3() },
    uHorizon: { value: new Vector3() },
    uGlow: { value: new Vector3() },
    uBounce: { value: new Vector3() },
    uHaze: { value: 0 },
  };
  readonly dome: Mesh;

  constructor() {
    const unused = { uCells: { value: new Vector2(1, 1) }, uSize: { value: new Vector2(1, 1) } };
    const material = painted(skyVertex, skyFragment, { ...this.uniforms, ...unused });
    material.side = BackSide;
    material.depthWrite = false;
    this.dome = new Mesh(new IcosahedronGeometry(1, 3), material);
    this.dome.frustumCulled = false;
    this.dome.renderOrder = 1; // after the land, which hides most of it
  }

  /** Moves the sun and sets how hazy the air is, 0 to 1. */
  place(azimuth: number, height: number, haze: number): void {
    const { uSun, uSunlight, uZenith, uHorizon, uGlow, uBounce, uHaze } = this.uniforms;
    const now = paletteAt(height);
    uSun.value.set(...towardsSun(azimuth, height));
    uSunlight.value.set(...now.sunlight);
    uZenith.value.set(...now.zenith);
    uHorizon.value.set(...now.horizon);
    uGlow.value.set(...now.glow);
    uBounce.value.set(0.17, 0.145, 0.115).multiplyScalar(0.55 + uSun.value.y);
    uHaze.value = (haze * haze * 1.7 + 0.08 * haze) / EDGE;
  }

  dispose(): void {
    this.dome.geometry.dispose();
    (this.dome.material as { dispose(): void }).dispose();
  }
}
