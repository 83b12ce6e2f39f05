import { describe, expect, test } from "vitest";
import { describe as read } from "./description.ts";

const HERE = "https://example.org/some/where/";
const PLAIN = {
  format: "downcut-map",
  version: 1,
  title: "Alpine",
  bounds: [-1, -2, 3, 4],
  range: [10, 20],
  elevation: {
    tiles: "t/{z}/{x}/{y}.png",
    encoding: "terrarium",
    tile_size: 256,
    minzoom: 3,
    maxzoom: 9,
  },
};

describe("a description", () => {
  test("needs no more than its heights", () => {
    const map = read(PLAIN, HERE);
    expect(map.elevation.tiles).toBe(`${HERE}t/{z}/{x}/{y}.png`);
    expect([map.colour, map.rivers, map.seaLevel, map.exaggeration]).toEqual([null, null, null, 1]);
  });

  test.each([
    [{ rivers: "https://elsewhere.org/r.geojson" }, "rivers leaves the page's folder"],
    [{ lakes: "//elsewhere.org/l.geojson" }, "lakes leaves the page's folder"],
    [{ lakes: "a/../../l.geojson" }, "lakes leaves the page's folder"],
    [{ rivers: "javascript:alert(1)" }, "rivers leaves the page's folder"],
    [{ rivers: 7 }, "rivers has to be a text"],
    [{ bounds: [3, -2, -1, 4] }, "bounds has no area"],
    [{ bounds: [-1, -2, 3, Number.NaN] }, "bounds[3] has to be a number from -85 to 85"],
    [{ range: [20, 10] }, "range has to be [lowest, highest]"],
    [{ exaggeration: 50 }, "exaggeration has to be a number from 0.5 to 5"],
    [{ elevation: { ...PLAIN.elevation, archive: "a.pmtiles" } }, "either tiles or an archive"],
    [{ elevation: { ...PLAIN.elevation, encoding: "png" } }, "one of terrarium, terrain-rgb"],
    [
      { elevation: { ...PLAIN.elevation, maxzoom: 2 } },
      "elevation.maxzoom has to be a number from 3",
    ],
    [{ labels: [{ text: "top", kind: "peak", at: [0, 0] }] }, "one of summit, lake, place"],
    [{ format: "downcut" }, "it is no downcut-map of version 1"],
  ])("is refused for %j", (change, sentence) => {
    expect(() => read({ ...PLAIN, ...change }, HERE)).toThrow(sentence);
  });
});
