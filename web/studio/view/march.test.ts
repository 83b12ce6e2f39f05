import { expect, test } from "vitest";
import { cellAt, elevationAt, type Heights, meet, slopeAt } from "./march.ts";

/** A plane that rises 0.5 m a metre to the east, 40 × 20 cells of 10 m. */
function plane(): Heights {
  const [rows, cols, cell] = [20, 40, 10];
  const metres = new Float32Array(rows * cols);
  for (let k = 0; k < metres.length; k++) metres[k] = 0.5 * ((k % cols) + 0.5 - cols / 2) * cell;
  return { metres, rows, cols, cell, levels: null };
}

test("between the cells the ground is as a plane is", () => {
  expect(elevationAt(plane(), 13, 42)).toBeCloseTo(6.5, 4);
  expect(elevationAt(plane(), -100, 0)).toBeCloseTo(-50, 4);
});

test("the slope of a plane is its angle", () => {
  expect(slopeAt(plane(), 3, 3)).toBeCloseTo((Math.atan(0.5) * 180) / Math.PI, 3);
});

test("a ray from above meets the ground below it", () => {
  const hit = meet(plane(), [30, -20, 1000], [0, 0, -1], -100, 100);
  expect(hit?.[0]).toBeCloseTo(30, 6);
  expect(hit?.[1]).toBeCloseTo(-20, 6);
  expect(hit?.[2]).toBeCloseTo(15, 3);
});

test("a slanting ray meets the plane where algebra says", () => {
  // z = 60 - t, x = -120 + 2 t; on the plane z = x / 2: 60 - t = -60 + t, so t = 60.
  const hit = meet(plane(), [-120, 10, 60], [2, 0, -1], -100, 100);
  expect(hit?.[0]).toBeCloseTo(0, 3);
  expect(hit?.[2]).toBeCloseTo(0, 3);
});

test("a ray that passes by meets nothing", () => {
  expect(meet(plane(), [0, 500, 50], [1, 0, 0], -100, 100)).toBeNull();
  expect(meet(plane(), [0, 0, 150], [0, 0, 1], -100, 100)).toBeNull();
});

test("a crest hides what lies behind it", () => {
  const { rows, cols, cell } = plane();
  const metres = new Float32Array(rows * cols);
  for (let row = 0; row < rows; row++) metres[row * cols + 20] = 30;
  const hit = meet(
    { metres, rows, cols, cell, levels: null },
    [-150, 0, 20],
    [1, 0, -0.01],
    -1,
    40,
  );
  expect(hit?.[0]).toBeLessThan(5);
  expect(hit?.[0]).toBeGreaterThan(-5);
});

test("water is met before its bed", () => {
  const land = { ...plane(), levels: new Float32Array(800).fill(-10) };
  expect(meet(land, [-150, 0, 100], [0, 0, -1], -100, 100)?.[2]).toBeCloseTo(-10, 3);
});

test("a place beside the land has no cell", () => {
  expect(cellAt(plane(), -199, 99)).toBe(0);
  expect(cellAt(plane(), 199, -99)).toBe(799);
  expect(cellAt(plane(), 201, 0)).toBe(-1);
});
