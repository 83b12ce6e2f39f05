import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

/** The least contrast of text that people can read (WCAG 2.2, AA). */
const READABLE = 4.5;
/** And of what is drawn: dots, lines, edges of controls. */
const SEEN = 3;

type Colour = readonly [number, number, number, number];

const css = readFileSync(resolve(import.meta.dirname, "light.css"), "utf8");

/** A token by day (0) or by night (1). */
function token(name: string, night: number): Colour {
  const both = new RegExp(`--${name}: light-dark\\((.+)\\);`).exec(css)?.[1] ?? "";
  const one = both.match(/#[0-9a-f]{6}|rgb\([^)]*\)/g)?.[night] ?? "";
  if (one.startsWith("#")) {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(one.slice(at, at + 2), 16));
    return [red ?? Number.NaN, green ?? Number.NaN, blue ?? Number.NaN, 1];
  }
  const [red, green, blue, opacity] = (one.match(/[\d.]+/g) ?? []).map(Number);
  return [red ?? Number.NaN, green ?? Number.NaN, blue ?? Number.NaN, opacity ?? 1];
}

/** A colour that is partly clear, over another. */
function over([red, green, blue, opacity]: Colour, below: Colour): Colour {
  const mix = (a: number, b: number) => opacity * a + (1 - opacity) * b;
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.slice(0, 3).map((each) => {
    const part = each / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(a: Colour, b: Colour): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const BLACK: Colour = [0, 0, 0, 1];
const WHITE: Colour = [255, 255, 255, 1];

describe.each([
  ["by day", 0],
  ["by night", 1],
])("%s", (_, night) => {
  /** Whatever land lies below the glass, and a field on it. */
  const grounds = [BLACK, WHITE].flatMap((land) => {
    const glass = over(token("glass", night), land);
    return [glass, over(token("field", night), glass)];
  });
  const grounded = [...grounds, token("paper", night)];

  it.each(["ink", "dim", "accent", "bad"])("text in --%s is read on every ground", (name) => {
    for (const ground of grounded)
      expect(contrast(token(name, night), ground)).toBeGreaterThanOrEqual(READABLE);
  });

  it("text on the main button is read", () => {
    expect(contrast(token("on-accent", night), token("accent", night))).toBeGreaterThan(READABLE);
  });

  it.each(["fields", "erosion", "hydrology", "surface", "water", "earth", "leaf"])(
    "marks in --%s are seen",
    (name) => {
      for (const ground of grounded)
        expect(contrast(token(name, night), ground)).toBeGreaterThanOrEqual(SEEN);
    },
  );
});
