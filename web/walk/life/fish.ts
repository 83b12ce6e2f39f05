/** Fish in the nearest water that is deep enough for them: up and down a river, or round in a lake or the sea. */

import {
  type BufferGeometry,
  ConeGeometry,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { POINT } from "../rivers.ts";
import { dice } from "../scene/chance.ts";
import type { Part, Stage } from "../stage.ts";

const FISH = 10;
/** Numbers of a fish: its place on the stretch [m], lane −1 to 1, pace [m/s], size. */
const NUMBERS = 4;
/** They swim so far up and down the river from the place nearest her [m], and wrap there. */
const STRETCH = 26;
/** Water that they need [m], and how much of it they keep above them. */
const DEEP = 0.3;
const SUNK = 0.45;
/** She goes so far [m] before they look for the river anew. */
const SHIFT = 12;
/** A pool is looked for so far away [m], in such steps; it is so deep [m], and they go round in so much of it [m]. */
const SOUGHT = 40;
const STEP = 4;
const POOL = 0.7;
const ROUND = 4;
const UP = new Vector3(0, 1, 0);

export class Fish implements Part {
  readonly bodies: InstancedMesh;
  readonly tails: InstancedMesh;
  private readonly stage: Stage;
  private readonly shoal: Float32Array;
  /** The points of the river they are in, how far down it each lies [m], and where its middle is. */
  private points: Float32Array = new Float32Array(0);
  private downstream: Float32Array = new Float32Array(0);
  private middle = 0;
  /** The middle of the pool they go round in, where that is nearer than any river. */
  private readonly pool = { found: false, x: 0, z: 0 };
  private x = Number.POSITIVE_INFINITY;
  private z = 0;
  private readonly place = new Vector3();
  private readonly along = new Vector3();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(stage: Stage) {
    this.stage = stage;
    const material = new MeshStandardMaterial({
      color: 0x9c7440,
      roughness: 0.35,
      metalness: 0.25,
    });
    this.bodies = new InstancedMesh(body(), material, FISH);
    this.tails = new InstancedMesh(tail(), material, FISH);
    this.bodies.name = "fish";
    this.tails.name = "fish tails";
    for (const mesh of [this.bodies, this.tails]) {
      mesh.frustumCulled = false;
      stage.scene.add(mesh);
    }
    const chance = dice(53);
    this.shoal = Float32Array.from({ length: NUMBERS * FISH }, (_, k) => {
      if (k % NUMBERS === 0) return 2 * STRETCH * chance();
      if (k % NUMBERS === 1) return 2 * chance() - 1;
      if (k % NUMBERS === 2)
        return (k % (2 * NUMBERS) < NUMBERS ? 1 : -1) * (0.25 + 0.4 * chance());
      return 0.8 + 0.5 * chance();
    });
    this.tick(0);
  }

  tick(seconds: number): void {
    const { x, z } = this.stage.focus;
    if (Math.hypot(x - this.x, z - this.z) > SHIFT) this.gather(x, z);
    for (let k = 0; k < FISH; k++) this.swim(k, seconds);
    this.bodies.instanceMatrix.needsUpdate = this.tails.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of [this.bodies, this.tails]) {
      this.stage.scene.remove(mesh);
      mesh.geometry.dispose();
      mesh.dispose();
    }
    (this.bodies.material as MeshStandardMaterial).dispose();
  }

  /** Finds the deep place of a river that is nearest to her. */
  private gather(x: number, z: number): void {
    [this.x, this.z] = [x, z];
    let nearest = this.seekPool(x, z);
    this.pool.found = nearest < Number.POSITIVE_INFINITY;
    let [found, row] = [this.points, 0];
    for (const { points } of this.stage.rivers.all)
      for (let at = 0; at < points.length; at += POINT) {
        const [px, , pz, , depth = 0] = points.subarray(at, at + 5);
        const far = Math.hypot((px as number) - x, (pz as number) - z);
        if (depth >= DEEP && far < nearest) {
          [nearest, found, row] = [far, points, at / POINT];
          this.pool.found = false;
        }
      }
    if (found !== this.points) {
      this.points = found;
      this.downstream = lengthsOf(found);
    }
    this.middle = this.downstream[row] ?? 0;
    this.bodies.visible = this.tails.visible = this.pool.found || found.length > POINT;
  }

  private swim(fish: number, seconds: number): void {
    const of = (n: number) => this.shoal[NUMBERS * fish + n] as number;
    const wag = 5 + 9 * Math.abs(of(2));
    const sine = Math.sin(wag * seconds + 2.4 * fish);
    const deep = this.pool.found ? this.circle(fish, seconds) : this.drift(fish, seconds);
    this.size.setScalar(deep >= DEEP ? of(3) : 0);
    const yaw = Math.atan2(this.along.x, this.along.z);
    this.turn.setFromAxisAngle(UP, yaw + 0.09 * sine);
    this.set(this.bodies, fish);
    this.place.x -= 0.15 * of(3) * Math.sin(yaw + 0.09 * sine);
    this.place.z -= 0.15 * of(3) * Math.cos(yaw + 0.09 * sine);
    this.turn.setFromAxisAngle(UP, yaw - 0.55 * sine);
    this.set(this.tails, fish);
  }

  /** The nearest place round her with water deep enough to go round in; tells how far it is [m]. */
  private seekPool(x: number, z: number): number {
    const { ground } = this.stage;
    for (let far = STEP; far <= SOUGHT; far += STEP)
      for (let k = 0; k < 16; k++) {
        const way = (Math.PI * k) / 8;
        const [px, pz] = [x + far * Math.sin(way), z + far * Math.cos(way)];
        if (ground.water(px, pz) < POOL) continue;
        // A little farther from the shore than where it is first deep enough.
        this.pool.x = px + ROUND * Math.sin(way);
        this.pool.z = pz + ROUND * Math.cos(way);
        return far;
      }
    return Number.POSITIVE_INFINITY;
  }

  /** Puts a fish on its round in the pool; returns how deep [m] the water is there. */
  private circle(fish: number, seconds: number): number {
    const of = (n: number) => this.shoal[NUMBERS * fish + n] as number;
    const { ground } = this.stage;
    const far = ROUND * (0.35 + 0.6 * Math.abs(of(1)));
    const way = of(0) + (of(2) * seconds) / far;
    const sign = Math.sign(of(2));
    this.along.set(sign * Math.cos(way), 0, -sign * Math.sin(way));
    this.place.set(this.pool.x + far * Math.sin(way), 0, this.pool.z + far * Math.cos(way));
    const deep = ground.water(this.place.x, this.place.z);
    const below = Math.min(SUNK * deep, 0.5);
    this.place.y = ground.height(this.place.x, this.place.z) + deep - below;
    return deep;
  }

  /** Puts a fish where it is on its stretch; returns how deep [m] the water is there. */
  private drift(fish: number, seconds: number): number {
    const of = (n: number) => this.shoal[NUMBERS * fish + n] as number;
    const whole = 2 * STRETCH;
    // Round the river, not round her: the stretch moves on with her, and each fish keeps its place.
    const round = of(0) + of(2) * seconds - this.middle + STRETCH;
    const s = this.middle - STRETCH + (round - whole * Math.floor(round / whole));
    return this.locate(s, of(1), Math.sign(of(2)));
  }

  private set(mesh: InstancedMesh, fish: number): void {
    this.matrix.compose(this.place, this.turn, this.size);
    this.matrix.toArray(mesh.instanceMatrix.array, 16 * fish);
  }

  /** Puts `place` and `along` where a fish swims; returns how deep [m] the water is, 0 off the river. */
  private locate(s: number, lane: number, sign: number): number {
    const { points, downstream, place, along } = this;
    const last = downstream.length - 1;
    if (last < 1 || s < 0 || s > (downstream[last] as number)) return 0;
    let [low, high] = [0, last];
    while (high - low > 1) {
      const half = (low + high) >> 1;
      if ((downstream[half] as number) <= s) low = half;
      else high = half;
    }
    const [from, to] = [downstream[low] as number, downstream[high] as number];
    const share = to > from ? (s - from) / (to - from) : 0;
    const of = (k: number) => {
      const here = points[low * POINT + k] as number;
      return here + share * ((points[high * POINT + k] as number) - here);
    };
    const slope = (k: number) =>
      (points[high * POINT + k] as number) - (points[low * POINT + k] as number);
    const long = Math.hypot(slope(0), slope(2)) || 1;
    along.set((sign * slope(0)) / long, 0, (sign * slope(2)) / long);
    const aside = (0.3 * lane * of(3)) / 2;
    place.set(of(0) - (aside * slope(2)) / long, 0, of(2) + (aside * slope(0)) / long);
    const deep = of(1) - this.stage.ground.height(place.x, place.z);
    place.y = of(1) - SUNK * deep;
    return deep;
  }
}

function lengthsOf(points: Float32Array): Float32Array {
  const made = new Float32Array(points.length / POINT);
  for (let k = 1; k < made.length; k++) {
    const of = (row: number, n: number) => points[row * POINT + n] as number;
    made[k] =
      (made[k - 1] as number) + Math.hypot(of(k, 0) - of(k - 1, 0), of(k, 2) - of(k - 1, 2));
  }
  return made;
}

/** A flattened egg with fins, 0.34 m long, its head toward +z. */
function body(): BufferGeometry {
  const egg = new SphereGeometry(1, 16, 12).scale(0.042, 0.062, 0.17);
  const fin = (long: number) => new ConeGeometry(0.05, long, 8).scale(0.14, 1, 1);
  const back = fin(0.08).rotateX(-0.5).translate(0, 0.07, -0.015);
  const sides = [-1, 1].map((side) =>
    fin(0.09)
      .rotateX(-1.9)
      .rotateY(side * -0.7)
      .translate(side * 0.055, -0.02, 0.03),
  );
  return joined([egg, back, ...sides]);
}

/** The tail's two lobes, its root at the origin. */
function tail(): BufferGeometry {
  return joined(
    [-1, 1].map((side) =>
      new ConeGeometry(0.04, 0.12, 8)
        .scale(0.16, 1, 1)
        .translate(0, -0.06, 0)
        .rotateX(Math.PI / 2 + side * 0.5)
        .translate(0, 0, 0.01),
    ),
  );
}

function joined(shapes: BufferGeometry[]): BufferGeometry {
  const made = mergeGeometries(shapes);
  for (const shape of shapes) shape.dispose();
  return made;
}
