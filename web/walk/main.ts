/** Shows the walk whose walk.json lies beside the page, or the one that `?land=` names. */

import { h, render } from "preact";
import { isSoftware } from "../studio/view/stage.ts";
import { listenToKeys } from "./controls/keys.ts";
import { changePause, changePerson, openHelp, Panel } from "./controls/panel.tsx";
import { listen } from "./controls/pointer.ts";
import { living } from "./life/life.ts";
import { dress } from "./scene/scene.ts";
import type { Quality } from "./stage.ts";
import { ENGLISH as words } from "./texts.ts";
import { Theatre } from "./theatre.ts";
import { Address, type Mark, read, standAt } from "./walker/address.ts";
import { addressOf, holds, Onward } from "./walker/onward.ts";
import { Walker } from "./walker/walker.ts";
import type { Window } from "./window.ts";
import { openWindow } from "./windows.ts";

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

async function start(): Promise<void> {
  const asked = new URLSearchParams(location.search);
  try {
    const address = new URL(asked.get("land") ?? "walk.json", document.baseURI);
    const mark = read(asked.get("at"));
    const window = await windowFor(address.href, mark);
    document.title = window.walk.about.title || words.page;
    const canvas = byId<HTMLCanvasElement>("stage");
    canvas.setAttribute("aria-label", words.stage);
    const stage = new Theatre(canvas, window, qualityOf(asked), asked.has("still"));
    dress(stage);
    const walker = new Walker(stage);
    if (mark) walker.comeBack(standAt(window.walk, mark));
    const onward = new Onward(stage, walker, openWindow);
    const parts = [walker, onward, new Address(stage, walker), ...living(stage)];
    for (const part of parts) stage.add(part);
    const shown = { stage, walker, onward };
    listen(stage, walker);
    listenToKeys(stage, walker, {
      person: () => changePerson(shown),
      pause: () => changePause(shown),
      help: openHelp,
    });
    render(h(Panel, shown), byId("panel"));
    Object.assign(globalThis, { walk: stage, walker, onward });
  } catch (error) {
    const trouble = byId("trouble");
    trouble.textContent = (error as Error).message;
    trouble.hidden = false;
    throw error;
  }
}

/** The window at an address, or the one that holds a place if that does not. */
async function windowFor(address: string, mark: Mark | null): Promise<Window> {
  const window = await openWindow(address);
  const { walk } = window;
  if (!mark || !walk.about.onward || holds(walk, standAt(walk, mark))) return window;
  return openWindow(addressOf(walk, mark));
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
