/** Shows the walk whose walk.json lies beside the page, or the one that `?land=` names. */

import { isSoftware } from "../studio/view/stage.ts";
import { loadWalk } from "./land.ts";
import { dress } from "./scene/scene.ts";
import type { Quality } from "./stage.ts";
import { ENGLISH as words } from "./texts.ts";
import { Theatre } from "./theatre.ts";

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

async function start(): Promise<void> {
  const asked = new URLSearchParams(location.search);
  try {
    const land = await loadWalk(asked.get("land") ?? "walk.json");
    document.title = land.about.title || words.page;
    const canvas = byId<HTMLCanvasElement>("stage");
    canvas.setAttribute("aria-label", words.stage);
    const stage = new Theatre(canvas, land, qualityOf(asked), asked.has("still"));
    dress(stage);
    Object.assign(window, { walk: stage });
  } catch (error) {
    const trouble = byId("trouble");
    trouble.textContent = (error as Error).message;
    trouble.hidden = false;
    throw error;
  }
}

function qualityOf(asked: URLSearchParams): Quality {
  const number = (name: string, usual: number) => {
    const text = asked.get(name);
    const value = Number(text);
    return text === null || !Number.isFinite(value) || value < 0 ? usual : value;
  };
  const slow = isSoftware(); // smoothed edges take the processor twenty times as long
  return {
    blades: number("blades", 48_000),
    leaves: number("leaves", 1),
    shadow: number("shadow", 2048),
    samples: number("samples", slow ? 0 : 4),
    fine: number("fine", slow ? 0 : 1) > 0,
  };
}

void start();
