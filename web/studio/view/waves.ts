/** Noise drawn by the graphics card: elevation in metres, cell for cell what the engine makes. */

import {
  ClampToEdgeWrapping,
  DataTexture,
  FloatType,
  LinearFilter,
  NoColorSpace,
  RedFormat,
  RGBAIntegerFormat,
  ShaderMaterial,
  type Texture,
  UnsignedIntType,
  Vector2,
  Vector3,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import type { Heard, IslandStep, NoiseStep, Numbers } from "../api/waves.ts";
import blend from "../shaders/blend.frag.glsl?raw";
import island from "../shaders/island.frag.glsl?raw";
import noise from "../shaders/noise.frag.glsl?raw";
import whole from "../shaders/whole.vert.glsl?raw";
import type { Uniforms } from "./glsl.ts";
import { Pass } from "./shade.ts";

const BLENDS = ["replace", "add", "multiply", "max", "min"];
/** Wavelengths that the noise drifts a second, east and north. */
const DRIFT = 0.02;

/** One step: its material, and what to set of it for a step's numbers and a time. */
interface Wave {
  readonly index: number;
  readonly material: ShaderMaterial;
  readonly textures: readonly Texture[];
  set(numbers: Numbers, time: number): void;
}

export class Waves {
  private readonly renderer: WebGLRenderer;
  private readonly pass = new Pass();
  private waves: Wave[] = [];
  private targets: WebGLRenderTarget[] = [];

  constructor(renderer: WebGLRenderer) {
    this.renderer = renderer;
  }

  /** Whether this card can draw into floats and read between them. */
  static areSupported(renderer: WebGLRenderer): boolean {
    const { extensions } = renderer;
    return extensions.has("EXT_color_buffer_float") && extensions.has("OES_texture_float_linear");
  }

  /** Takes the octaves of a recipe's steps. */
  hear(heard: Heard): void {
    this.forget();
    const [rows, cols] = heard.shape;
    this.targets = [0, 1].map(() => target(cols, rows));
    this.waves = (heard.steps ?? []).map((step, n) => {
      const first = n === 0;
      const made = step.kind === "noise" ? noiseWave(step, cols, rows) : islandWave(step, heard);
      made.material.uniforms.uBlend = { value: first ? 0 : BLENDS.indexOf(step.blend) };
      made.material.uniforms.uBase = { value: null };
      return made;
    });
  }

  /** Draws the steps one into the other, with the numbers of each; the elevation [m] comes out. */
  draw(numbersOf: (index: number) => Numbers, time: number): WebGLRenderTarget | null {
    let [to, from] = this.targets;
    if (!to || !from) return null;
    for (const { index, material, set } of this.waves) {
      [to, from] = [from, to];
      set(numbersOf(index), time);
      (material.uniforms.uBase as { value: Texture }).value = from.texture;
      this.pass.run(this.renderer, material, to);
    }
    return to;
  }

  forget(): void {
    for (const { material, textures } of this.waves) {
      material.dispose();
      for (const texture of textures) texture.dispose();
    }
    for (const each of this.targets) each.dispose();
    [this.waves, this.targets] = [[], []];
  }

  dispose(): void {
    this.forget();
    this.pass.dispose();
  }
}

function noiseWave(step: NoiseStep, cols: number, rows: number): Wave {
  const count = step.keys.length;
  const octaves = new Uint32Array(8 * count);
  step.keys.forEach((key, k) => {
    octaves[4 * k] = key;
  });
  const weights = new Float32Array(count);
  const moved = whole32(octaves, count, 2);
  const shares = new DataTexture(weights, count, 1, RedFormat, FloatType);
  const columns = whole32(step.columns, cols, count);
  const down = whole32(step.rows, rows, count);
  const level = { value: 0 };
  const material = field(noise, {
    uColumns: { value: columns },
    uRows: { value: down },
    uOctaves: { value: moved },
    uWeights: { value: shares },
    uCount: { value: count },
    uSquare: { value: step.square ? 1 : 0 },
    uForm: { value: new Vector3(...step.shape) },
    uLevel: level,
  });
  const set = ({ amplitude = 0, offset = 0, gain = 0 }: Numbers, time: number) => {
    level.value = offset;
    const powers = weights.map((_, k) => gain ** k);
    const sum = powers.reduce((total, power) => total + power, 0);
    weights.set(powers.map((power) => (power / sum) * amplitude));
    drift(octaves, step, time);
    shares.needsUpdate = moved.needsUpdate = true;
  };
  return { index: step.index, material, textures: [columns, down, moved, shares], set };
}

/** Moves every octave by as many metres, as cells and fractions of its lattice. */
function drift(
  octaves: Uint32Array,
  { keys, per_metre, wavelength }: NoiseStep,
  time: number,
): void {
  const metres = DRIFT * time * wavelength;
  keys.forEach((_, k) => {
    per_metre[k]?.forEach(([east, north], axis) => {
      const cells = (east + north) * metres;
      const at = 4 * (keys.length + k) + 2 * axis;
      octaves[at] = Math.floor(cells);
      octaves[at + 1] = Math.floor((cells - Math.floor(cells)) * 2 ** 32);
    });
  });
}

function islandWave(step: IslandStep, { west, north, cell_size }: Heard): Wave {
  const uniforms = {
    uNorthWest: { value: new Vector2(west, north) },
    uCell: { value: cell_size },
    uCentre: { value: new Vector2() },
    uRadius: { value: 1 },
    uCrest: { value: 1 },
    uRim: { value: 0 },
    uSquareness: { value: 1 },
    uSteepness: { value: 1 },
  };
  const set = (numbers: Numbers) => {
    const { centre_east = 0, centre_north = 0, radius = 1, top = 1, rim = 0 } = numbers;
    uniforms.uCentre.value.set(centre_east, centre_north);
    uniforms.uRadius.value = radius;
    uniforms.uCrest.value = top;
    uniforms.uRim.value = rim;
    uniforms.uSquareness.value = numbers.squareness ?? 1;
    uniforms.uSteepness.value = numbers.steepness ?? 1;
  };
  return { index: step.index, material: field(island, uniforms), textures: [], set };
}

function field(source: string, uniforms: Uniforms): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: whole,
    fragmentShader: `precision highp float;\nprecision highp int;\n${source}${blend}`,
    uniforms,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
}

function whole32(numbers: Uint32Array, width: number, height: number): DataTexture {
  const made = new DataTexture(numbers, width, height, RGBAIntegerFormat, UnsignedIntType);
  made.internalFormat = "RGBA32UI";
  made.needsUpdate = true;
  return made;
}

function target(cols: number, rows: number): WebGLRenderTarget {
  return new WebGLRenderTarget(cols, rows, {
    type: FloatType,
    colorSpace: NoColorSpace,
    depthBuffer: false,
    minFilter: LinearFilter,
    magFilter: LinearFilter,
    wrapS: ClampToEdgeWrapping,
    wrapT: ClampToEdgeWrapping,
  });
}
