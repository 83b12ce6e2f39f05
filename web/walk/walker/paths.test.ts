import { describe, expect, test } from "vitest";
import { waterLevels } from "../../studio/view/shore.ts";
import { TriangulatedGround } from "../ground.ts";
import { type Limits, Table } from "../land.ts";
import { Rivers } from "../rivers.ts";
import { Paths, turn } from "./paths.ts";

const COLUMNS = ["x", "surface", "z", "width", "depth", "discharge", "line"];
const GLADE: Limits = {
  circle: { x: 0, z: 0, radius: 26 },
  clearance: 4.4,
  margin: 4,
  wade: 0.45,
  climb: 38,
};
const OPEN: Limits = { ...GLADE, circle: null, clearance: null };

/** A land of 61 × 61 vertices, a metre apart. */
function land(height: (x: number, z: number) => number, level: number | null = null) {
  const metres = Float32Array.from({ length: 61 * 61 }, (_, at) =>
    height((at % 61) - 30, Math.floor(at / 61) - 30),
  );
  return new TriangulatedGround(
    { metres, rows: 61, cols: 61, cell: 1 },
    waterLevels(metres, null, 61, level),
  );
}

/** The glade's stream, which winds southward. */
function stream(): Rivers {
  const rows: number[] = [];
  for (let z = -60; z <= 60; z++) {
    const x = 8 + 2.6 * Math.sin(0.045 * z) + 1.3 * Math.sin(0.11 * z + 1.3);
    rows.push(x, -0.2, z, 5, 0.9, 1e6, 0);
  }
  return new Rivers(new Table(Float32Array.from(rows), COLUMNS));
}

describe("turning", () => {
  test.each([
    [0, 1, 1],
    [0.1, 2 * Math.PI - 0.1, -0.2],
    [-3, 3, 6 - 2 * Math.PI],
    [20 * Math.PI, -Math.PI / 2, -Math.PI / 2],
    [-40, 0, 40 - 12 * Math.PI],
  ])("from %f to %f takes the shortest way", (from, to, way) => {
    expect(turn(from, to)).toBeCloseTo(way, 9);
  });
});

describe("the glade", () => {
  const rivers = stream();
  const flat = land(() => 0);
  const paths = new Paths(flat, rivers, GLADE, 61, 61);
  const away = (x: number, z: number) => rivers.nearest(x, z)?.distance ?? 99;

  test("a wish on her bank is as it is", () => {
    expect(paths.allowed({ x: 0, z: 0 }, { x: -3, z: 7 })).toEqual({ x: -3, z: 7 });
  });

  test("across the water becomes the near edge, in the water her own bank", () => {
    for (const wish of [14, 20, 9, 7].map((x) => ({ x, z: 2 }))) {
      const place = paths.allowed({ x: 0, z: 0 }, wish);
      expect(place.x).toBeLessThan(8);
      expect(away(place.x, place.z)).toBeGreaterThan(4.399);
      expect(away(place.x, place.z)).toBeLessThan(4.6);
    }
    const east = paths.allowed({ x: 16, z: 0 }, { x: -4, z: 3 });
    expect(east.x).toBeGreaterThan(8);
  });

  test("no wish, wherever it is, leads out of the circle or into the stream", () => {
    for (let k = 0; k < 2000; k++) {
      const angle = k * 2.399963;
      const wish = { x: 0.03 * k * Math.cos(angle), z: 0.03 * k * Math.sin(angle) };
      const place = paths.allowed({ x: 1, z: 4 }, wish);
      expect(Math.hypot(place.x, place.z)).toBeLessThan(26.01);
      expect(away(place.x, place.z)).toBeGreaterThan(4.39);
    }
  });
});

describe("any land", () => {
  const walk = (paths: Paths, from: { x: number; z: number }, x: number, z: number) => {
    const now = { ...from };
    const next = { ...from };
    for (let k = 0; k < 2000; k++) {
      const left = Math.hypot(x - now.x, z - now.z);
      if (left < 0.05 || !paths.step(now, x, z, Math.min(0.1, left), next)) break;
      [now.x, now.z] = [next.x, next.z];
    }
    return now;
  };

  const bed = (low: number) => (x: number) => Math.min(1, Math.max(low, 0.4 * (Math.abs(x) - 5)));

  test("she wades a ford and keeps out of what is deeper", () => {
    const ford = new Paths(land(bed(-0.4), 0), new Rivers(null), OPEN, 61, 61);
    expect(walk(ford, { x: -9, z: 0 }, 9, 0).x).toBeCloseTo(9, 1);
    const deep = new Paths(land(bed(-0.6), 0), new Rivers(null), OPEN, 61, 61);
    const bank = walk(deep, { x: -9, z: 0 }, 9, 0);
    expect(bank.x).toBeLessThan(-3);
    expect(bank.x).toBeGreaterThan(-5);
  });

  test("she climbs what is not too steep, and nothing else", () => {
    const slope = (degrees: number) =>
      new Paths(
        land((x) => Math.max(0, x) * Math.tan((degrees * Math.PI) / 180)),
        new Rivers(null),
        OPEN,
        61,
        61,
      );
    expect(walk(slope(35), { x: -5, z: 0 }, 8, 0).x).toBeCloseTo(8, 1);
    expect(walk(slope(45), { x: -5, z: 0 }, 8, 0).x).toBeLessThan(0.5);
  });

  test("she slides along a wall that does not face her", () => {
    const wall = new Paths(
      land((x, z) => (x + 0.4 * z > 4 ? 9 : 0)),
      new Rivers(null),
      OPEN,
      61,
      61,
    );
    const end = walk(wall, { x: -2, z: 0 }, 6, -12);
    expect(Math.hypot(end.x - 6, end.z + 12)).toBeLessThan(1.5);
  });

  test("she stays on the land", () => {
    const paths = new Paths(
      land(() => 0),
      new Rivers(null),
      OPEN,
      61,
      61,
    );
    const end = walk(paths, { x: 0, z: 0 }, 200, 0);
    expect(end.x).toBeGreaterThan(26);
    expect(end.x).toBeLessThan(26.6);
  });
});
