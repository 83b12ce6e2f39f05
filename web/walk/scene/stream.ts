/** Rivers: ribbons that follow their lines, at the water's level, two vertices a row. */

import { BufferAttribute, BufferGeometry, Mesh, type MeshPhysicalMaterial } from "three";
import { POINT, type River } from "../rivers.ts";
import type { Later, Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import type { Still } from "./still.ts";
import { type Waters, water } from "./water.ts";

/** A ribbon is so much wider than its water [m], and its edges lie in the banks. */
const MARGIN = 0.3;
/** Where a river begins its ribbon widens over so many rows. */
const SPRING = 5;
/** Flow of rivers [m/s], by Manning's law for a gravel bed of such a slope, and no less or more. */
const ROUGH = 0.04;
const SLOWEST = 0.18;
const FASTEST = 3.6;

/** Numbers of all rows of all ribbons. */
interface Rows {
  readonly position: Float32Array;
  readonly flow: Float32Array;
  /** 0 where a lake takes over. */
  readonly seen: Float32Array;
  readonly corners: number[];
}

export class Streams implements Part {
  readonly mesh: Mesh<BufferGeometry, MeshPhysicalMaterial>;
  private readonly stage: Theatre;

  constructor(stage: Theatre, waters: Waters) {
    this.stage = stage;
    const material = water(waters, {
      key: "stream",
      uniforms: {},
      head: "attribute vec2 flow;\nattribute float seen;",
      place: "position",
      flow: "flow",
      seen: "seen",
      surf: 0,
    });
    this.mesh = new Mesh(ribbons(stage.rivers.all, stage.window.still), material);
    this.mesh.name = "stream";
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    stage.scene.add(this.mesh);
  }

  tick(): void {} // the wind's clock moves its ripples

  /** Takes the rivers of another window. */
  renew(later: Later): void {
    later(() => {
      this.mesh.geometry.dispose();
      this.mesh.geometry = ribbons(this.stage.rivers.all, this.stage.window.still);
    });
  }

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

export function ribbons(rivers: readonly River[], still: Still | null): BufferGeometry {
  const rows = rivers.reduce((sum, { points }) => sum + points.length / POINT, 0);
  const made: Rows = {
    position: new Float32Array(6 * rows),
    flow: new Float32Array(4 * rows),
    seen: new Float32Array(2 * rows),
    corners: [],
  };
  let row = 0;
  for (const river of rivers) row = ribbon(river, row, made, still);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(made.position, 3));
  const up = made.position.map((_, k) => (k % 3 === 1 ? 1 : 0));
  geometry.setAttribute("normal", new BufferAttribute(up, 3));
  geometry.setAttribute("flow", new BufferAttribute(made.flow, 2));
  geometry.setAttribute("seen", new BufferAttribute(made.seen, 1));
  geometry.setIndex(made.corners);
  return geometry;
}

function ribbon(
  { points }: River,
  first: number,
  { position, flow, seen, corners }: Rows,
  still: Still | null,
): number {
  const count = points.length / POINT;
  const of = (row: number, column: number) =>
    points[Math.min(Math.max(row, 0), count - 1) * POINT + column] as number;
  for (let n = 0; n < count; n++) {
    const [dx, dz] = [of(n + 1, 0) - of(n - 1, 0), of(n + 1, 2) - of(n - 1, 2)];
    const length = Math.hypot(dx, dz) || 1;
    // It reaches one row into a lake, so that no gap is left between them.
    const drowned = [-1, 0, 1].every((k) => still?.isAt(of(n + k, 0), of(n + k, 2)));
    const half = (of(n, 3) / 2 + MARGIN) * Math.min(1, (n + 0.2) / SPRING);
    const depth = of(n, 4);
    const slope = Math.max(0, of(n - 1, 1) - of(n + 1, 1)) / length;
    const pace = Math.min(
      Math.max((depth ** (2 / 3) * Math.sqrt(slope)) / ROUGH, SLOWEST),
      FASTEST,
    );
    for (const [side, k] of [
      [-1, 0],
      [1, 1],
    ] as const) {
      const at = 2 * (first + n) + k;
      position[3 * at] = of(n, 0) - (side * half * dz) / length;
      position[3 * at + 1] = of(n, 1);
      position[3 * at + 2] = of(n, 2) + (side * half * dx) / length;
      flow[2 * at] = (pace * dx) / length;
      flow[2 * at + 1] = (pace * dz) / length;
      seen[at] = drowned ? 0 : 1;
    }
    const a = 2 * (first + n);
    if (n + 1 < count) corners.push(a, a + 1, a + 2, a + 2, a + 1, a + 3);
  }
  return first + count;
}
