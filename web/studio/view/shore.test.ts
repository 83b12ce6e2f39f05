import { expect, test } from "vitest";
import { waterLevels } from "./shore.ts";

const metres = (...numbers: number[]) => Float32Array.from(numbers);

test("where all is dry there is no water", () => {
  expect(waterLevels(metres(1, 2, 3, 4), null, 2, null)).toBeNull();
  expect(waterLevels(metres(1, 2, 3, 4), metres(1, 2, 3, 4), 2, null)).toBeNull();
  expect(waterLevels(metres(1, 2, 3, 4), null, 2, 0)).toBeNull();
});

test("the sea stands level up to the shore", () => {
  // One row, the sea at 0: the shore lies where the ground cuts the level, halfway to the third cell.
  const levels = waterLevels(metres(-2, -1, 1, 9), null, 4, 0);
  expect([...(levels ?? [])].slice(0, 3)).toEqual([0, 0, 0]);
});

test("a lake does not spill over lower ground beside it", () => {
  // A lake at 5 m in the middle cell; downstream the ground is at 3 m and dry.
  const ground = metres(8, 4, 3);
  const levels = waterLevels(ground, metres(8, 5, 3), 3, null);
  expect(levels?.[1]).toBe(5);
  expect(levels?.[0]).toBe(5);
  expect(levels?.[2]).toBeLessThan(3);
});

test("no dry cell is under water", () => {
  const ground = Float32Array.from({ length: 400 }, (_, k) => Math.sin(k) + Math.cos(k / 7));
  const levels = waterLevels(ground, null, 20, 0.2);
  ground.forEach((z, k) => {
    expect((levels?.[k] ?? 0) > z).toBe(z < Math.fround(0.2));
  });
});
