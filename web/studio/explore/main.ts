/** The page of an endless land: opens its world, then draws what the eye sees of it. */

import { h, render } from "preact";
import type { JsonObject } from "../api/client.ts";
import type { Draft } from "../state/store.ts";
import { fromFragment } from "../state/url.ts";
import { say } from "../texts.ts";
import { stillEyes } from "../view/stage.ts";
import type { Pose } from "./flight.ts";
import { Panel, said, title } from "./panel.tsx";
import { readPlace } from "./place.ts";
import { Scenery } from "./scenery.ts";
import { openWorld, type World } from "./world.ts";

/** Where one begins: so far from the high place, so high above it [shares of a span], looking at it. */
const BACK = 0.42;
const ABOVE = 0.07;
const FROM = 203; // ° clockwise from north: the sun is at one's side

async function start(): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>("#stage");
  const panel = document.querySelector<HTMLElement>("#panel");
  if (!canvas || !panel) return;
  document.title = say("explorePage");
  canvas.setAttribute("aria-label", say("exploreStage"));
  const { recipe, pose } = readPlace(location.hash);
  let scenery: Scenery | null = null;
  render(h(Panel, { home: `./#${recipe}`, walk: (on: boolean) => scenery?.walk(on) }), panel);
  try {
    const linked = await fromFragment(recipe);
    if (!linked) throw new Error(say("exploreNone"));
    title.value = String(linked.draft.recipe.title ?? "");
    said.value = { text: say("exploreOpening"), bad: false };
    const wanted = wantedOf(linked.draft);
    const still = stillEyes() || new URLSearchParams(location.search).has("still");
    const world = await openWorld(wanted, () => {
      said.value = { text: say("exploreWarming"), bad: false };
    });
    scenery = new Scenery(canvas, world, wanted, recipe, pose ?? begin(world), linked.view, still);
    Object.assign(window, { downcut: { scenery } });
    addEventListener("hashchange", () => {
      const next = readPlace(location.hash);
      if (next.recipe !== recipe) location.reload();
      else if (next.pose) scenery?.jump(next.pose);
    });
  } catch (error) {
    said.value = { text: (error as Error).message, bad: true };
  }
}

const wantedOf = ({ recipe, off }: Draft): JsonObject => {
  const steps = Array.isArray(recipe.steps) ? recipe.steps : [];
  return { ...recipe, steps: steps.filter((_, index) => !off.includes(index)) };
};

function begin({ home: [east, north], span, range: [low, high] }: World): Pose {
  const angle = (FROM * Math.PI) / 180;
  return {
    x: east + Math.sin(angle) * BACK * span,
    z: -north - Math.cos(angle) * BACK * span,
    y: low + 0.9 * (high - low) + ABOVE * span,
    heading: FROM - 180,
    pitch: -9,
    walking: false,
  };
}

void start();
