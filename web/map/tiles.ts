// The tiles of heights: fetched and decoded once, for the terrain, its light and its figures.

import { addProtocol } from "maplibre-gl";
import { PMTiles } from "pmtiles";
import type { Description } from "./description";
import {
  carriedOn,
  decode,
  eastward,
  encode,
  type Heights,
  landIn,
  type Shape,
  southward,
  surface,
} from "./heights";

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
    const ground = await this.#heights(z, x, y);
    if (!ground) return null;
    const land = landIn(this.#map.bounds, z, x, y, ground.size);
    const shown =
      kind === "surface"
        ? surface(ground, land, this.#shape)
        : carriedOn(ground, land, kind === "shade" ? (this.#shape.sea ?? undefined) : undefined);
    return createImageBitmap(new ImageData(encode(shown), ground.size), AS_IT_IS);
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
    const { data } = context.getImageData(0, 0, image.width, image.width);
    return decode(data, image.width, this.#map.elevation.encoding);
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
