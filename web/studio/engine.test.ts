import { batch } from "@preact/signals-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Block } from "./api/block.ts";
import type { Listener, Said } from "./api/live.ts";
import { Engine, watched } from "./engine.ts";
import { set } from "./state/draft.ts";
import { begin, change, undo } from "./state/history.ts";
import {
  before,
  doing,
  draft,
  dragging,
  FIRST_VIEW,
  land,
  online,
  trouble,
  view,
} from "./state/store.ts";

type Message = Readonly<Record<string, unknown>>;

/** A line on which nobody answers but the test. */
class Quiet {
  readonly said: Message[] = [];
  say(message: Message): boolean {
    this.said.push(message);
    return true;
  }
  get last(): Message {
    return this.said.at(-1) ?? {};
  }
}

const recipe = { grid: { ny: 512, nx: 300 }, seed: "1", steps: [{ op: "a.one", height: 1 }] };
const to = (height: number) => {
  const now = draft.peek();
  if (now) change(set(now, ["steps", 0, "height"], height), "steps.0.height");
};
/** As a slider does. */
const drag = (height: number) =>
  batch(() => {
    dragging.value = true;
    to(height);
  });
const digestOf = (message: Message, size: number) => JSON.stringify([message.recipe, size]);

function grown(message: Message, size: number): Said {
  return {
    say: "grown",
    ask: message.ask as number,
    size,
    shape: [size, size],
    cell_size: 1,
    digest: digestOf(message, size),
    checksum: "c",
    layers: ["elevation"],
    features: {},
    seconds: 1,
    reports: [],
  };
}

function block(message: Message, layer: string, size: number, more: Partial<Block> = {}): Block {
  const shape = [1, 1];
  const digest = digestOf(message, size);
  const data = new Float32Array(1);
  return {
    layer,
    shape,
    unit: "m",
    low: 0,
    high: 1,
    ask: message.ask as number,
    digest,
    data,
    ...more,
  };
}

describe("the engine", () => {
  let line = new Quiet();
  let engine: Engine;
  let heard: Listener;
  /** Layers that the page waits for, by digest and name. */
  let asked = new Map<string, (block: Block) => void>();
  const bring = async (message: Message, layer: string, size: number) => {
    asked.get(`${digestOf(message, size)} ${layer}`)?.(block(message, layer, size));
    await new Promise((done) => setTimeout(done));
  };
  /** All that the server sends of a land. */
  const answer = async (message: Message, size: number) => {
    heard.said(grown(message, size));
    for (const layer of ["elevation", "tint"]) await bring(message, layer, size);
  };

  beforeEach(() => {
    online.value = false;
    draft.value = null;
    dragging.value = false;
    view.value = FIRST_VIEW;
    land.value = { grown: null, layers: {} };
    before.value = land.value;
    line = new Quiet();
    asked = new Map();
    engine = new Engine(
      (listener) => {
        heard = listener;
        return line;
      },
      (digest, name) => new Promise((bring) => asked.set(`${digest} ${name}`, bring)),
    );
    begin({ recipe, off: [] });
    heard.open(true);
  });

  it("asks for a coarse and for the finished land, of the recipe's own size", () => {
    expect(line.said).toHaveLength(1);
    expect(line.last).toMatchObject({ do: "grow", sizes: [256, 512], recipe });
  });

  it("asks for nothing again when only the title changes, or nothing does", () => {
    const now = draft.peek();
    if (now) change(set(now, ["title"], "Alps"), "title");
    to(1);
    expect(line.said).toHaveLength(1);
  });

  it("shows a land once all of it is there", async () => {
    const question = line.last;
    heard.said(grown(question, 256));
    await bring(question, "elevation", 256);
    expect(land.value.grown).toBeNull();
    await bring(question, "tint", 256);
    expect(land.value.grown?.size).toBe(256);
    expect(doing.value.what).toBe("grow");
    await answer(question, 512);
    expect(land.value.grown?.size).toBe(512);
    expect(doing.value.what).toBe("");
  });

  it("leaves a small land that comes after the large one", async () => {
    const question = line.last;
    heard.said(grown(question, 256));
    await answer(question, 512);
    for (const layer of ["elevation", "tint"]) await bring(question, layer, 256);
    expect(land.value.grown?.size).toBe(512);
  });

  it("forgets what older questions bring", async () => {
    const old = line.last;
    to(2);
    await answer(old, 512);
    expect(land.value.grown).toBeNull();
    await answer(line.last, 512);
    expect(land.value.grown?.digest).toBe(digestOf(line.last, 512));
  });

  it("has one small land on its way while a slider moves, and asks for the newest next", async () => {
    await answer(line.last, 512);
    drag(2);
    drag(3);
    drag(4);
    expect(line.said).toHaveLength(2);
    expect(line.last).toMatchObject({ sizes: [128], recipe: { steps: [{ height: 2 }] } });
    await answer(line.last, 128);
    expect(line.said).toHaveLength(3);
    expect(line.last).toMatchObject({ sizes: [128], recipe: { steps: [{ height: 4 }] } });
    await answer(line.last, 128);
    expect(line.said).toHaveLength(3);
  });

  it("grows the finished land when the slider is let go, whatever is on its way", async () => {
    await answer(line.last, 512);
    drag(2);
    drag(3);
    dragging.value = false;
    expect(line.last).toMatchObject({ sizes: [256, 512], recipe: { steps: [{ height: 3 }] } });
  });

  it("compares with the last finished land, and undoes a drag in one go", async () => {
    await answer(line.last, 512);
    const first = land.value;
    drag(2);
    await answer(line.last, 128);
    drag(3);
    await answer(line.last, 128);
    dragging.value = false;
    await answer(line.last, 256);
    await answer(line.last, 512);
    expect(before.value).toBe(first);
    undo();
    expect(draft.value?.recipe).toEqual(recipe);
  });

  it("plays, and grows the same land with all its layers at the end", async () => {
    await answer(line.last, 512);
    engine.watch("steps.0", 30);
    const playing = line.last;
    expect(playing).toMatchObject({ do: "watch", path: "steps.0", size: 512, speed: 30 });
    const field = block(playing, "elevation", 512, { part: "live", number: 1, path: "steps.0" });
    heard.block(field);
    expect(land.value.layers.elevation).toBe(field);
    expect(before.value.layers.elevation).toBe(field);
    heard.said(grown(playing, 512));
    expect(line.last).toMatchObject({ do: "grow", sizes: [512] });
    expect(watched.value).toBeNull();
  });

  it("plays anew when a setting was changed", () => {
    engine.watch("steps.0", 30);
    drag(2);
    expect(line.last).toMatchObject({ do: "watch" });
    dragging.value = false;
    expect(line.last).toMatchObject({ do: "watch", recipe: { steps: [{ height: 2 }] } });
  });

  it("says what is wrong and keeps the land", async () => {
    await answer(line.last, 512);
    const kept = land.value;
    to(-1);
    heard.said({ say: "error", ask: line.last.ask as number, text: "steps.0.height is -1" });
    expect(trouble.value).toBe("steps.0.height is -1");
    expect(land.value).toBe(kept);
    to(5);
    expect(trouble.value).toBe("");
  });

  it("asks again when the line comes back", async () => {
    await answer(line.last, 512);
    heard.open(false);
    expect(online.value).toBe(false);
    heard.open(true);
    expect(line.said).toHaveLength(2);
  });

  it("takes the size that was chosen", () => {
    view.value = { ...view.value, size: 1024 };
    expect(line.last).toMatchObject({ sizes: [256, 1024] });
  });
});
