import { describe, expect, test } from "vitest";
import type { About, Walk } from "../land.ts";
import { read, standAt, written } from "./address.ts";
import { addressOf, isDue, onLand } from "./onward.ts";

/** A window of 400 m about a place of a land of 1000 m, or of one without an edge. */
function window(east: number, north: number, endless = false): Walk {
  const origin = { east: 0, north: 0 };
  const bounds = endless ? null : [-500, -500, 500, 500];
  return {
    about: { onward: "../{x},{y}/walk.json", bounds } as unknown as About,
    address: "http://here/api/walk/opened/start/walk.json",
    grid: { ny: 400, nx: 400, cell_size: 1 },
    origin,
    x: east - origin.east,
    z: origin.north - north,
  } as unknown as Walk;
}

describe("the next window", () => {
  test("lies about where she is, on multiples of 16 m: east is x, north is against z", () => {
    const land = { ...window(0, 0, true), origin: { east: 2000, north: -4000 } };
    const address = addressOf(land, onLand(land, 21, -30));
    expect(address).toBe("http://here/api/walk/opened/2016,-3968/walk.json");
  });

  test("lies on the land, however near its edge she is", () => {
    const address = addressOf(window(300, 300), { east: 499.9, north: -520 });
    expect(address).toBe("http://here/api/walk/opened/496,-500/walk.json");
  });

  test.each([
    ["near the middle", 20, 10, false],
    ["eastward", 70, 0, true],
    ["southward", 0, 70, true],
  ])("%s: due is %4$s", (_, x, z, due) => {
    expect(isDue(window(0, 0), { x, z })).toBe(due);
    expect(isDue(window(0, 0, true), { x, z })).toBe(due);
  });

  test("is not due where the land ends, only where it goes on", () => {
    const corner = window(300, 300); // no window lies farther north-east
    expect(isDue(corner, { x: 490, z: -490 })).toBe(false);
    expect(isDue(corner, { x: 300, z: -200 })).toBe(true); // back southward
    expect(isDue(window(290, 0), { x: 480, z: 0 })).toBe(true); // ten metres more, to the very edge
    expect(isDue(window(300, 300, true), { x: 490, z: -490 })).toBe(true);
  });

  test("comes on and on however far from the middle of the world", () => {
    const far = window(-960_000, 7_200_000, true);
    expect(isDue(far, { x: far.x - 90, z: far.z })).toBe(true);
    expect(isDue(far, { x: far.x - 20, z: far.z })).toBe(false);
  });
});

describe("a link", () => {
  test("leads back to where she was and where she looked", () => {
    const land = { origin: { east: -6000, north: 2000 } };
    const mark = read(written({ ...onLand(land, 12.3, -45.6), heading: -90 }));
    expect(mark).toEqual({ east: -5987.7, north: 2045.6, heading: 270 });
    const stand = mark && standAt(land, mark);
    expect(stand?.x).toBeCloseTo(12.3, 6);
    expect(stand?.z).toBeCloseTo(-45.6, 6);
  });

  test.each([null, "", "1", "1,x", "1,2,3,4", "Infinity,0"])("%s is none", (text) => {
    expect(read(text)).toBeNull();
  });
});
