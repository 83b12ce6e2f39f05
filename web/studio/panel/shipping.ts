/** An export: what was chosen, how far it is, what came of it. */

import { signal } from "@preact/signals";
import { exportAddress, type Json, type JsonObject, work } from "../api/client.ts";
import { finalSize, schema, wanted } from "../state/store.ts";
import { fileName, save } from "./handing.ts";

export interface Shipped {
  readonly export: string;
  readonly file: string;
  readonly bytes: number;
  readonly numbers?: Readonly<Record<string, Json>>;
  readonly how?: readonly string[];
}

/** What was chosen; kept while the page is open. */
export const chosen = signal("");
export const size = signal("");
export const tiles = signal<readonly [number, number]>([1, 1]);
export const place = signal("");
export const layer = signal("");
export const options = signal<JsonObject>({});
export const under = signal<{ share: number; left: number | null; stop: AbortController } | null>(
  null,
);
export const shipped = signal<Shipped | null>(null);

/** Asks the server for the files, and saves them when they are done. */
export async function ship(tell: (wrong: string) => void): Promise<void> {
  const recipe = wanted.peek();
  if (!recipe) return;
  tell("");
  shipped.value = null;
  const stop = new AbortController();
  under.value = { share: 0, left: null, stop };
  try {
    const told = ({ share, left }: { share: number; left?: number | null }) => {
      under.value = { share, left: left ?? null, stop };
    };
    const result = (await work(order(recipe), told, stop.signal)) as unknown as Shipped;
    shipped.value = result;
    save(exportAddress(result.export), result.file);
  } catch (error) {
    if (!stop.signal.aborted) tell((error as Error).message);
  }
  under.value = null;
}

/** What the server is asked for. */
function order(recipe: JsonObject): JsonObject {
  const asked: JsonObject = { kind: "export", recipe, name: fileName() };
  if (chosen.peek().startsWith(".")) {
    const named = layer.peek() ? { layer: layer.peek() } : {};
    return { ...asked, size: finalSize.peek(), format: chosen.peek(), ...named };
  }
  const target = schema.peek()?.targets.find(({ name }) => name === chosen.peek());
  const at = target?.placed
    ? place
        .peek()
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(Number)
    : [];
  return {
    ...asked,
    target: chosen.peek(),
    size: Number(size.peek()) || finalSize.peek(),
    tiles: (target?.tiles ?? 1) > 1 ? [...tiles.peek()] : [1, 1],
    options: options.peek(),
    ...(at.length > 0 ? { at } : {}),
  };
}
