import { describe, expect, it } from "vitest";
import { ABOVE, BELOW, shoresOf } from "./shores.ts";

describe("shores", () => {
  const [rows, cols] = [5, 40];
  // Water of level 2 over the first ten columns, then a bank that rises a tenth of a metre a cell.
  const metres = new Float32Array(rows * cols).map((_, k) =>
    k % cols < 10 ? 1.5 : 2 + 0.1 * ((k % cols) - 9),
  );
  const levels = new Float32Array(rows * cols).map((_, k) => (k % cols < 10 ? 2 : 0));
  const at = (col: number, shores: Uint8Array | null) => (shores as Uint8Array)[2 * cols + col];

  it("tell how high the ground is above the water beside it", () => {
    const shores = shoresOf({ metres, rows, cols, cell: 1 }, levels);
    expect(at(5, shores)).toBe(Math.round((255 * (BELOW - 0.5)) / (BELOW + ABOVE)));
    for (let col = 10; col < 17; col++)
      expect(at(col, shores)).toBeGreaterThan(at(col - 1, shores) as number);
    expect(at(25, shores)).toBe(255);
  });

  it("are nowhere on dry land", () => {
    expect(shoresOf({ metres, rows, cols, cell: 1 }, null)).toBeNull();
  });
});
