import { about, opened, presets as askPresets, schema as askSchema } from "./api/client.ts";
import { liveAddress } from "./api/live.ts";
import { Engine } from "./engine.ts";
import { begin } from "./state/history.ts";
import { presets, schema, view } from "./state/store.ts";
import { fromFragment } from "./state/url.ts";
import { Landscape } from "./view/landscape.ts";
import { Stage } from "./view/stage.ts";

async function start(): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>("#stage");
  if (!canvas) return;
  const stage = new Stage(canvas);
  new Landscape(stage);
  new Engine(liveAddress(location));
  const [linked, asked] = await Promise.all([fromFragment(location.hash), opened()]);
  [schema.value, presets.value] = await Promise.all([askSchema(), askPresets()]);
  const first = presets.value.find(({ name }) => name === "alpine") ?? presets.value[0];
  if (linked) view.value = linked.view;
  const recipe = asked.recipe ?? first?.recipe;
  if (recipe) begin(linked?.draft ?? { recipe, off: [] });
  Object.assign(window, { downcut: { stage, about: await about() } });
}

void start();
