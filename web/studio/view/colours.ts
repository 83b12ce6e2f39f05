/** How layers are coloured: ramps from low to high, and colours of numbers that only tell apart. */

import type { Block } from "../api/block.ts";

type Stops = readonly string[];

const RAMPS: Readonly<Record<string, Stops>> = {
  terrain: ["#3d6b57", "#7f9f62", "#cdbf82", "#b1875c", "#8b7467", "#f4f1ee"],
  water: ["#eef4f4", "#a3cbdd", "#4b90bb", "#1b5387", "#0c2754"],
  flow: ["#f6f0e2", "#c4dbd0", "#6bb0ba", "#2c6b9c", "#142a62"],
  moisture: ["#c5a165", "#e8dcae", "#9fc191", "#3f8f83", "#15506d"],
  grey: ["#17191d", "#55585c", "#a3a49f", "#f3f2ee"],
};
const APART: Stops = [
  "#8ca85c", "#4f8f86", "#d9b65d", "#b5653f", "#7a6ca8", "#5b9bc9", "#c98ba0", "#6f7d4a",
  "#d98f4e", "#3f6d9a", "#a8a29a", "#7fb59b", "#8a5a44", "#c2c76b", "#54626f", "#b47fc0",
]; // biome-ignore format: a palette

/** Kinds of layers whose numbers span magnitudes. */
const MAGNITUDES = "flow";
const NUMBERED = ["numbers", "biomes"];
/** Numbers that each have a place in the legend, at most. */
const MOST_KEYS = 12;
const PAPER = "#f1ece0";

export interface Painted {
  /** 8-bit sRGB and how opaque; one of each cell. */
  readonly pixels: Uint8Array;
  readonly low: number | null;
  readonly high: number | null;
  readonly stops: Stops;
  readonly logarithmic: boolean;
  /** Where the numbers are few: the colour of each, and what it is. */
  readonly keys: readonly Key[];
}

interface Key {
  readonly colour: string;
  readonly words: string;
}

/**
 * Colours a layer of the kind that `downcut.layers` says ("terrain", "flow" …); `named` are the names
 * and colours of its numbers, where it has them.
 */
export function painted(block: Block, kind: string, named: readonly Named[] = []): Painted {
  const [rows = 1, cols = 1, bands = 1] = block.shape;
  const pixels = new Uint8Array(4 * rows * cols).fill(255);
  if (bands > 1) return { ...fromBands(block, pixels, bands), pixels };
  if (named.length > 0) return { ...few(block, pixels, named), pixels };
  if (NUMBERED.includes(kind)) return { ...numbered(block, pixels), pixels };
  const most = block.high ?? 0;
  if (block.data instanceof Uint8Array && most <= MOST_KEYS)
    return {
      ...few(thick(block), pixels, ordered(RAMPS[kind] ?? (RAMPS.grey as Stops), most)),
      pixels,
    };
  return ramped(block, pixels, kind);
}

interface Named {
  readonly name: string;
  readonly colour: string;
}

/** Paper for 0, which is "none", and a ramp's stronger colours for the numbers above it. */
function ordered(stops: Stops, most: number): Named[] {
  const table = ramp(stops, 256);
  return Array.from({ length: most + 1 }, (_, k) => {
    const at = 3 * Math.round(255 * (0.4 + (0.6 * k) / Math.max(most, 1)));
    const colour = k === 0 ? PAPER : hex(table.subarray(at, at + 3));
    return { name: String(k), colour };
  });
}

/** Lines one cell wide are seen only where they are drawn wider: south and east of themselves. */
function thick(block: Block): Block {
  const [rows = 1, cols = 1] = block.shape;
  const data = Uint8Array.from(block.data);
  for (let k = data.length - 1; k >= 0; k--) {
    const north = k >= cols ? (block.data[k - cols] as number) : 0;
    const west = k % cols > 0 ? (block.data[k - 1] as number) : 0;
    data[k] = Math.max(data[k] as number, north, west);
  }
  return { ...block, data, shape: [rows, cols] };
}

function few(
  { data }: Block,
  pixels: Uint8Array,
  named: readonly Named[],
): Omit<Painted, "pixels"> {
  const table = named.map(({ colour }) => rgb(colour));
  const found = new Set<number>();
  for (let k = 0; k < data.length; k++) {
    const number = Math.min(Math.max(data[k] as number, 0), table.length - 1);
    found.add(number);
    for (let c = 0; c < 3; c++) pixels[4 * k + c] = table[number]?.[c] as number;
  }
  const keys = named.flatMap(({ name, colour }, k) =>
    found.has(k) ? [{ words: name, colour }] : [],
  );
  return { low: null, high: null, stops: [], logarithmic: false, keys };
}

function ramped(block: Block, pixels: Uint8Array, kind: string): Painted {
  const stops = RAMPS[kind] ?? (RAMPS.grey as Stops);
  const logarithmic = kind === MAGNITUDES && (block.high ?? 0) > 50 * Math.max(block.low ?? 0, 1);
  const { scale = 1, offset = 0, data } = block;
  const [low, high] = [block.low ?? 0, block.high ?? 1];
  const bottom = logarithmic ? Math.max(low, lowestAbove(data, 0)) : low;
  const tell = logarithmic
    ? (value: number) => Math.log(Math.max(value, bottom) / bottom) / Math.log(high / bottom)
    : (value: number) => (value - low) / Math.max(high - low, 1e-30);
  const table = ramp(stops, 256);
  for (let k = 0; k < data.length; k++) {
    const share = tell(offset + scale * (data[k] as number));
    const at = 3 * Math.round(255 * Math.min(Math.max(share, 0), 1));
    for (let c = 0; c < 3; c++) pixels[4 * k + c] = table[at + c] as number;
  }
  return { pixels, low: bottom, high, stops, logarithmic, keys: [] };
}

function numbered({ data }: Block, pixels: Uint8Array): Omit<Painted, "pixels"> {
  const table = APART.map(rgb);
  for (let k = 0; k < data.length; k++) {
    const number = data[k] as number;
    const colour = table[(((number * 7) % table.length) + table.length) % table.length] as number[];
    for (let c = 0; c < 3; c++) pixels[4 * k + c] = number === 0 ? 228 : (colour[c] as number);
  }
  return { low: null, high: null, stops: APART, logarithmic: false, keys: [] };
}

function fromBands({ data }: Block, pixels: Uint8Array, bands: number): Omit<Painted, "pixels"> {
  const whole = data instanceof Uint8Array;
  for (let k = 0; k < pixels.length / 4; k++)
    for (let c = 0; c < 3; c++) {
      const value = data[bands * k + c] as number;
      pixels[4 * k + c] = whole ? value : 127.5 + 127.5 * value;
    }
  return { low: null, high: null, stops: [], logarithmic: false, keys: [] };
}

/** A ramp of n colours between stops, as bytes. */
function ramp(stops: Stops, n: number): Uint8Array {
  const colours = stops.map(rgb);
  return Uint8Array.from({ length: 3 * n }, (_, k) => {
    const at = (Math.floor(k / 3) / (n - 1)) * (colours.length - 1);
    const first = Math.min(Math.floor(at), colours.length - 2);
    const [a, b] = [colours[first], colours[first + 1]] as [number[], number[]];
    const c = k % 3;
    return (a[c] as number) + ((b[c] as number) - (a[c] as number)) * (at - first);
  });
}

function rgb(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

const hex = (colour: ArrayLike<number>): string =>
  `#${Array.from(colour, (part) => part.toString(16).padStart(2, "0")).join("")}`;

function lowestAbove(data: ArrayLike<number>, floor: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < data.length; k++) {
    const value = data[k] as number;
    if (value > floor && value < least) least = value;
  }
  return Number.isFinite(least) ? least : 1;
}

/** A round interval (1, 2 or 5 times a power of ten) that cuts a range into about `parts`. */
export function roundInterval(range: number, parts: number): number {
  if (!(range > 0)) return 1;
  const rough = range / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const [share = 10] = [1, 2, 5, 10].filter((n) => n * power >= rough * 0.999);
  return share * power;
}
