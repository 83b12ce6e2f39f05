/** An export: what was chosen, how far it is, what came of it. */

import { signal, untracked } from "@preact/signals";
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
  const asked = untracked(order);
  if (!asked) return;
  tell("");
  shipped.value = null;
  const stop = new AbortController();
  under.value = { share: 0, left: null, stop };
  try {
    const told = ({ share, left }: { share: number; left?: number | null }) => {
      under.value = { share, left: left ?? null, stop };
    };
    const result = (await work(asked, told, stop.signal)) as unknown as Shipped;
    shipped.value = result;
    save(exportAddress(result.export), result.file);
  } catch (error) {
    if (!stop.signal.aborted) tell((error as Error).message);
  }
  under.value = null;
}

/** What the server is asked for; null while nothing is chosen. */
export function order(): JsonObject | null {
  const recipe = wanted.value;
  if (!recipe || !chosen.value) return null;
  const asked = { kind: "export", recipe, name: fileName(), options: options.value };
  if (chosen.value.startsWith(".")) {
    const named = layer.value ? { layer: layer.value } : {};
    return { ...asked, size: finalSize.value, format: chosen.value, ...named };
  }
  const target = schema.value?.targets.find(({ name }) => name === chosen.value);
  const at = target?.placed
    ? place.value
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map(Number)
    : [];
  return {
    ...asked,
    target: chosen.value,
    size: Number(size.value) || finalSize.value,
    tiles: (target?.tiles ?? 1) > 1 ? [...tiles.value] : [1, 1],
    ...(at.length > 0 ? { at } : {}),
  };
}
