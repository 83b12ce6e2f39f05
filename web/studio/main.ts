/** Starts the page: the stage first, then what was linked, asked for, or ships as the first preset. */

import { h, render } from "preact";
import {
  about as askAbout,
  first as askFirst,
  presets as askPresets,
  schema as askSchema,
  opened,
} from "./api/client.ts";
import { Live, liveAddress } from "./api/live.ts";
import { Engine } from "./engine.ts";
import { App } from "./panel/app.tsx";
import { begin } from "./state/history.ts";
import { Link } from "./state/link.ts";
import { land, largest, presets, schema, trouble, view } from "./state/store.ts";
import { fromFragment } from "./state/url.ts";
import { Landscape } from "./view/landscape.ts";
import { Stage } from "./view/stage.ts";

const FIRST = "alpine";

async function start(): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>("#stage");
  const panel = document.querySelector<HTMLElement>("#panel");
  if (!canvas || !panel) return;
  const engine = new Engine((listener) => new Live(liveAddress(location), listener));
  render(h(App, { engine }), panel);
  const stage = new Stage(canvas);
  if (stage.slow) document.documentElement.dataset.drawnBy = "processor";
  const landscape = new Landscape(stage);
  Object.assign(window, { downcut: { stage, landscape, engine } });
  if (location.hash.length < 2) showFirst();
  try {
    const linked = await fromFragment(location.hash);
    const [words, shipped, asked, limits] = await Promise.all([
      askSchema(),
      askPresets(),
      opened(),
      askAbout(),
    ]);
    [schema.value, presets.value, largest.value] = [words, shipped, limits.largest];
    const first = shipped.find(({ name }) => name === FIRST) ?? shipped[0];
    const recipe = asked.recipe ?? first?.recipe;
    if (linked) view.value = linked.view;
    if (linked) begin(linked.draft);
    else if (recipe) begin({ recipe, off: [] });
  } catch (error) {
    trouble.value = (error as Error).message;
  }
  new Link(window).follow();
}

/** Shows a finished land while the engine grows the person's own, and stays silent without one. */
async function showFirst(): Promise<void> {
  const layers = await askFirst().catch(() => null);
  if (layers && !land.peek().layers.elevation) land.value = { grown: null, layers };
}

void start();
