// The tiles of heights: fetched and decoded once, for the terrain, its light and its figures.

import { addProtocol } from "maplibre-gl";
import { PMTiles } from "pmtiles";
import type { Description } from "./description";
import {
  block,
  carriedOn,
  decode,
  eastward,
  encode,
  extent,
  flooded,
  type Heights,
  nearest,
  southward,
} from "./heights";
import { type Shape, WALL } from "./shape";

/** Decoded tiles that are kept: about a screen's. */
const KEPT = 48;

/** Addresses of tiles made here: land://surface/{z}/{x}/{y}, and likewise shade and ground. */
export const SCHEME = "land";

export class HeightTiles {
  readonly #map: Description;
  readonly #shape: Shape;
  readonly #archive: PMTiles | null;
  readonly #kept = new Map<string, Promise<Heights | null>>();

  constructor(map: Description, shape: Shape) {
    this.#map = map;
    this.#shape = shape;
    this.#archive = map.elevation.archive ? new PMTiles(map.elevation.archive) : null;
  }

  /** Lets MapLibre ask here for its tiles. */
  serve(): void {
    addProtocol(SCHEME, async ({ url }) => {
      const [kind, z, x, y] = url.slice(`${SCHEME}://`.length).split("/");
      const picture = await this.#picture(kind as string, Number(z), Number(x), Number(y));
      return { data: picture as ImageBitmap }; // null says that there is no such tile
    });
  }

  /** Returns the elevation of the ground there [m], or null where there is none. */
  async at(longitude: number, latitude: number, zoom: number): Promise<number | null> {
    const [west, south, east, north] = this.#map.bounds;
    if (longitude < west || longitude > east || latitude < south || latitude > north) return null;
    const { minzoom, maxzoom } = this.#map.elevation;
    const z = Math.round(Math.min(Math.max(zoom, minzoom), maxzoom));
    const column = eastward(longitude) * 2 ** z;
    const row = southward(latitude) * 2 ** z;
    const tile = await this.#heights(z, Math.floor(column), Math.floor(row));
    if (!tile) return null;
    const pixel = (share: number): number => Math.floor((share % 1) * tile.size);
    return tile.metres[pixel(row) * tile.size + pixel(column)] ?? null;
  }

  async #picture(kind: string, z: number, x: number, y: number): Promise<ImageBitmap | null> {
    const { bounds, elevation, start } = this.#map;
    if (start) {
      const all = await this.#heights(z, x, y);
      const seen = all && kind !== "ground" ? flooded(all, this.#shape.sea) : all;
      return seen && createImageBitmap(new ImageData(encode(seen), seen.size), AS_IT_IS);
    }
    const land = extent(bounds, z, elevation.tileSize);
    const source = nearest({ x, y }, land, elevation.tileSize);
    const found = await this.#heights(z, source.x, source.y);
    if (!found) return null;
    const ground = carriedOn(found, source, { x, y }, land);
    const shown = kind === "ground" ? ground : flooded(ground, this.#shape.sea);
    const { floor } = this.#shape;
    const slope = WALL * Math.max(land.right - land.left, land.bottom - land.top);
    const heights = kind === "surface" ? block(shown, { x, y }, land, floor, slope) : shown;
    return createImageBitmap(new ImageData(encode(heights), heights.size), AS_IT_IS);
  }

  #heights(z: number, x: number, y: number): Promise<Heights | null> {
    const key = `${z}/${x}/${y}`;
    const known = this.#kept.get(key);
    this.#kept.delete(key); // to stand last again: the first is the longest unused
    const tile = known ?? this.#fetch(z, x, y);
    this.#kept.set(key, tile);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest) this.#kept.delete(oldest);
    tile.catch(() => this.#kept.delete(key));
    return tile;
  }

  async #fetch(z: number, x: number, y: number): Promise<Heights | null> {
    const picture = await this.#file(z, x, y);
    if (!picture) return null;
    const image = await createImageBitmap(picture, AS_IT_IS);
    const canvas = new OffscreenCanvas(image.width, image.width);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("this browser lends no canvas");
    context.drawImage(image, 0, 0);
    const { tileSize, encoding } = this.#map.elevation;
    if (image.width !== tileSize) {
      throw new Error(`tile ${z}/${x}/${y} is ${image.width} wide, and map.json says ${tileSize}`);
    }
    return decode(context.getImageData(0, 0, tileSize, tileSize).data, tileSize, encoding);
  }

  async #file(z: number, x: number, y: number): Promise<Blob | null> {
    if (this.#archive) {
      const tile = await this.#archive.getZxy(z, x, y);
      return tile ? new Blob([tile.data]) : null;
    }
    const pattern = this.#map.elevation.tiles as string;
    const address = pattern
      .replace("{z}", String(z))
      .replace("{x}", String(x))
      .replace("{y}", String(y));
    const answer = await fetch(address);
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
    return answer.blob();
  }
}

/** Pixels are figures here: no colour management, no alpha. */
const AS_IT_IS: ImageBitmapOptions = { colorSpaceConversion: "none", premultiplyAlpha: "none" };
