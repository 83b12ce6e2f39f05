import { Vector3 } from "three";
import { expect, test } from "vitest";
import { waterLevels } from "../studio/view/shore.ts";
import { TriangulatedGround } from "./ground.ts";
import { Table } from "./land.ts";
import { Rivers } from "./rivers.ts";

const ROWS = 5;
const COLS = 7;
const CELL = 2;

/** A land whose heights a function of x and z gives. */
function lattice(height: (x: number, z: number) => number) {
  const metres = new Float32Array(ROWS * COLS);
  for (let row = 0; row < ROWS; row++)
    for (let col = 0; col < COLS; col++)
      metres[row * COLS + col] = height((col - 3) * CELL, (row - 2) * CELL);
  return { metres, rows: ROWS, cols: COLS, cell: CELL };
}

test("a plane is a plane everywhere, with its normal", () => {
  const ground = new TriangulatedGround(lattice((x, z) => 3 + 0.5 * x - 0.25 * z));
  const normal = new Vector3();
  for (const [x, z] of [
    [0, 0],
    [0.3, 1.9],
    [-5.2, 3.1],
    [5.9, -3.7],
  ] as const) {
    expect(ground.height(x, z)).toBeCloseTo(3 + 0.5 * x - 0.25 * z, 5);
    ground.normal(x, z, normal);
    const expected = new Vector3(-0.5, 1, 0.25).normalize();
    expect(normal.distanceTo(expected)).toBeLessThan(1e-6);
  }
});

test("a square is cut from north-east to south-west", () => {
  const ground = new TriangulatedGround(lattice((x, z) => (x === 0 && z === 0 ? 8 : 0)));
  // The square south-east of the peak: half of it is a slope, the other half is flat.
  expect(ground.height(0.5, 0.5)).toBeCloseTo(4, 6);
  expect(ground.height(1.5, 1.5)).toBe(0);
  // The square north-east of it: the cut runs up to the peak.
  expect(ground.height(1, -1)).toBeCloseTo(4, 6);
});

test("beside the land the edge goes on, and is not inside", () => {
  const ground = new TriangulatedGround(lattice((x) => x));
  expect(ground.height(50, 0)).toBe(6);
  expect(ground.inside(5.9, 3.9)).toBe(true);
  expect(ground.inside(6.1, 0)).toBe(false);
});

test("a lake ends where the ground cuts its level", () => {
  const land = lattice((x) => x);
  const surface = land.metres.map((metre) => Math.max(metre, -1));
  const ground = new TriangulatedGround(land, waterLevels(land.metres, surface, COLS, null));
  expect(ground.water(-4, 0)).toBeCloseTo(3, 5);
  expect(ground.water(-1.5, 0)).toBeCloseTo(0.5, 5);
  expect(ground.water(-0.9, 0)).toBe(0);
});

test("a river is as deep as its level stands above the ground, within its width", () => {
  const points = new Float32Array([0, 1, -4, 3, 1, 9, 0, 0, 0, 4, 3, 1, 9, 0]);
  const columns = ["x", "surface", "z", "width", "depth", "discharge", "line"];
  const rivers = new Rivers(new Table(points, columns));
  const ground = new TriangulatedGround(
    lattice(() => -1),
    null,
    rivers,
  );
  expect(ground.water(1.4, 0)).toBeCloseTo(1.5, 5);
  expect(ground.water(1.6, 0)).toBe(0);
  const found = rivers.nearest(1, 0);
  expect(found).toMatchObject({ x: 0, z: 0, distance: 1, flowX: 0, flowZ: 1, width: 3 });
});

test("a ray meets the ground where it is drawn", () => {
  const ground = new TriangulatedGround(lattice((x) => 0.5 * x));
  const place = new Vector3();
  expect(ground.meet(new Vector3(2, 9, 1), new Vector3(0, -1, 0), place)).toBe(true);
  expect(place.distanceTo(new Vector3(2, 1, 1))).toBeLessThan(1e-3);
  expect(ground.meet(new Vector3(2, 9, 1), new Vector3(0, 1, 0), place)).toBe(false);
});

test("a window elsewhere in the scene is the same land, moved", () => {
  const here = lattice((x, z) => Math.sin(x) + 0.3 * z);
  const [ground, moved] = [
    new TriangulatedGround(here),
    new TriangulatedGround({ ...here, x: 100, z: -40 }),
  ];
  expect(moved.height(101.3, -41.7)).toBeCloseTo(ground.height(1.3, -1.7), 9);
  expect(moved.inside(94.1, -40)).toBe(true);
  expect(moved.inside(93.9, -40)).toBe(false);
  const place = new Vector3();
  expect(moved.meet(new Vector3(102, 9, -39), new Vector3(0, -1, 0), place)).toBe(true);
  expect(place.x).toBeCloseTo(102, 6);
  expect(place.z).toBeCloseTo(-39, 6);
  expect(place.y).toBeCloseTo(moved.height(102, -39), 3);
});
