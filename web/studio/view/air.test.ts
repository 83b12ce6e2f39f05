import { expect, test } from "vitest";
import { paletteAt, towardsSun } from "./air.ts";

test("a sun in the west stands in the west", () => {
  const [x, y, z] = towardsSun(270, 30);
  expect(x).toBeCloseTo(-Math.cos(Math.PI / 6), 6);
  expect(y).toBeCloseTo(0.5, 6);
  expect(z).toBeCloseTo(0, 6);
});

test("a low sun is redder than a high one", () => {
  const redness = (height: number) => {
    const [red, , blue] = paletteAt(height).sunlight;
    return red / blue;
  };
  const hours = [0, 5, 12, 25, 45, 90].map(redness);
  expect(hours).toEqual([...hours].sort((a, b) => b - a));
});

test("the sky above is bluer than at the horizon, at every hour", () => {
  for (let height = 0; height <= 90; height += 3) {
    const { zenith, horizon } = paletteAt(height);
    expect(zenith[2] / zenith[0]).toBeGreaterThan(horizon[2] / horizon[0]);
  }
});
