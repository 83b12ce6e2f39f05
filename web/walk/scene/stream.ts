/** Rivers: ribbons that follow their lines, at the water's level, two vertices a row. */

import {
  BufferAttribute,
  BufferGeometry,
  Mesh,
  type MeshPhysicalMaterial,
  type Texture,
} from "three";
import { POINT, type River } from "../rivers.ts";
import type { Part, Stage } from "../stage.ts";
import { water } from "./water.ts";
import type { Wind } from "./wind.ts";

/** A ribbon is so much wider than its water [m], and its edges lie in the banks. */
const MARGIN = 0.3;
/** Flow of rivers [m/s], by Manning's law for a gravel bed of such a slope, and no less or more. */
const ROUGH = 0.04;
const SLOWEST = 0.18;
const FASTEST = 2.2;

/** Numbers of all rows of all ribbons. */
interface Rows {
  readonly position: Float32Array;
  readonly flow: Float32Array;
  readonly deep: Float32Array;
  readonly corners: number[];
}

export class Streams implements Part {
  readonly mesh: Mesh<BufferGeometry, MeshPhysicalMaterial>;
  private readonly stage: Stage;

  constructor(stage: Stage, wind: Wind, grain: Texture) {
    this.stage = stage;
    const material = water(stage.quality.fine, wind, grain, {
      key: "stream",
      uniforms: {},
      head: "attribute vec2 flow;\nattribute float deep;",
      place: "position",
      flow: "flow",
      deep: "deep",
    });
    this.mesh = new Mesh(ribbons(stage.rivers.all), material);
    this.mesh.name = "stream";
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    stage.scene.add(this.mesh);
  }

  tick(): void {} // the wind's clock moves its ripples

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

export function ribbons(rivers: readonly River[]): BufferGeometry {
  const rows = rivers.reduce((sum, { points }) => sum + points.length / POINT, 0);
  const made: Rows = {
    position: new Float32Array(6 * rows),
    flow: new Float32Array(4 * rows),
    deep: new Float32Array(2 * rows),
    corners: [],
  };
  let row = 0;
  for (const river of rivers) row = ribbon(river, row, made);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(made.position, 3));
  const up = made.position.map((_, k) => (k % 3 === 1 ? 1 : 0));
  geometry.setAttribute("normal", new BufferAttribute(up, 3));
  geometry.setAttribute("flow", new BufferAttribute(made.flow, 2));
  geometry.setAttribute("deep", new BufferAttribute(made.deep, 1));
  geometry.setIndex(made.corners);
  return geometry;
}

function ribbon({ points }: River, first: number, { position, flow, deep, corners }: Rows): number {
  const count = points.length / POINT;
  const of = (row: number, column: number) =>
    points[Math.min(Math.max(row, 0), count - 1) * POINT + column] as number;
  for (let n = 0; n < count; n++) {
    const [dx, dz] = [of(n + 1, 0) - of(n - 1, 0), of(n + 1, 2) - of(n - 1, 2)];
    const length = Math.hypot(dx, dz) || 1;
    const half = of(n, 3) / 2 + MARGIN;
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
      deep[at] = Math.max(depth, 0.15);
    }
    const a = 2 * (first + n);
    if (n + 1 < count) corners.push(a, a + 1, a + 2, a + 2, a + 1, a + 3);
  }
  return first + count;
}
