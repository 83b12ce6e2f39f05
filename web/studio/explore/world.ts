/** The world on the server: opened once, then its chunks come in streams (src/downcut/server/exploring.py). */

import { type Block, readBlocks, values } from "../api/block.ts";
import { type Job, type JsonObject, work } from "../api/client.ts";
import { waterLevels } from "../view/shore.ts";
import type { Chunk } from "./tree.ts";

export interface World {
  /** What the server calls it. */
  readonly world: string;
  /** Edge of the finest cells [m]. */
  readonly cell_size: number;
  /** Cells along a chunk, and of its neighbours beside each of its edges. */
  readonly chunk: number;
  readonly border: number;
  readonly deepest: number;
  /** How far from the origin there are chunks, in chunks of any level. */
  readonly farthest: number;
  /** [m], or null for a land without a sea. */
  readonly sea_level: number | null;
  /** The longer edge of the recipe's own land [m]: what counts as far is measured by it. */
  readonly span: number;
  /** Low and high ground [m]. */
  readonly range: readonly [number, number];
  /** A high place to begin at [m east, north]. */
  readonly home: readonly [number, number];
}

/** Land as it has come: heights and levels of water [m] in turn, and colours, with the border. */
export interface Land {
  readonly chunk: Chunk;
  readonly heights: Float32Array;
  readonly colours: Uint8Array;
  readonly low: number;
  readonly high: number;
}

/** Opens the world of a recipe; calls `warms` while the server still compiles its engine. */
export async function openWorld(recipe: JsonObject, warms = () => {}): Promise<World> {
  const tell = ({ op }: Job) => {
    if (op === "warming") warms();
  };
  return (await work({ recipe }, tell, undefined, "api/explore")) as unknown as World;
}

/** What is added to the length of a frame that is no chunk, but news. */
const NEWS = 2 ** 31;

/**
 * Asks for chunks and gives each on as it comes, in whatever order; `hear` is told of provinces that
 * begin to grow, in cells of so many metres. Throws where the server refuses or breaks off.
 */
export async function fetchChunks(
  world: World,
  chunks: readonly Chunk[],
  take: (land: Land) => void,
  hear: (cell: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch("api/explore/chunks", {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      world: world.world,
      chunks: chunks.map(({ level, row, col }) => [level, row, col]),
    }),
    signal,
  });
  if (!answer.ok || !answer.body) {
    const said = (await answer.json().catch(() => ({}))) as { error?: string };
    throw new Error(said.error ?? `the server answered ${answer.status}`);
  }
  let count = 0;
  for await (const { frame, isNews } of framesOf(answer.body)) {
    if (isNews) hear((JSON.parse(new TextDecoder().decode(frame)) as { grows: number }).grows);
    else {
      take(landOf(readBlocks(frame), world.sea_level));
      count++;
    }
  }
  if (count < chunks.length) throw new Error("the server broke off");
}

/** Cuts a stream into its frames: each is led by its length. */
async function* framesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  let kept = new Uint8Array(0);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const joined = new Uint8Array(kept.length + value.length);
    joined.set(kept);
    joined.set(value, kept.length);
    kept = joined;
    while (kept.length >= 4) {
      const said = new DataView(kept.buffer, kept.byteOffset).getUint32(0, true);
      const length = said % NEWS;
      if (kept.length < 4 + length) break;
      yield { frame: kept.slice(4, 4 + length).buffer, isNews: said >= NEWS };
      kept = kept.subarray(4 + length);
    }
  }
}

function landOf(blocks: Record<string, Block>, sea: number | null): Land {
  const { elevation, water_surface, tint } = blocks;
  if (!elevation || !tint) throw new Error("the server sent no land");
  const ground = values(elevation);
  const cols = elevation.shape[1] ?? 1;
  const levels = waterLevels(ground, water_surface ? values(water_surface) : null, cols, sea);
  const heights = new Float32Array(2 * ground.length);
  for (let k = 0; k < ground.length; k++) {
    const z = ground[k] as number;
    heights[2 * k] = z;
    heights[2 * k + 1] = levels ? (levels[k] as number) : z - 1;
  }
  const [low, high] = [elevation.low ?? 0, Math.max(elevation.high ?? 0, sea ?? -1e9)];
  const { level = 0, row = 0, col = 0 } = elevation;
  return { chunk: { level, row, col }, heights, colours: tint.data as Uint8Array, low, high };
}
