/** Asks for windows of the land; they are made ready by a worker. */

import { type Origin, Table, type Walk } from "./land.ts";
import { Still } from "./scene/still.ts";
import type { Window } from "./window.ts";

/** Opens a window. Throws an Error with a sentence, as `loadWalk`. */
export async function openWindow(address: string, origin?: Origin): Promise<Window> {
  const worker = new Worker(new URL("./window.worker.ts", import.meta.url), { type: "module" });
  try {
    const answer = await new Promise<{ window?: Window; error?: string }>((done, failed) => {
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = ({ message }) => failed(new Error(message || "the walk's worker is gone"));
      worker.postMessage({ address, origin });
    });
    if (!answer.window) throw new Error(answer.error);
    return revived(answer.window);
  } finally {
    worker.terminate();
  }
}

/** What has come from a worker has lost its classes. */
function revived(window: Window): Window {
  const table = <T extends Table | null>(plain: T) =>
    (plain && new Table(plain.numbers, plain.columns)) as T;
  const { walk, still, lattice } = window;
  const { rivers, scatter, patch } = walk;
  const whole: Walk = {
    ...walk,
    rivers: table(rivers),
    scatter: scatter.map((things) => ({ ...things, table: table(things.table) })),
    patch: patch && { ...patch, table: table(patch.table) },
  };
  return {
    ...window,
    walk: whole,
    still: still && new Still(still.metres, still.there, still.kinds, lattice),
  };
}
