/** Layers as textures that are filled in place while the shape stays the same. */

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
  UnsignedByteType,
} from "three";

export class Plane {
  texture: DataTexture;
  rows = 1;
  cols = 1;

  private readonly kind: "heights" | "colours";

  private readonly sharpness: number;

  /** Colours seen aslant are as sharp as so many looks a pixel make them. */
  constructor(kind: "heights" | "colours", sharpness = 1) {
    this.kind = kind;
    this.sharpness = sharpness;
    this.texture = this.made(kind === "heights" ? new Float32Array(1) : new Uint8Array(4), 1, 1);
  }

  /** Takes the numbers of a layer; true if its shape differs from the last one's. */
  fill(numbers: Float32Array | Uint8Array, [rows = 1, cols = 1]: readonly number[]): boolean {
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

  dispose(): void {
    this.texture.dispose();
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
    texture.anisotropy = heights ? 1 : this.sharpness;
    texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
    texture.needsUpdate = true;
    return texture;
  }
}
