/** The shaders' texts, joined from their pieces, and the materials they make. */

import {
  type DataTexture,
  type IUniform,
  ShaderMaterial,
  type ShaderMaterialParameters,
  type Texture,
  type Vector2,
  type Vector3,
} from "three";
import air from "../shaders/air.glsl?raw";
import grain from "../shaders/grain.glsl?raw";
import relief from "../shaders/relief.glsl?raw";
import water from "../shaders/water.glsl?raw";
import world from "../shaders/world.glsl?raw";

export type Uniforms = Record<string, IUniform>;

/** A number, vector or texture that a shader reads. */
export interface Held<T> {
  value: T;
}

export interface ReliefUniforms extends Uniforms {
  readonly uHeight: Held<Texture>;
  readonly uWater: Held<DataTexture>;
  readonly uWet: Held<number>;
  readonly uSea: Held<number>;
  readonly uCells: Held<Vector2>;
  readonly uSize: Held<Vector2>;
  readonly uUp: Held<number>;
  readonly uDatum: Held<number>;
  readonly uFoot: Held<number>;
}

export interface AirUniforms extends Uniforms {
  readonly uSun: Held<Vector3>;
  readonly uSunlight: Held<Vector3>;
  readonly uZenith: Held<Vector3>;
  readonly uHorizon: Held<Vector3>;
  readonly uGlow: Held<Vector3>;
  readonly uBounce: Held<Vector3>;
  readonly uHaze: Held<number>;
}

const HEAD = "precision highp float;\nprecision highp int;\n";

/** A material of own shaders; `NEAREST` is defined where floats cannot be filtered. */
export function painted(
  vertex: string,
  fragment: string,
  uniforms: Uniforms,
  more: ShaderMaterialParameters = {},
): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: HEAD + relief + vertex,
    fragmentShader: HEAD + air + relief + grain + water + fragment,
    uniforms,
    ...more,
  });
}

/** The material of an endless land (explore/terrain.ts). */
export function paved(
  vertex: string,
  fragment: string,
  uniforms: Uniforms,
  defines: Record<string, string | number>,
): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: HEAD + world + vertex,
    fragmentShader: HEAD + air + world + grain + water + fragment,
    uniforms,
    defines,
  });
}

/** A material that fills a picture with numbers, from the relief alone. */
export function figured(
  vertex: string,
  fragment: string,
  uniforms: Uniforms,
  defines: Record<string, string | number> = {},
): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: HEAD + vertex,
    fragmentShader: HEAD + relief + fragment,
    uniforms,
    defines,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
}
