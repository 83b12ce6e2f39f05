import { describe, expect, it } from "vitest";
import type { JsonObject } from "../api/client.ts";
import {
  drawnAs,
  duplicate,
  insert,
  move,
  namesOf,
  placeIn,
  remove,
  seenAs,
  set,
  stepsOf,
  toggle,
  withValue,
} from "./draft.ts";
import { begin, canRedo, canUndo, change, redo, undo } from "./history.ts";
import { RecipeSchema } from "./schema.ts";
import { type Draft, draft, FIRST_VIEW, wanted } from "./store.ts";
import { fromFragment, toFragment } from "./url.ts";

const ops = (of: Draft) => stepsOf(of.recipe).map(({ op }) => op);
const first: Draft = {
  recipe: { seed: "7", steps: [{ op: "a.one" }, { op: "b.two", times: 3 }, { op: "c.three" }] },
  off: [1],
};

describe("a draft", () => {
  it("changes a copy", () => {
    const next = set(first, ["steps", 1, "times"], 5);
    expect(next.recipe).toEqual({
      seed: "7",
      steps: [{ op: "a.one" }, { op: "b.two", times: 5 }, { op: "c.three" }],
    });
    expect(stepsOf(first.recipe)[1]).toEqual({ op: "b.two", times: 3 });
  });

  it("forgets a value that is undefined", () => {
    expect(withValue({ a: 1, b: { c: 2 } }, ["b", "c"], undefined)).toEqual({ a: 1, b: {} });
  });

  it("keeps what is switched off with its step", () => {
    expect(insert(first, ["steps"], 0, { op: "n.ew" }).off).toEqual([2]);
    expect(remove(first, ["steps"], 0).off).toEqual([0]);
    expect(remove(first, ["steps"], 1).off).toEqual([]);
    const moved = move(first, ["steps"], 1, 2);
    expect(ops(moved)).toEqual(["a.one", "c.three", "b.two"]);
    expect(moved.off).toEqual([2]);
    expect(toggle(toggle(first, 1), 0).off).toEqual([0]);
    const twice = duplicate(first, ["steps"], 0);
    expect(ops(twice)).toEqual(["a.one", "a.one", "b.two", "c.three"]);
    expect(twice.off).toEqual([2]);
  });

  it("knows where the engine sees a step", () => {
    expect(seenAs(first, ["steps", 2, "talus"])).toEqual(["steps", 1, "talus"]);
    expect(seenAs(first, ["steps", 0])).toEqual(["steps", 0]);
  });

  it("asks for what is switched on", () => {
    draft.value = first;
    expect((wanted.value as { steps: JsonObject[] }).steps.map(({ op }) => op)).toEqual([
      "a.one",
      "c.three",
    ]);
  });
});

describe("the past", () => {
  it("comes back and goes again", () => {
    begin(first);
    expect(canUndo.value).toBe(false);
    const second = toggle(first, 0);
    change(second, "steps.0", 0);
    change(set(second, ["seed"], "8"), "seed", 10);
    undo();
    expect(draft.value).toEqual(second);
    undo();
    expect(draft.value).toEqual(first);
    expect(canRedo.value).toBe(true);
    redo();
    expect(draft.value).toEqual(second);
    change(first, "x", 20);
    expect(canRedo.value).toBe(false);
  });

  it("takes a slider's way as one change", () => {
    begin(first);
    for (const [time, seed] of [100, 300, 500].entries())
      change(set(first, ["seed"], String(seed)), "seed", time * 100);
    undo();
    expect(draft.value).toEqual(first);
  });
});

describe("a link", () => {
  it("brings the landscape back", async () => {
    const view = { ...FIRST_VIEW, azimuth: 120, layer: "wetness" };
    const linked = { draft: first, view };
    expect(await fromFragment(`#${await toFragment(linked)}`)).toEqual(linked);
  });

  it.each(["", "#", "#!!!", "#AAAA", `#${"A".repeat(70_000)}`, "#q1YqVLIyNDI2MTUzt7BUqgUA"])(
    "of nonsense is none: %.10s",
    async (fragment) => {
      expect(await fromFragment(fragment)).toBeNull();
    },
  );

  it.each([{}, { steps: [null] }, { steps: [{ op: 1 }] }, { steps: [], grid: { nx: "9" } }])(
    "of what is no recipe is none: %j",
    async (recipe) => {
      const linked = { draft: { recipe, off: [] }, view: FIRST_VIEW } as never;
      expect(await fromFragment(await toFragment(linked))).toBeNull();
    },
  );

  it("is not unfolded without bound", async () => {
    const huge = {
      draft: { recipe: { steps: [], x: "a".repeat(2 << 20) }, off: [] },
      view: FIRST_VIEW,
    };
    const fragment = await toFragment(huge);
    expect(fragment.length).toBeLessThan(60_000);
    expect(await fromFragment(fragment)).toBeNull();
  });

  it("ignores what it does not know of the view", async () => {
    const odd = { ...FIRST_VIEW, azimuth: "north", evil: 1 } as unknown as typeof FIRST_VIEW;
    expect((await fromFragment(await toFragment({ draft: first, view: odd })))?.view).toEqual(
      FIRST_VIEW,
    );
  });
});

describe("the schema", () => {
  const schema = new RecipeSchema({
    properties: {
      seed: { type: "string", default: "0", description: "A number." },
      steps: {
        type: "array",
        items: {
          discriminator: { mapping: { "x.slide": "#/$defs/Slide", repeat: "#/$defs/Repeat" } },
        },
      },
    },
    $defs: {
      Slide: {
        description: "Lets slopes slide.\n\nMore.",
        properties: {
          op: { const: "x.slide" },
          angle: {
            type: "number",
            unit: "°",
            minimum: 0,
            maximum: 89,
            default: 33,
            description: "A.",
          },
          size: {
            anyOf: [{ type: "number", unit: "m", exclusiveMinimum: 0 }, { type: "null" }],
            default: null,
          },
          way: { enum: ["a", "b"], type: "string", default: "a" },
          warp: { anyOf: [{ $ref: "#/$defs/Warp" }, { type: "null" }], default: null },
        },
      },
      Warp: { type: "object", properties: { shift: { type: "integer", unit: "1", default: 2 } } },
      Repeat: {
        properties: {
          op: { const: "repeat" },
          steps: { type: "array", items: { discriminator: {} } },
        },
      },
    },
  });

  it("says what each parameter is", () => {
    const slide = schema.kinds.get("x.slide");
    expect(slide?.sentence).toBe("Lets slopes slide.");
    expect(
      slide?.parameters.map(({ name, kind, unit, optional }) => [name, kind, unit, optional]),
    ).toEqual([
      ["angle", "number", "°", false],
      ["size", "number", "m", true],
      ["warp", "record", "", true],
      ["way", "choice", "", false], // says how, and comes after what says how much
    ]);
    expect(slide?.parameters[2]?.parts[0]).toMatchObject({
      name: "shift",
      kind: "count",
      unit: "",
      fallback: 2,
    });
  });

  it("tells a repeat from a step, and steps from settings", () => {
    expect(schema.fresh("repeat")).toEqual({ op: "repeat", steps: [] });
    expect(schema.fresh("x.slide")).toEqual({ op: "x.slide" });
    expect(schema.parameters.map(({ name }) => name)).toEqual(["seed"]);
  });
});

describe("a place", () => {
  it("is found in the engine's sentence", () => {
    expect(placeIn("steps.5.steps.1.talus_angle is 99: too much")).toEqual([
      "steps", 5, "steps", 1, "talus_angle",
    ]); // biome-ignore format: a path
    expect(placeIn("steps.0 (fields.fbm) reads the layer 'foo'")).toEqual(["steps", 0]);
    expect(placeIn("grid.ny is 0")).toEqual(["grid", "ny"]);
    expect(placeIn("the memory ran out")).toBeNull();
  });

  it("of the engine's recipe is one of the draft", () => {
    for (const path of [
      ["steps", 0],
      ["steps", 2, "talus"],
    ] as const)
      expect(drawnAs(first, seenAs(first, path))).toEqual(path);
  });
});

describe("names of steps", () => {
  it("stay with them while they move and change", () => {
    const named = new WeakMap<JsonObject, number>();
    const [a, b, c] = stepsOf(first.recipe) as [JsonObject, JsonObject, JsonObject];
    const [one, two, three] = namesOf([a, b, c], [], named);
    expect(namesOf([c, a, b], [a, b, c], named)).toEqual([three, one, two]);
    const changed = { ...b, times: 9 };
    expect(namesOf([c, a, changed], [c, a, b], named)).toEqual([three, one, two]);
    const [, fresh] = namesOf([c, { op: "b.two" }, a], [c, a, changed], named);
    expect([one, two, three]).not.toContain(fresh);
  });
});
