import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Table } from "../api/client.ts";
import type { Grown, Report } from "../api/live.ts";
import type { Parameter } from "../state/schema.ts";
import { duration, ENGLISH, figure, quantity, say, speak, volume } from "../texts.ts";
import { fromHex, toHex } from "./colour.ts";
import { walkAddress } from "./handing.ts";
import { linesOf, nearestLine } from "./lines.ts";
import { placeOf } from "./reorder.ts";
import { scaleOf } from "./scale.ts";
import { along, spanOf, ticks } from "./ticks.ts";

const number: Parameter = {
  name: "height", label: "height", sentence: "", kind: "number", unit: "m", least: null, most: null,
  fallback: 0, optional: false, choices: [], parts: [], pattern: "",
}; // biome-ignore format: a record

describe("a slider's scale", () => {
  const cases: [string, Partial<Parameter>, number, number][] = [
    ["near bounds", { least: 1, most: 85, fallback: 33 }, 1, 85],
    ["far bounds", { least: 0.01, most: 1e8, fallback: 4000 }, 250, 64_000],
    ["no bounds", { fallback: 0 }, -500, 500],
    ["bounds on both sides of nothing", { least: -1e5, most: 1e5, fallback: 500 }, -8000, 8000],
  ];
  it.each(cases)("reaches over %s", (_, facts, least, most) => {
    const scale = scaleOf({ ...number, ...facts });
    expect([scale.least, scale.most]).toEqual([least, most]);
    expect(scale.value(0)).toBeCloseTo(least, 6);
    expect(scale.value(1)).toBeCloseTo(most, 6);
  });

  it("goes there and back", () => {
    for (const facts of [
      { least: 1, most: 85, fallback: 33 },
      { least: 1e-6, most: 64, fallback: 0.4 },
    ]) {
      const scale = scaleOf({ ...number, ...facts });
      for (const way of [0, 0.2, 0.5, 0.9, 1])
        expect(scale.way(scale.value(way))).toBeCloseTo(way, 3);
    }
  });

  it("is wide enough for the value that there is", () => {
    const facts = { ...number, least: 0.01, most: 1e8, fallback: 4000 };
    expect(scaleOf(facts, 5).least).toBe(5);
    expect(scaleOf(facts, 1e6).most).toBe(1e6);
  });

  it("counts in whole numbers", () => {
    const scale = scaleOf({ ...number, kind: "count", least: 1, most: 24, fallback: 6 });
    expect(scale.value(0.333)).toBe(9);
  });
});

describe("texts", () => {
  it("fill their gaps", () => {
    expect(say("outOf", { least: 1, most: 2 })).toBe("1 to 2");
    expect(say("outOf", { least: 1 })).toBe("1 to {most}");
  });

  it("are another language's, once it is spoken", () => {
    speak({ ...ENGLISH, outOf: "{least} bis {most}" });
    expect(say("outOf", { least: 1, most: 2 })).toBe("1 bis 2");
    speak(ENGLISH);
  });

  it("write numbers as people do", () => {
    expect([0, 0.000295, 33, 1234.5, 100_000, 1e8, 2e-5, -3e-5].map((each) => figure(each))).toEqual([
      "0", "0.000295", "33", "1,235", "100,000", "10⁸", "2 × 10⁻⁵", "−3 × 10⁻⁵",
    ]); // biome-ignore format: a list
    expect(figure(-12.5)).toBe("−12.5");
    expect(figure(Number.NaN)).toBe("–");
    expect([duration(0.42), duration(60), duration(600)]).toEqual(["0.4 s", "60 s", "10 min"]);
    expect([volume(1200), volume(2.5e9)]).toEqual(["1,200 m³", "2.5 km³"]);
    expect(quantity(6.28e7, "m²")).toBe("62.8 km²");
    expect(quantity(31_557_600, "m³/yr")).toBe("1 m³/s");
  });

  const here = import.meta.dirname;
  const files = readdirSync(here).filter((name) => name.endsWith(".tsx"));

  /** Words that stand in a component itself. */
  const literal = (source: string) => {
    const code = source.replaceAll(/^\s*(\/?\*|\/\/).*$/gm, "");
    const between = /[^=\s-]>\s*([A-Z]?[a-z]{2,}[^<>{}()=;]*)<\//g;
    const named = /\b(?:title|aria-label|placeholder|words|alt)="([^"]*[A-Za-z]{2,}[^"]*)"/g;
    return [...code.matchAll(between), ...code.matchAll(named)].map(([, words]) => words);
  };

  it.each(files)("of %s stand in the table, not in the page", (name) => {
    expect(literal(readFileSync(resolve(here, name), "utf8"))).toEqual([]);
  });

  it("would be found in a page", () => {
    const page = '<p class="a">Hello you</p><input title="Seed" /><b>{say("seed")}</b>';
    expect(literal(page)).toEqual(["Hello you", "Seed"]);
  });

  it("are all used", () => {
    const root = resolve(here, "..");
    const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter(
        (name) => /\.tsx?$/.test(name) && !name.includes("test") && !name.endsWith("texts.ts"),
      )
      .map((name) => readFileSync(resolve(root, name), "utf8"))
      .join("\n");
    const unused = Object.keys(ENGLISH).filter((word) => !new RegExp(`"${word}"`).test(sources));
    expect(unused).toEqual([]);
  });
});

describe("walking", () => {
  const grown = { digest: "ab12", shape: [100, 200], cell_size: 10 } as unknown as Grown;

  it("begins where the land was clicked, on this land only", () => {
    const address = (at: string) => `walk/?land=/api/walk/ab12/${at}/walk.json`;
    expect(walkAddress({ grown }, { x: 900, y: -420.26 })).toBe(address("900.0,-420.3"));
    expect(walkAddress({ grown }, { x: 900, y: 600 })).toBe(address("start"));
    expect(walkAddress({ grown }, null)).toBe(address("start"));
    expect(walkAddress({ grown: null }, null)).toBeNull();
  });
});

describe("a plot", () => {
  it("is marked at round values", () => {
    expect(ticks(spanOf([0, 97]), 4)).toEqual([0, 50]);
    expect(ticks(spanOf([0.1, 120], true), 4)).toEqual([0.1, 1, 10, 100]);
  });

  it("places values, also where there is but one", () => {
    expect(along(spanOf([2, 4]), 3)).toBe(0.5);
    expect(along(spanOf([1, 100], true), 10)).toBeCloseTo(0.5);
    expect(along(spanOf([7, 7]), 7)).toBe(0.5);
  });
});

describe("rivers", () => {
  const table: Table = {
    columns: {},
    units: {},
    offsets: [0, 2, 5],
    points: {
      x: [0, 10, 50, 60, 70],
      y: [0, 0, 5, 5, 5],
      surface: [9, 8, 7, 6, 5],
      bed: [8, 7, 6, 5, null],
    },
  };
  it("are found by a place beside them", () => {
    expect(nearestLine(table, 12, 3)).toBe(0);
    expect(nearestLine(table, 48, 9)).toBe(1);
    expect(nearestLine({ ...table, points: {} }, 0, 0)).toBeNull();
  });
  it("have their points", () => {
    expect(linesOf(table, 1)).toHaveLength(3);
    expect(linesOf(table, 1)[2]).toEqual({ x: 70, y: 5, surface: 5, bed: null });
  });
});

describe("parts of the panel", () => {
  it("turn linear light into a colour to pick and back", () => {
    expect(toHex({ red: 1, green: 0.2159, blue: 0 })).toBe("#ff8000");
    expect(fromHex("#ff8000")).toEqual({ red: 1, green: 0.2159, blue: 0 });
    expect(toHex(fromHex("#123456"))).toBe("#123456");
  });

  it("know where a dragged step is", () => {
    const middles = [10, 30, 50, 70];
    expect([5, 29, 35, 90].map((height) => placeOf(height, middles, 0))).toEqual([0, 0, 1, 3]);
    expect(placeOf(5, middles, 3)).toBe(0);
  });

  it("sum the earth that a kind of step moved", async () => {
    const { merged } = await import("./earth.tsx");
    const one: Report = {
      op: "x.rain", seconds: 1, eroded: 2, deposited: 1, carried_out: 0, uplifted: 0, clamped: 0,
    }; // biome-ignore format: a record
    const still = { ...one, op: "x.look", eroded: 0, deposited: 0 };
    expect(merged([one, still, one])).toEqual([{ ...one, seconds: 2, eroded: 4, deposited: 2 }]);
  });
});
