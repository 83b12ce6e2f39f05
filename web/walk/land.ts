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
  /** Places worth going to on all the land, known roughly. */
  readonly sights?: readonly Viewpoint[];
  /** Where the land ends: west, south, east, north, as `place`; null where it goes on. */
  readonly bounds?: readonly [number, number, number, number] | null;
  /** The grid's middle: metres east and north of the land's. */
  readonly place?: { readonly x: number; readonly y: number };
  /** Where windows about {x},{y} are, relative to this file; null where there is this one alone. */
  readonly onward?: string | null;
}

/** Where x and z of the scene are 0: metres east and north of the land's middle. */
export interface Origin {
  readonly east: number;
  readonly north: number;
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

  /** Moves every place. */
  move(x: number, z: number): void {
    const wide = this.columns.length;
    for (const [column, by] of [
      ["x", x],
      ["z", z],
    ] as const) {
      const at = this.columns.indexOf(column);
      if (at < 0 || by === 0) continue;
      for (let k = at; k < this.numbers.length; k += wide)
        this.numbers[k] = (this.numbers[k] as number) + by;
    }
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

/** A window of a land; every place in it is in the scene's x and z. */
export interface Walk {
  readonly about: About;
  readonly address: string;
  readonly origin: Origin;
  /** The grid's middle. */
  readonly x: number;
  readonly z: number;
  readonly grid: Grid;
  /** [m], row by row from the north-west. */
  readonly elevation: Float32Array;
  readonly layers: Readonly<Record<string, Block>>;
  readonly rivers: Table | null;
  readonly scatter: readonly Things[];
  readonly patch: { readonly edge: number; readonly table: Table } | null;
  readonly around: Around | null;
}

/** Origins lie on multiples of this [m]: patterns that repeat within it are alike in any scene. */
const WHOLE = 2000;

const originNear = ({ x, y }: { readonly x: number; readonly y: number }): Origin => ({
  east: Math.round(x / WHOLE) * WHOLE,
  north: Math.round(y / WHOLE) * WHOLE,
});

/**
 * Loads a window, from an address that is whole, into a scene with this origin or one of its own.
 * Throws an Error with a sentence for what is not there or not what it should be.
 */
export async function loadWalk(url: string, given?: Origin): Promise<Walk> {
  const about = (await (await get(url)).json()) as About;
  if (about.format !== "downcut-walk" || about.version !== 1)
    throw new Error(`${url} is no walk that this version reads`);
  const block = async ({ file }: File) =>
    readBlock(await (await get(new URL(file, url))).arrayBuffer());
  const table = async (file: TableFile) => new Table(values(await block(file)), file.columns);
  const blocks = async (layers: Layers) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(layers).map(async ([name, file]) => [name, await block(file)] as const),
      ),
    );
  const { around, grass_patch } = about;
  const [layers, rivers, scatter, patch, beyond] = await Promise.all([
    blocks(withoutDepth(about.layers)),
    about.rivers && table(about.rivers),
    Promise.all(about.scatter.map(async (things) => ({ ...things, table: await table(things) }))),
    grass_patch && table(grass_patch),
    around && blocks(around.layers),
  ]);
  if (!layers.elevation) throw new Error(`${url} names no elevation`);
  const place = about.place ?? { x: 0, y: 0 };
  const origin = given ?? originNear(place);
  const [x, z] = [place.x - origin.east, origin.north - place.y];
  for (const each of [rivers, ...scatter.map(({ table }) => table)]) each?.move(x, z);
  return {
    about: moved(about, x, z),
    address: url,
    origin,
    x,
    z,
    grid: about.grid,
    elevation: values(layers.elevation),
    layers,
    rivers,
    scatter,
    patch: patch && grass_patch ? { edge: grass_patch.edge, table: patch } : null,
    around:
      around && beyond ? { ...around, x: around.x + x, z: around.z + z, layers: beyond } : null,
  };
}

/** What walk.json says, with its places in the scene. */
function moved(about: About, x: number, z: number): About {
  const to = <T extends { x: number; z: number }>(place: T): T => ({
    ...place,
    x: place.x + x,
    z: place.z + z,
  });
  const { circle } = about.limits;
  return {
    ...about,
    start: to(about.start),
    viewpoints: about.viewpoints.map(to),
    sights: about.sights?.map(to) ?? [],
    limits: { ...about.limits, circle: circle && to(circle) },
  };
}

/** How deep water is follows from its surface and the ground. */
const withoutDepth = ({ water_depth: _, ...layers }: Record<string, File>): Layers => layers;

async function get(url: string | URL): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok)
    throw new Error((await saidBy(answer)) ?? `${url} is not there (${answer.status})`);
  return answer;
}

/** The sentence with which a studio refuses. */
async function saidBy(answer: Response): Promise<string | null> {
  if (!answer.headers.get("content-type")?.includes("json")) return null;
  const { error } = (await answer.json()) as { error?: unknown };
  return typeof error === "string" ? error : null;
}
