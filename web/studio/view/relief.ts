/** Layers as textures, and the shader pieces that read a height anywhere between the cells. */

import {
  ClampToEdgeWrapping,
  DataTexture,
  FloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  NoColorSpace,
  RedFormat,
  RGBAFormat,
  SRGBColorSpace,
  type Texture,
  UnsignedByteType,
} from "three";
import { type Block, values } from "../api/block.ts";

/** A texture that is filled anew in place while the shape stays the same. */
export class Plane {
  texture: DataTexture;
  rows = 1;
  cols = 1;

  constructor(private readonly kind: "heights" | "colours") {
    this.texture = this.made(kind === "heights" ? new Float32Array(1) : new Uint8Array(4), 1, 1);
  }

  /** Takes a layer; true if its shape differs from the last one's. */
  fill(block: Block): boolean {
    const [rows = 1, cols = 1] = block.shape;
    const numbers = this.kind === "heights" ? values(block) : (block.data as Uint8Array);
    const reshaped = rows !== this.rows || cols !== this.cols;
    if (reshaped) {
      this.texture.dispose();
      [this.rows, this.cols] = [rows, cols];
      this.texture = this.made(numbers, cols, rows);
    } else {
      this.texture.image.data = numbers as Uint8Array;
    }
    this.texture.needsUpdate = true;
    return reshaped;
  }

  private made(numbers: Float32Array | Uint8Array, cols: number, rows: number): DataTexture {
    const heights = this.kind === "heights";
    const texture = new DataTexture(
      numbers as Uint8Array,
      cols,
      rows,
      heights ? RedFormat : RGBAFormat,
      heights ? FloatType : UnsignedByteType,
    );
    texture.colorSpace = heights ? NoColorSpace : SRGBColorSpace;
    texture.magFilter = LinearFilter;
    texture.minFilter = heights ? LinearFilter : LinearMipmapLinearFilter;
    texture.generateMipmaps = !heights;
    texture.anisotropy = heights ? 1 : 8;
    texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
    texture.needsUpdate = true;
    return texture;
  }
}

export interface ReliefUniforms {
  /** Elevation [m] at cell centres, row 0 north. */
  readonly uHeight: { value: Texture };
  /** (columns, rows). */
  readonly uCells: { value: { x: number; y: number } };
  /** Scene units a metre: along the ground, and upward (exaggerated). */
  readonly uAcross: { value: number };
  readonly uUp: { value: number };
  /** The elevation [m] that lies at y = 0. */
  readonly uDatum: { value: number };
  /** Edge of a cell [m]. */
  readonly uCell: { value: number };
}

/** Height [scene units] and slope at a place (0–1 from the north-west corner). */
export const RELIEF_GLSL = /* glsl */ `
uniform highp sampler2D uHeight;
uniform vec2 uCells;
uniform float uUp;
uniform float uAcross;
uniform float uDatum;
uniform float uCell;

float reliefAt(vec2 place) {
  return (texture2D(uHeight, place).r - uDatum) * uUp;
}

vec3 reliefNormal(vec2 place) {
  vec2 t = 1.0 / uCells;
  float east = texture2D(uHeight, place + vec2(t.x, 0.0)).r - texture2D(uHeight, place - vec2(t.x, 0.0)).r;
  float south = texture2D(uHeight, place + vec2(0.0, t.y)).r - texture2D(uHeight, place - vec2(0.0, t.y)).r;
  float steep = uUp / (uAcross * 2.0 * uCell);
  return normalize(vec3(-east * steep, 1.0, -south * steep));
}
`;
