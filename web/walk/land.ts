/** Reads walk.json and the blocks beside it (see ../README.md). */

import { type Block, readBlock, values } from "../studio/api/block.ts";

export interface Grid {
  readonly ny: number;
  readonly nx: number;
  readonly cell_size: number;
}

/** A place to look from; `heading` in degrees clockwise from north. */
export interface Stand {
  readonly x: number;
  readonly z: number;
  readonly heading: number;
}

export interface Viewpoint extends Stand {
  readonly name: string;
  readonly kind: string;
}

export interface Limits {
  readonly circle: { readonly x: number; readonly z: number; readonly radius: number } | null;
  readonly clearance: number | null;
  readonly margin: number;
  readonly wade: number;
  readonly climb: number;
}

interface File {
  readonly file: string;
}

interface TableFile extends File {
  readonly columns: readonly string[];
}

interface ThingsFile extends TableFile {
  readonly kind: string;
  readonly size: number;
  readonly species: readonly string[];
}

type Layers = Readonly<Record<string, File>>;

/** What walk.json says. */
export interface About {
  readonly format: string;
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly grid: Grid;
  readonly range: readonly [number, number];
  readonly sea_level: number | null;
  readonly layers: Layers;
  readonly rivers: TableFile | null;
  readonly scatter: readonly ThingsFile[];
  readonly grass_patch: (TableFile & { readonly edge: number }) | null;
  readonly around: { grid: Grid; x: number; z: number; layers: Layers } | null;
  readonly start: Stand;
  readonly limits: Limits;
  readonly viewpoints: readonly Viewpoint[];
}

/** Rows of numbers with named columns. */
export class Table {
  readonly numbers: Float32Array;
  readonly columns: readonly string[];

  constructor(numbers: Float32Array, columns: readonly string[]) {
    [this.numbers, this.columns] = [numbers, columns];
  }

  get count(): number {
    return this.numbers.length / this.columns.length;
  }

  /** The rows with these columns only, in this order; a column that is missing is 0. */
  only(columns: readonly string[]): Float32Array {
    const wide = this.columns.length;
    const made = new Float32Array(this.count * columns.length);
    columns.forEach((column, to) => {
      const from = this.columns.indexOf(column);
      if (from < 0) return;
      for (let row = 0; row < this.count; row++)
        made[row * columns.length + to] = this.numbers[row * wide + from] as number;
    });
    return made;
  }
}

/** Things of a kind, and how high one of scale 1 is [m]. */
export interface Things {
  readonly kind: string;
  readonly size: number;
  readonly species: readonly string[];
  readonly table: Table;
}

/** The coarse land round the fine one, its middle at x, z. */
export interface Around {
  readonly grid: Grid;
  readonly x: number;
  readonly z: number;
  readonly layers: Readonly<Record<string, Block>>;
}

export interface Walk {
  readonly about: About;
  readonly grid: Grid;
  /** [m], row by row from the north-west. */
  readonly elevation: Float32Array;
  readonly layers: Readonly<Record<string, Block>>;
  readonly rivers: Table | null;
  readonly scatter: readonly Things[];
  readonly patch: { readonly edge: number; readonly table: Table } | null;
  readonly around: Around | null;
}

/** Loads a walk. Throws an Error with a sentence for what is not there or not what it should be. */
export async function loadWalk(url: string): Promise<Walk> {
  const about = (await (await get(url)).json()) as About;
  if (about.format !== "downcut-walk" || about.version !== 1)
    throw new Error(`${url} is no walk that this version reads`);
  const base = new URL(url, document.baseURI);
  const block = async ({ file }: File) =>
    readBlock(await (await get(new URL(file, base))).arrayBuffer());
  const table = async (file: TableFile) => new Table(values(await block(file)), file.columns);
  const blocks = async (layers: Layers) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(layers).map(async ([name, file]) => [name, await block(file)] as const),
      ),
    );
  const { around, grass_patch } = about;
  const [layers, rivers, scatter, patch, beyond] = await Promise.all([
    blocks(about.layers),
    about.rivers && table(about.rivers),
    Promise.all(about.scatter.map(async (things) => ({ ...things, table: await table(things) }))),
    grass_patch && table(grass_patch),
    around && blocks(around.layers),
  ]);
  if (!layers.elevation) throw new Error(`${url} names no elevation`);
  return {
    about,
    grid: about.grid,
    elevation: values(layers.elevation),
    layers,
    rivers,
    scatter,
    patch: patch && grass_patch ? { edge: grass_patch.edge, table: patch } : null,
    around: around && beyond ? { ...around, layers: beyond } : null,
  };
}

async function get(url: string | URL): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} is not there (${answer.status})`);
  return answer;
}
