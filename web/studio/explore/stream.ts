/** Fetches what is wanted, the most needed first: a few batches on the way, the outdated cancelled. */

import { type Chunk, nameOf } from "./tree.ts";
import type { Land } from "./world.ts";

/** Batches on the way at most: one is made while the other comes. */
const BATCHES = 2;
/** Chunks in a batch at most, and at first. */
export const MOST = 32;
const FEW = 4;
/** What a batch should take [s]: longer ones would hold back what becomes urgent. */
const LASTS = 0.4;
/** A batch is cancelled when less than this share of what is left of it is wanted. */
const STALE = 0.25;
/** After a failure nothing is asked for so long [s]. */
const PAUSE = 2;

interface Batch {
  readonly names: Set<string>;
  readonly ended: AbortController;
}

export type Fetch = (
  chunks: readonly Chunk[],
  take: (land: Land) => void,
  signal: AbortSignal,
) => Promise<void>;

export class Stream {
  private readonly batches = new Set<Batch>();
  private readonly fetch: Fetch;
  private readonly take: (land: Land) => void;
  private readonly fail: (error: Error) => void;
  private batch = FEW;
  private pausedUntil = 0;

  constructor(fetch: Fetch, take: (land: Land) => void, fail: (error: Error) => void) {
    [this.fetch, this.take, this.fail] = [fetch, take, fail];
  }

  /** Whether nothing is on its way. */
  get isIdle(): boolean {
    return this.batches.size === 0;
  }

  /** Hears what is wanted now, the most needed first. */
  want(chunks: readonly Chunk[], now: number): void {
    const names = new Set(chunks.map(nameOf));
    for (const batch of this.batches) {
      const needed = [...batch.names].filter((name) => names.has(name)).length;
      if (needed < STALE * batch.names.size) this.cancel(batch);
    }
    if (now < this.pausedUntil) return;
    const coming = new Set([...this.batches].flatMap((batch) => [...batch.names]));
    const missing = chunks.filter((chunk) => !coming.has(nameOf(chunk)));
    while (this.batches.size < BATCHES && missing.length > 0)
      void this.ask(missing.splice(0, this.batch), now);
  }

  stop(): void {
    for (const batch of this.batches) this.cancel(batch);
  }

  private cancel(batch: Batch): void {
    this.batches.delete(batch);
    batch.ended.abort();
  }

  private async ask(chunks: readonly Chunk[], now: number): Promise<void> {
    const batch = { names: new Set(chunks.map(nameOf)), ended: new AbortController() };
    this.batches.add(batch);
    const begun = performance.now();
    try {
      await this.fetch(
        chunks,
        (land) => {
          batch.names.delete(nameOf(land.chunk));
          this.take(land);
        },
        batch.ended.signal,
      );
      const each = (performance.now() - begun) / 1000 / chunks.length;
      this.batch = Math.min(Math.max(Math.round(LASTS / each), FEW), MOST);
    } catch (error) {
      if (batch.ended.signal.aborted) return;
      this.pausedUntil = now + PAUSE;
      this.fail(error as Error);
    } finally {
      this.batches.delete(batch);
    }
  }
}
