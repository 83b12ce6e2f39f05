/** Starts the page: the stage first, then what was linked, asked for, or ships as the first preset. */

import { effect } from "@preact/signals-core";
import { h, render } from "preact";
import { presets as askPresets, schema as askSchema, opened } from "./api/client.ts";
import { liveAddress } from "./api/live.ts";
import { Engine } from "./engine.ts";
import { App } from "./panel/app.tsx";
import { begin } from "./state/history.ts";
import { draft, presets, schema, trouble, view } from "./state/store.ts";
import { fromFragment, toFragment } from "./state/url.ts";
import { Landscape } from "./view/landscape.ts";
import { Stage } from "./view/stage.ts";

const FIRST = "alpine";
/** The link follows the draft after this time [ms], so that a slider writes it once. */
const LINK_AFTER = 300;

async function start(): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>("#stage");
  const panel = document.querySelector<HTMLElement>("#panel");
  if (!canvas || !panel) return;
  const engine = new Engine(liveAddress(location));
  render(h(App, { engine }), panel);
  const stage = new Stage(canvas);
  new Landscape(stage);
  Object.assign(window, { downcut: { stage, engine } });
  try {
    const linked = await fromFragment(location.hash);
    const [words, shipped, asked] = await Promise.all([askSchema(), askPresets(), opened()]);
    [schema.value, presets.value] = [words, shipped];
    const first = shipped.find(({ name }) => name === FIRST) ?? shipped[0];
    const recipe = asked.recipe ?? first?.recipe;
    if (linked) view.value = linked.view;
    if (linked) begin(linked.draft);
    else if (recipe) begin({ recipe, off: [] });
  } catch (error) {
    trouble.value = (error as Error).message;
  }
  followLink();
}

/** Keeps the address bar in step with the landscape. */
function followLink(): void {
  let timer = 0;
  effect(() => {
    const [now, look] = [draft.value, view.value];
    if (!now) return;
    clearTimeout(timer);
    timer = window.setTimeout(async () => {
      history.replaceState(null, "", `#${await toFragment({ draft: now, view: look })}`);
    }, LINK_AFTER);
  });
}

void start();
