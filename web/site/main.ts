/** Shows the land whose land.json lies beside the page, as the studio shows it. */

import type { JsonObject } from "../studio/api/client.ts";
import { draft, land, view } from "../studio/state/store.ts";
import { Landscape } from "../studio/view/landscape.ts";
import { Stage } from "../studio/view/stage.ts";
import { type About, loadLand } from "./downcut-land.ts";

/** What the view draws; other layers are there for who imports the loader. */
const SEEN = ["elevation", "water_surface", "tint"];
const DIALS = ["exaggeration", "azimuth", "height", "fog"] as const;

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

async function start(): Promise<void> {
  try {
    const { about, layers } = await loadLand("land.json", SEEN);
    tell(about);
    const stage = new Stage(byId<HTMLCanvasElement>("stage"));
    const landscape = new Landscape(stage);
    Object.assign(window, { downcut: { stage, landscape } });
    // the view asks the recipe for the sea alone
    draft.value = { recipe: { sea_level: about.sea_level } as JsonObject, off: [] };
    land.value = { grown: null, layers };
    dial();
    settle(stage);
  } catch (error) {
    const trouble = byId("trouble");
    trouble.textContent = (error as Error).message;
    trouble.hidden = false;
  }
}

function tell({ title, description }: About): void {
  document.title = title;
  byId("title").textContent = title;
  byId("description").textContent = description;
  byId("about").hidden = false;
}

/** The sliders follow the view, and the view the sliders. */
function dial(): void {
  for (const name of DIALS) {
    const input = byId<HTMLInputElement>(name);
    input.value = String(view.peek()[name]);
    input.addEventListener("input", () => {
      view.value = { ...view.peek(), [name]: input.valueAsNumber };
    });
  }
}

/** Says when the land was drawn for the first time: who takes pictures waits for it. */
function settle(stage: Stage): void {
  let quiet = 0;
  stage.steps.push(() => {
    quiet = stage.cost.triangles > 0 ? quiet + 1 : 0;
    if (quiet > 2) document.documentElement.setAttribute("data-ready", "");
    return quiet < 4;
  });
}

void start();
