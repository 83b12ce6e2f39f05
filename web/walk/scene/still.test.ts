import { describe, expect, it } from "vitest";
import { Table } from "../land.ts";
import { Rivers } from "../rivers.ts";
import { stillWater } from "./still.ts";

const [ROWS, COLS] = [9, 30];

/** A lake of level 5 in the west, a river of `level` that leaves it eastward in a trench. */
function valley(level: number) {
  const metres = new Float32Array(ROWS * COLS);
  const levels = new Float32Array(ROWS * COLS);
  for (let row = 0; row < ROWS; row++)
    for (let col = 0; col < COLS; col++) {
      const k = row * COLS + col;
      const lake = col < 12 && row > 0 && row < 8;
      const trench = row === 4;
      metres[k] = lake ? 3 : trench ? 4 : 9;
      levels[k] = lake ? 5 : trench ? level : 8.9;
    }
  const points: number[] = [];
  for (let col = 5; col < COLS; col++) points.push(col - 14.5, col < 12 ? 5 : level, 0, 1, 1, 1, 0);
  const columns = ["x", "surface", "z", "width", "depth", "discharge", "line"];
  const rivers = new Rivers(new Table(new Float32Array(points), columns));
  return { lattice: { metres, rows: ROWS, cols: COLS, cell: 1 }, levels, rivers };
}

describe("standing water", () => {
  it("takes in the river that runs through it, and not the one that leaves it lower down", () => {
    const { lattice, levels, rivers } = valley(4.5);
    const still = stillWater(lattice, levels, rivers);
    expect(still?.isAt(7 - 14.5, 0)).toBe(true);
    expect(still?.isAt(20 - 14.5, 0)).toBe(false);
    expect(still?.there[4 * COLS + 20]).toBe(0);
  });

  it("goes on at its level into its shore, under the ground, and never over lower ground", () => {
    const { lattice, levels, rivers } = valley(4.5);
    const still = stillWater(lattice, levels, rivers);
    const shore = 2 * COLS + 13;
    expect(still?.there[shore]).toBe(255);
    expect(still?.metres[shore]).toBe(5);
    for (let k = 0; k < levels.length; k++) {
      const dry = (levels[k] as number) <= (lattice.metres[k] as number);
      if (dry && still?.there[k])
        expect(still.metres[k]).toBeLessThanOrEqual(lattice.metres[k] as number);
    }
  });

  it("is nowhere where there are rivers alone", () => {
    const { lattice, levels, rivers } = valley(4.5);
    for (let k = 0; k < levels.length; k++)
      if (Math.floor(k / COLS) !== 4 || k % COLS < 12) levels[k] = 0;
    expect(stillWater(lattice, levels, rivers)).toBeNull();
  });
});
