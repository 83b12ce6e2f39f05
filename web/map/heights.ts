// Heights in tiles: from the colours of a picture to metres, and to the colours MapLibre reads.

import type { Bounds, Encoding } from "./description";

/** A square tile of heights [m], row 0 in the north. */
export interface Heights {
  size: number;
  metres: Float32Array;
}

/** Pixels of a tile: columns left to right (excluded), rows top to bottom (excluded). */
export interface Window {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** What MapLibre is to raise: see `surface`. */
export interface Shape {
  sea: number | null;
  floor: number;
}

export function decode(rgba: Uint8ClampedArray, size: number, encoding: Encoding): Heights {
  const metres = new Float32Array(size * size);
  const [red, green, blue, base] =
    encoding === "terrarium" ? [256, 1, 1 / 256, -32768] : [6553.6, 25.6, 0.1, -10000];
  for (let i = 0, at = 0; i < metres.length; i++, at += 4) {
    metres[i] =
      (rgba[at] as number) * red +
      (rgba[at + 1] as number) * green +
      (rgba[at + 2] as number) * blue +
      base;
  }
  return { size, metres };
}

/** Writes a tile in Terrarium's code, to the nearest 1/256 m. */
export function encode({ size, metres }: Heights): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(size * size * 4);
  for (let i = 0, at = 0; i < metres.length; i++, at += 4) {
    const code = Math.min(Math.max(Math.round(((metres[i] as number) + 32768) * 256), 0), 0xffffff);
    rgba[at] = code >> 16;
    rgba[at + 1] = (code >> 8) & 255;
    rgba[at + 2] = code & 255;
    rgba[at + 3] = 255;
  }
  return rgba;
}

/** Returns the pixels of tile z/x/y whose centres lie on the land. */
export function landIn(bounds: Bounds, z: number, x: number, y: number, size: number): Window {
  const [west, south, east, north] = bounds;
  const across = size * 2 ** z;
  const pixel = (place: number, tile: number): number =>
    Math.min(Math.max(Math.round(place * across - tile * size), 0), size);
  return {
    left: pixel(eastward(west), x),
    right: pixel(eastward(east), x),
    top: pixel(southward(north), y),
    bottom: pixel(southward(south), y),
  };
}

/** Longitude [°] as a share of the way round the Mercator square, 0 to 1. */
export function eastward(longitude: number): number {
  return (longitude + 180) / 360;
}

/** Latitude [°] as a share of the way down the Mercator square, 0 to 1. */
export function southward(latitude: number): number {
  return (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
}

/**
 * Returns the land as a block that stands on the map's plain: heights above `floor`, the sea level
 * as its water stands, and 0 around it.
 */
export function surface(ground: Heights, land: Window, { sea, floor }: Shape): Heights {
  const { size } = ground;
  const metres = new Float32Array(size * size);
  for (let row = land.top; row < land.bottom; row++) {
    for (let at = row * size + land.left; at < row * size + land.right; at++) {
      const height = ground.metres[at] as number;
      metres[at] = (sea === null || height > sea ? height : sea) - floor;
    }
  }
  return { size, metres };
}

/** Returns the tile with the land's outermost heights carried on outside, so that no edge shows. */
export function carriedOn(ground: Heights, land: Window, lowest = -Infinity): Heights {
  const { size } = ground;
  const metres = new Float32Array(size * size);
  if (land.left >= land.right || land.top >= land.bottom) return { size, metres };
  for (let row = 0; row < size; row++) {
    const from = Math.min(Math.max(row, land.top), land.bottom - 1) * size;
    for (let column = 0; column < size; column++) {
      const near = Math.min(Math.max(column, land.left), land.right - 1);
      metres[row * size + column] = Math.max(ground.metres[from + near] as number, lowest);
    }
  }
  return { size, metres };
}
