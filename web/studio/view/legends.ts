/** The layer that the map shows: fetched where it was not sent, coloured, and told with a legend. */

import { effect } from "@preact/signals-core";
import type { Block } from "../api/block.ts";
import { layer as askLayer } from "../api/client.ts";
import type { Grown } from "../api/live.ts";
import { type Land, land, legend, schema, trouble, type View, view } from "../state/store.ts";
import { painted, roundInterval } from "./colours.ts";
import type { MapSheet } from "./sheet.ts";

/** Contours cut a land's heights into about so many. */
const PARTS = 14;
/** Cells along an edge that are asked for. */
const MOST = 2048;

export class Legends {
  private readonly map: MapSheet;
  private readonly drawn: () => void;
  private readonly end: () => void;
  private shown = "";

  constructor(map: MapSheet, drawn: () => void) {
    this.map = map;
    this.drawn = drawn;
    this.end = effect(() => this.look(view.value, land.value));
  }

  dispose(): void {
    this.end();
    legend.value = null;
  }

  private look({ mode, layer, contours }: View, now: Land): void {
    const { elevation } = now.layers;
    if (mode !== "map" || !elevation) {
      legend.value = null;
      return;
    }
    const range = (elevation.high ?? 0) - (elevation.low ?? 0);
    const interval = contours ? roundInterval(range, PARTS) : 0;
    this.map.look(interval);
    const sent = now.layers[layer];
    const asked = `${layer} ${now.grown?.digest ?? ""}`;
    this.shown = asked;
    if (!layer || elevation.part === "live") this.paint(null, interval);
    else if (sent) this.paint(sent, interval);
    else if (now.grown?.layers.includes(layer)) void this.fetch(asked, now.grown, layer, interval);
    else this.paint(null, interval);
  }

  private async fetch(
    asked: string,
    { digest, size }: Grown,
    name: string,
    interval: number,
  ): Promise<void> {
    const step = Math.ceil(size / MOST);
    try {
      const block = await askLayer(digest, name, step);
      if (asked === this.shown) this.paint(block, interval);
    } catch (error) {
      trouble.value = (error as Error).message;
    }
  }

  private paint(block: Block | null, interval: number): void {
    if (block) {
      const words = schema.peek()?.layers[block.layer];
      const { pixels, ...told } = painted(block, words?.colours ?? "grey", words?.legend);
      this.map.show(pixels, block.shape);
      legend.value = { layer: block.layer, unit: block.unit, interval, ...told };
    } else {
      this.map.show(null, []);
      const told = { low: null, high: null, stops: [], logarithmic: false, keys: [] };
      legend.value = interval > 0 ? { layer: "", unit: "m", interval, ...told } : null;
    }
    this.drawn();
  }
}
