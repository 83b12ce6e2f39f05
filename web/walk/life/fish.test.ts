import { Matrix4, Scene, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Rivers } from "../rivers.ts";
import type { Stage } from "../stage.ts";
import { Fish } from "./fish.ts";

const LEVEL = 3;

/** A lake in the east whose bed falls away from its shore at x = 12. */
function stageBy(depth: (x: number) => number): Stage {
  const ground = {
    height: (x: number) => LEVEL - depth(x),
    water: (x: number) => Math.max(0, depth(x)),
  };
  const rivers = new Rivers(null);
  return { scene: new Scene(), focus: new Vector3(), ground, rivers } as unknown as Stage;
}

describe("fish", () => {
  it("go round in a lake that is near, between its bed and its surface", () => {
    const depth = (x: number) => (x - 12) / 8;
    const fish = new Fish(stageBy(depth));
    const matrix = new Matrix4();
    const place = new Vector3();
    const seen = new Set<string>();
    for (const seconds of [0, 3, 7.5]) {
      fish.tick(seconds);
      for (let n = 0; n < fish.bodies.count; n++) {
        fish.bodies.getMatrixAt(n, matrix);
        if (matrix.getMaxScaleOnAxis() === 0) continue;
        place.setFromMatrixPosition(matrix);
        expect(depth(place.x)).toBeGreaterThanOrEqual(0.3);
        expect(place.y).toBeLessThan(LEVEL);
        expect(place.y).toBeGreaterThan(LEVEL - depth(place.x));
        seen.add(`${place.x.toFixed(2)} ${place.z.toFixed(2)}`);
      }
    }
    expect(fish.bodies.visible).toBe(true);
    expect(seen.size).toBeGreaterThan(20);
  });

  it("are not seen where all water is shallow", () => {
    expect(new Fish(stageBy(() => 0.5)).bodies.visible).toBe(false);
  });
});
