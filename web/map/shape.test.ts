import { expect, test } from "vitest";
import { describe } from "./description.ts";
import { southward } from "./heights.ts";
import { foot, shape, sides, WALL } from "./shape.ts";

function map(seaLevel: number | null, south = -0.5, north = 0.5) {
  const tiles = { tiles: "t", encoding: "terrarium", tile_size: 256, minzoom: 0, maxzoom: 9 };
  const plain = { format: "downcut-map", version: 1, title: "", elevation: tiles };
  const place = { bounds: [10, south, 11, north], range: [-100, 900], sea_level: seaLevel };
  return describe({ ...plain, ...place }, "https://example.org/");
}

test("a degree at the equator is 111 km, and half as wide at 60°", () => {
  expect(sides(map(null)).map((side) => Math.round(side / 1000))).toEqual([111, 111]);
  expect(Math.round(sides(map(null, 59.5, 60.5))[0] / 1000)).toBe(56);
});

test("the sea's surface, not its floor, stands on the plinth", () => {
  // 100 m of sea stand above its floor, and less relief has the lower plinth: 12 % of 100 m.
  expect(shape(map(0)).floor - shape(map(null)).floor).toBeCloseTo(112, 6);
  expect(shape(map(null)).floor).toBeLessThan(-100);
  expect(shape(map(-200)).sea).toBeNull();
});

test("walls are as wide on all sides, seen from above", () => {
  const [west, south, east, north] = foot(map(null, 59, 61));
  const wall = southward(south) - southward(59);
  expect(southward(61) - southward(north)).toBeCloseTo(wall, 12);
  expect((10 - west) / 360).toBeCloseTo(wall, 12);
  expect((east - 11) / 360).toBeCloseTo(wall, 12);
  expect(wall).toBeCloseTo(WALL * (southward(59) - southward(61)), 12);
});
