/** Land as a sheet: heights, slopes and colours in textures, raised in shaders. */

import {
  DataTexture,
  FloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  type Material,
  MirroredRepeatWrapping,
  RedFormat,
  RGFormat,
  SRGBColorSpace,
  Vector2,
  type Vector3,
  Vector4,
} from "three";
import type { Lattice } from "../ground.ts";
import { patchedAfter } from "./patch.ts";
import { BLEND, REACH } from "./tiles.ts";

/** What shaders ask of a lattice. */
export interface Sheet {
  readonly uHeights: { value: DataTexture };
  /** Columns, rows, cell [m], and cells that are drawn beyond its edges. */
  readonly uLattice: { value: Vector4 };
  /** Its middle in the scene [m]. */
  readonly uMiddle: { value: Vector2 };
  /** Where levels of detail are counted from: column and row, the first of those drawn is 0. */
  readonly uFocus: { value: Vector2 };
}

/** Where fine land is drawn. */
export interface Fine {
  /** Her place, x and z, and how far round it [m]. */
  readonly uNear: { value: Vector3 };
  /** The window: its middle, and half of its edges [m]. */
  readonly uWindow: { value: Vector4 };
}

/** Over so many metres fine land becomes coarse land, round her circle and beyond the window. */
export const MELTS = 96;

/** How far inside of where fine land is drawn a place lies [m]: below 0 it is not drawn. */
export const NEARNESS = `
uniform vec3 uNear;
uniform vec4 uWindow;
float nearness(vec2 p) {
  vec2 beside = max(abs(p - uWindow.xy) - uWindow.zw, 0.0);
  return min(uNear.z - distance(p, uNear.xy), ${MELTS}.0 - length(beside));
}`;

/** The coarse land at a place, on its triangles, and how much of it the ground takes. */
export const COARSE = `
uniform highp sampler2D uFar;
uniform vec4 uFarLattice;
uniform vec2 uFarMiddle;
float farAt(vec2 p) {
  vec2 at = (p - uFarMiddle) / uFarLattice.z + 0.5 * (uFarLattice.xy - 1.0);
  at = clamp(at, vec2(0.0), uFarLattice.xy - 1.001);
  ivec2 c = ivec2(at);
  vec2 f = at - vec2(c);
  float east = texelFetch(uFar, c + ivec2(1, 0), 0).r;
  float south = texelFetch(uFar, c + ivec2(0, 1), 0).r;
  float other = texelFetch(uFar, f.x + f.y > 1.0 ? c + 1 : c, 0).r;
  return f.x + f.y > 1.0
    ? other + (1.0 - f.x) * (south - other) + (1.0 - f.y) * (east - other)
    : other + f.x * (east - other) + f.y * (south - other);
}
float coarseness(vec2 p) { return 1.0 - smoothstep(0.0, ${MELTS}.0, nearness(p)); }`;

/** Colours of coarse land, of which it is not told how thickly grass grows: where they are green. */
export const GROWN = `
vec3 grown(vec3 tint) {
  float green = smoothstep(0.0, 0.05, tint.g - max(tint.r, tint.b));
  return mix(tint, vec3(0.092, 0.165, 0.032), 0.75 * green);
}`;

const MELTED = `
  vec2 there = placeOf(cell);
  float share = coarseness(there);
  if (share > 0.0) height = mix(height, farAt(there), share);`;

/** Raises a square's quads; with `melts` the ground becomes the coarse land where that begins. */
export const raised = (melts: boolean): string => `
uniform highp sampler2D uHeights;
uniform vec4 uLattice;
uniform vec2 uMiddle, uFocus;
attribute vec3 tile;
varying vec2 vPlace;
vec2 placeOf(ivec2 cell) {
  return (vec2(cell) - 0.5 * (uLattice.xy - 1.0)) * uLattice.z + uMiddle;
}
float heightOf(ivec2 cell) {
  ivec2 most = ivec2(uLattice.xy) - 1;
  ivec2 inside = clamp(most - abs(most - abs(cell)), ivec2(0), most);
  float height = texelFetch(uHeights, inside, 0).r;
  ${melts ? MELTED : ""}
  return height;
}
vec3 raised(vec2 quad) {
  int more = int(uLattice.w);
  int step = int(tile.z);
  ivec2 cell = min(ivec2(tile.xy) + ivec2(quad) * step, ivec2(uLattice.xy) + 2 * more - 1);
  float far = distance(vec2(cell), uFocus) / (${REACH}.0 * tile.z);
  cell -= more;
  float own = heightOf(cell);
  ivec2 odd = (ivec2(quad) & 1) * step;
  float height = own;
  // In the coarser mesh it lies on an edge or, odd both ways, on the diagonal: north-east, south-west.
  if (far > ${BLEND}) {
    float merged = 0.5
      * (heightOf(cell + ivec2(odd.x, -odd.y)) + heightOf(cell + ivec2(-odd.x, odd.y)));
    height = mix(own, merged, smoothstep(${BLEND}, 1.0, far));
  }
  vPlace = (vec2(cell) + 0.5) / uLattice.xy;
  vec2 flatly = placeOf(cell);
  return vec3(flatly.x, height, flatly.y);
}`;

/** Raises a material's vertices to the sheet. `head` comes before, and gives what `melts` needs. */
export function raise(
  material: Material,
  uniforms: Readonly<Record<string, { value: unknown }>>,
  head: string,
): void {
  const before = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    const text = patchedAfter(shader.vertexShader, "#include <common>", head);
    shader.vertexShader = patchedAfter(
      text,
      "#include <begin_vertex>",
      "transformed = raised(position.xz);",
    );
  };
}

export function sheetOf(lattice: Lattice, more = 0): Sheet {
  return {
    uHeights: { value: heightsOf(lattice) },
    uLattice: { value: new Vector4(lattice.cols, lattice.rows, lattice.cell, more) },
    uMiddle: { value: new Vector2(lattice.x ?? 0, lattice.z ?? 0) },
    uFocus: { value: new Vector2(Number.NEGATIVE_INFINITY, 0) },
  };
}

export function heightsOf({ metres, rows, cols }: Lattice): DataTexture {
  const heights = metres as Float32Array<ArrayBuffer>;
  const texture = new DataTexture(heights, cols, rows, RedFormat, FloatType);
  texture.needsUpdate = true;
  return texture;
}

/** Which way the ground leans, smoothed for what is far away. */
export const slopesOf = (leans: Uint8Array<ArrayBuffer>, { rows, cols }: Lattice): DataTexture =>
  smooth(new DataTexture(leans, cols, rows, RGFormat));

export function coloursOf(colours: Uint8Array<ArrayBuffer>, { rows, cols }: Lattice): DataTexture {
  const texture = new DataTexture(colours, cols, rows);
  texture.colorSpace = SRGBColorSpace;
  return smooth(texture);
}

/** How high the ground lies above water. */
export const bytesOf = (bytes: Uint8Array<ArrayBuffer>, { rows, cols }: Lattice): DataTexture =>
  smooth(new DataTexture(bytes, cols, rows, RedFormat));

/** Not anisotropic: Mesa's software renderer hangs for a minute where it filters these so. */
function smooth(texture: DataTexture): DataTexture {
  texture.wrapS = texture.wrapT = MirroredRepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
