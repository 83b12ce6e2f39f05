import { describe, expect, test } from "vitest";
import type { Bounds } from "./description.ts";
import {
  block,
  carriedOn,
  decode,
  eastward,
  encode,
  extent,
  flooded,
  type Heights,
  nearest,
  southward,
} from "./heights.ts";

function tile(size: number, height: (row: number, column: number) => number): Heights {
  const metres = Array.from({ length: size * size }, (_, i) =>
    height(Math.floor(i / size), i % size),
  );
  return { size, metres: Float32Array.from(metres) };
}

describe("codes", () => {
  test("Terrarium's own examples: sea level, a metre, a 256th below", () => {
    const rgba = Uint8ClampedArray.from([
      128, 0, 0, 255, 128, 1, 0, 255, 127, 255, 255, 255, 0, 0, 0, 255,
    ]);
    expect([...decode(rgba, 2, "terrarium").metres]).toEqual([0, 1, -1 / 256, -32768]);
  });

  test("Terrain-RGB counts tenths of a metre from ten kilometres below", () => {
    const rgba = Uint8ClampedArray.from([
      0, 0, 0, 255, 1, 134, 160, 255, 0, 0, 1, 255, 1, 134, 170, 255,
    ]);
    const heights = [...decode(rgba, 2, "terrain-rgb").metres];
    for (const [i, height] of [-10000, 0, -9999.9, 1].entries()) {
      expect(heights[i]).toBeCloseTo(height, 3);
    }
  });

  test("what is written is read again to half a 256th of a metre", () => {
    const heights = tile(4, (row, column) => 8848.86 - 1234.567 * row - 0.3 * column);
    const again = decode(encode(heights), 4, "terrarium");
    heights.metres.forEach((height, i) => {
      expect(Math.abs((again.metres[i] as number) - height)).toBeLessThanOrEqual(0.5 / 256 + 1e-3);
    });
  });
});

describe("where the land lies", () => {
  test("Mercator's square: its corners and its middle", () => {
    expect(eastward(-180)).toBe(0);
    expect(eastward(90)).toBe(0.75);
    expect(southward(0)).toBeCloseTo(0.5, 12);
    expect(southward(85.051129)).toBeCloseTo(0, 7);
  });

  test("a quarter of the world has a quarter of the pixels, and at least one", () => {
    const quarter: Bounds = [0, -85.051129, 180, 0];
    expect(extent(quarter, 1, 256)).toEqual({ left: 256, right: 512, top: 256, bottom: 512 });
    const { left, right } = extent([10, 10, 10.000001, 10.000001], 0, 256);
    expect(right - left).toBe(1);
  });

  test("a tile beside the land takes its heights from the nearest that has some", () => {
    const land = { left: 300, right: 512, top: 0, bottom: 256 };
    expect(nearest({ x: 1, y: 0 }, land, 256)).toEqual({ x: 1, y: 0 });
    expect(nearest({ x: 0, y: 3 }, land, 256)).toEqual({ x: 1, y: 0 });
    expect(nearest({ x: 2, y: 0 }, land, 256)).toEqual({ x: 1, y: 0 });
  });
});

describe("the block", () => {
  const land = { left: 4, right: 6, top: 2, bottom: 8 };
  const at = { x: 1, y: 1 }; // its pixels 4 to 7: two columns of land, two without

  test("outside, the outermost heights go on; what the tile holds there does not matter", () => {
    const ground = tile(4, (row, column) => (column < 2 ? 10 * row + column : -9999));
    const shown = carriedOn(ground, at, at, land);
    expect([...shown.metres.slice(4, 8)]).toEqual([10, 11, 11, 11]);
    const beside = carriedOn(ground, at, { x: 2, y: 1 }, land);
    expect([...beside.metres.slice(4, 8)]).toEqual([11, 11, 11, 11]);
  });

  test("water stands level", () => {
    expect([
      ...flooded(
        tile(2, (row) => row * 10 - 5),
        0,
      ).metres,
    ]).toEqual([0, 0, 5, 5]);
    expect([
      ...flooded(
        tile(2, (row) => row * 10 - 5),
        null,
      ).metres,
    ]).toEqual([-5, -5, 5, 5]);
  });

  test("stands on the floor, with walls that fall to it within their width", () => {
    const shown = block(
      tile(4, () => 30),
      at,
      land,
      10,
      2,
    );
    expect([...shown.metres.slice(0, 4)]).toEqual([20, 20, 10, 0]);
  });
});
