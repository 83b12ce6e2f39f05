import { expect, test } from "vitest";
import type { Block } from "../api/block.ts";
import { painted, roundInterval } from "./colours.ts";

const block = (
  data: Float32Array | Int32Array,
  shape: number[],
  more: Partial<Block> = {},
): Block => ({
  layer: "test",
  shape,
  unit: "m",
  low: Math.min(...data),
  high: Math.max(...data),
  data,
  ...more,
});

const grey = (pixels: Uint8Array) => [0, 1, 2].map((k) => pixels[4 * k] as number);

test("a ramp goes from its first colour at the lowest to its last at the highest", () => {
  const { pixels, stops } = painted(block(Float32Array.of(-3, 0, 3), [1, 3]), "grey");
  const [low, middle, high] = grey(pixels) as [number, number, number];
  expect(low).toBe(Number.parseInt((stops[0] as string).slice(1, 3), 16));
  expect(high).toBe(Number.parseInt((stops.at(-1) as string).slice(1, 3), 16));
  expect(middle).toBeGreaterThan(low);
  expect(middle).toBeLessThan(high);
});

test("what spans magnitudes is told apart by its logarithm", () => {
  const { pixels, logarithmic, low } = painted(
    block(Float32Array.of(1, 1000, 1e6), [1, 3]),
    "flow",
  );
  expect(logarithmic).toBe(true);
  expect(low).toBe(1);
  const even = painted(block(Float32Array.of(0, 1, 2), [1, 3]), "flow");
  expect(grey(pixels)).toEqual(grey(even.pixels));
});

test("quantised numbers have the colours of their values", () => {
  const whole = block(Int32Array.of(0, 100, 200), [1, 3], {
    scale: 0.5,
    offset: 10,
    low: 10,
    high: 110,
  });
  const plain = block(Float32Array.of(10, 60, 110), [1, 3]);
  expect(painted(whole, "terrain").pixels).toEqual(painted(plain, "terrain").pixels);
});

test("numbers that only tell apart have colours that do", () => {
  const { pixels } = painted(block(Int32Array.of(1, 2, 1), [1, 3]), "numbers");
  expect(pixels.slice(0, 4)).toEqual(pixels.slice(8, 12));
  expect(pixels.slice(0, 4)).not.toEqual(pixels.slice(4, 8));
});

test("contours lie at round numbers", () => {
  expect(roundInterval(1733, 12)).toBe(200);
  expect(roundInterval(1.2, 12)).toBeCloseTo(0.1, 12);
  expect(roundInterval(60, 12)).toBe(5);
  expect(roundInterval(0, 12)).toBe(1);
});
