import { expect, test } from "vitest";
import { HEIGHTS, learned, plainness, SLOPES } from "./learned.ts";

const [rows, cols, cell] = [40, 40, 10];

/** A plane that rises to the east, green below the middle and white above. */
function hillside(slope: number) {
  const metres = Float32Array.from({ length: rows * cols }, (_, k) => (k % cols) * cell * slope);
  const tint = new Uint8Array(4 * rows * cols);
  metres.forEach((_, k) => {
    tint.set(k % cols < cols / 2 ? [0, 200, 0, 255] : [255, 255, 255, 255], 4 * k);
  });
  return {
    land: { metres, rows, cols, cell, levels: null },
    tint,
    high: (cols - 1) * cell * slope,
  };
}

const colour = (look: Uint8Array, slope: number, height: number) => [
  ...look.slice(4 * (slope * HEIGHTS + height), 4 * (slope * HEIGHTS + height) + 3),
];

test("low ground is coloured as low ground was, high as high", () => {
  const { land, tint, high } = hillside(0.5);
  const look = learned(land, tint, 0, high);
  const middle = SLOPES / 2;
  expect(colour(look, middle, 3)).toEqual([0, 200, 0]);
  expect(colour(look, middle, HEIGHTS - 3)).toEqual([255, 255, 255]);
});

test("slopes that were not seen have the colours of their height", () => {
  const { land, tint, high } = hillside(0.5);
  const look = learned(land, tint, 0, high);
  for (let slope = 0; slope < SLOPES; slope++) {
    expect(colour(look, slope, 2)).toEqual([0, 200, 0]);
    expect(colour(look, slope, HEIGHTS - 2)).toEqual([255, 255, 255]);
  }
});

test("a lawn is plain, and green land with snow on it is not", () => {
  const lawn = Uint8Array.from(
    { length: 4000 },
    (_, k) => [90, 120 + (k % 5), 60, 0][k % 4] as number,
  );
  expect(plainness(lawn)).toBe(1);
  expect(plainness(lawn.map((value, k) => (k > 3000 ? 240 : value)))).toBe(0);
});
