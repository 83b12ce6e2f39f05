// Heights in tiles: from the colours of a picture to metres, and to the colours MapLibre reads.

import type { Bounds, Encoding } from "./description";

/** A square tile of heights [m], row 0 in the north. */
export interface Heights {
  size: number;
  metres: Float32Array;
}

/** The land among all pixels of a zoom: columns from the west, rows from the north. */
export interface Extent {
  left: number;
  /** The first column east of it. */
  right: number;
  top: number;
  /** The first row south of it. */
  bottom: number;
}

/** A place among the tiles of a zoom. */
export interface Place {
  x: number;
  y: number;
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

/** Returns the pixels whose centres lie on the land, at a zoom with tiles of that size. */
export function extent(bounds: Bounds, z: number, size: number): Extent {
  const [west, south, east, north] = bounds;
  const across = size * 2 ** z;
  const left = Math.round(eastward(west) * across);
  const top = Math.round(southward(north) * across);
  return {
    left,
    right: Math.max(Math.round(eastward(east) * across), left + 1),
    top,
    bottom: Math.max(Math.round(southward(south) * across), top + 1),
  };
}

/** Returns the tile that holds the land's nearest samples to a tile: itself, where it has some. */
export function nearest({ x, y }: Place, land: Extent, size: number): Place {
  const within = (tile: number, first: number, end: number): number =>
    Math.min(Math.max(tile, Math.floor(first / size)), Math.floor((end - 1) / size));
  return { x: within(x, land.left, land.right), y: within(y, land.top, land.bottom) };
}

/** Longitude [°] as a share of the way round the Mercator square, 0 to 1. */
export function eastward(longitude: number): number {
  return (longitude + 180) / 360;
}

/** Latitude [°] as a share of the way down the Mercator square, 0 to 1. */
export function southward(latitude: number): number {
  return (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
}

/** Returns the heights of a tile with the land's outermost ones carried on outside. */
export function carriedOn(from: Heights, source: Place, at: Place, land: Extent): Heights {
  const { size } = from;
  const column = near(size, at.x, source.x, land.left, land.right);
  const row = near(size, at.y, source.y, land.top, land.bottom);
  const metres = new Float32Array(size * size);
  for (let r = 0; r < size; r++) {
    const start = (row[r] as number) * size;
    for (let c = 0; c < size; c++) {
      metres[r * size + c] = from.metres[start + (column[c] as number)] as number;
    }
  }
  return { size, metres };
}

/** For each pixel along a tile, the pixel of the source tile whose height it takes. */
function near(size: number, tile: number, source: number, first: number, end: number): number[] {
  return Array.from({ length: size }, (_, i) => {
    const inside = Math.min(Math.max(tile * size + i, first), end - 1) - source * size;
    return Math.min(Math.max(inside, 0), size - 1);
  });
}

/** Returns the heights as water stands on them. */
export function flooded({ size, metres }: Heights, sea: number | null): Heights {
  return sea === null ? { size, metres } : { size, metres: metres.map((z) => Math.max(z, sea)) };
}

/**
 * Returns the land as a block that stands on the map's plain: heights above `floor`, falling to 0
 * within `slope` pixels outside.
 */
export function block(
  top: Heights,
  at: Place,
  land: Extent,
  floor: number,
  slope: number,
): Heights {
  const { size } = top;
  const beside = (tile: number, first: number, end: number): number[] =>
    Array.from({ length: size }, (_, i) => {
      const pixel = tile * size + i;
      return Math.max(first - pixel, pixel - (end - 1), 0);
    });
  const columns = beside(at.x, land.left, land.right);
  const rows = beside(at.y, land.top, land.bottom);
  const metres = top.metres.map((height, i) => {
    const out = Math.max(columns[i % size] as number, rows[Math.floor(i / size)] as number);
    return (height - floor) * Math.max(1 - out / slope, 0);
  });
  return { size, metres };
}
