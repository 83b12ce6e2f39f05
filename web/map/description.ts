// What map.json says, checked: it may come from anywhere, and the page trusts no word of it.

export type Encoding = "terrarium" | "terrain-rgb";
export type Bounds = [west: number, south: number, east: number, north: number];

/** Where tiles are: single files by a pattern, or one PMTiles archive. */
export interface Tiles {
  tiles: string | null;
  archive: string | null;
  tileSize: 256 | 512;
  minzoom: number;
  maxzoom: number;
}

export interface Label {
  text: string;
  kind: "summit" | "lake" | "place";
  at: [longitude: number, latitude: number];
}

/** Where a world without an edge is first seen. */
export interface Start {
  at: [longitude: number, latitude: number];
  /** As tiles of 256 pixels count it. */
  zoom: number;
}

export interface Description {
  title: string;
  bounds: Bounds;
  /** For a world: it has no edge to show. Null for a land, which is seen whole at first. */
  start: Start | null;
  /** West to east, south to north [m]; null where nobody says. */
  extent: [number, number] | null;
  range: [lowest: number, highest: number];
  seaLevel: number | null;
  exaggeration: number;
  elevation: Tiles & { encoding: Encoding };
  colour: Tiles | null;
  rivers: string | null;
  lakes: string | null;
  labels: Label[];
  recipe: string;
  madeBy: string;
}

/** Slider's ends: below is flat, above is a caricature. */
export const EXAGGERATION: [number, number] = [0.5, 5];

type Plain = Record<string, unknown>;

/** Reads a description; `base` is the address of the page's folder, which no path may leave. */
export function describe(plain: unknown, base: string): Description {
  const map = record(plain, "the file");
  if (map.format !== "downcut-map" || map.version !== 1) {
    throw new Error("it is no downcut-map of version 1");
  }
  const elevation = record(map.elevation, "elevation");
  return {
    title: text(map.title, "title"),
    bounds: bounds(map.bounds),
    start: map.start == null ? null : start(record(map.start, "start")),
    extent: map.extent == null ? null : pair(map.extent, "extent", 0, 4e7),
    range: range(map.range),
    seaLevel: map.sea_level == null ? null : number(map.sea_level, "sea_level", -20_000, 20_000),
    exaggeration: map.exaggeration == null ? 1 : number(map.exaggeration, "exaggeration", 0.5, 5),
    elevation: {
      ...tiles(elevation, "elevation", base),
      encoding: oneOf(elevation.encoding, ["terrarium", "terrain-rgb"], "elevation.encoding"),
    },
    colour: map.colour == null ? null : tiles(record(map.colour, "colour"), "colour", base),
    rivers: map.rivers == null ? null : inside(map.rivers, "rivers", base),
    lakes: map.lakes == null ? null : inside(map.lakes, "lakes", base),
    labels: list(map.labels ?? [], "labels").map(label),
    recipe: text(map.recipe ?? "", "recipe"),
    madeBy: text(map.made_by ?? "downcut", "made_by"),
  };
}

function tiles(plain: Plain, name: string, base: string): Tiles {
  const pattern = plain.tiles == null ? null : inside(plain.tiles, `${name}.tiles`, base);
  const archive = plain.archive == null ? null : inside(plain.archive, `${name}.archive`, base);
  if ((pattern === null) === (archive === null)) {
    throw new Error(`${name} has to name either tiles or an archive`);
  }
  const minzoom = number(plain.minzoom, `${name}.minzoom`, 0, 24);
  return {
    tiles: pattern,
    archive,
    tileSize: number(plain.tile_size, `${name}.tile_size`, 256, 512) === 512 ? 512 : 256,
    minzoom,
    maxzoom: number(plain.maxzoom, `${name}.maxzoom`, minzoom, 24),
  };
}

/** Returns the address of a path of the page's own folder. */
function inside(value: unknown, name: string, base: string): string {
  const path = text(value, name);
  const address = new URL(path, base).href;
  if (!address.startsWith(base)) throw new Error(`${name} leaves the page's folder: ${path}`);
  return address.replaceAll("%7B", "{").replaceAll("%7D", "}");
}

function bounds(value: unknown): Bounds {
  const [west, south, east, north] = list(value, "bounds").map((side, i) =>
    number(side, `bounds[${i}]`, i % 2 ? -85 : -180, i % 2 ? 85 : 180),
  );
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    throw new Error("bounds has to be [west, south, east, north]");
  }
  if (west >= east || south >= north) throw new Error("bounds has no area");
  return [west, south, east, north];
}

function start({ at, zoom }: Plain): Start {
  return { at: pair(at, "start.at", -180, 180), zoom: number(zoom, "start.zoom", 0, 24) };
}

function range(value: unknown): [number, number] {
  const [low, high] = pair(value, "range", -20_000, 20_000);
  if (low > high) throw new Error("range has to be [lowest, highest]");
  return [low, high];
}

function label(value: unknown): Label {
  const plain = record(value, "a label");
  return {
    text: text(plain.text, "a label's text"),
    kind: oneOf(plain.kind, ["summit", "lake", "place"], "a label's kind"),
    at: pair(plain.at, "a label's place", -180, 180),
  };
}

function pair(value: unknown, name: string, low: number, high: number): [number, number] {
  const [first, second] = list(value, name);
  return [number(first, `${name}[0]`, low, high), number(second, `${name}[1]`, low, high)];
}

function record(value: unknown, name: string): Plain {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Plain;
  throw new Error(`${name} has to be an object`);
}

function list(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${name} has to be a list`);
}

function text(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new Error(`${name} has to be a text`);
}

function number(value: unknown, name: string, low: number, high: number): number {
  if (typeof value === "number" && value >= low && value <= high) return value;
  throw new Error(`${name} has to be a number from ${low} to ${high}`);
}

function oneOf<T extends string>(value: unknown, words: readonly T[], name: string): T {
  const word = words.find((each) => each === value);
  if (word) return word;
  throw new Error(`${name} has to be one of ${words.join(", ")}`);
}
