/** Loads windows beside the page, so that it goes on meanwhile. */

import type { Origin } from "./land.ts";
import { loadWindow } from "./window.ts";

self.onmessage = async ({ data }: MessageEvent<{ address: string; origin?: Origin }>) => {
  try {
    const window = await loadWindow(data.address, data.origin);
    self.postMessage({ window }, { transfer: [...buffersOf(window)] });
  } catch (error) {
    self.postMessage({ error: (error as Error).message });
  }
};

/** Every buffer in it, once: they are handed over, not copied. */
function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) buffersOf(each, found);
  return found;
}
