/** Birds that circle far off and high up. */

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Euler,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";
import { dice } from "../scene/chance.ts";
import type { Part, Stage } from "../stage.ts";

const BIRDS = 9;
/** Numbers of one: its distance from the flock's middle [m], phase, height over it [m], size. */
const NUMBERS = 4;
/** The flock's middle: so far from her, to the north-west, and so high above her [m]. */
const AWAY = 170;
const HIGH = 62;
/** How wide their rounds are [m], and how fast they fly [m/s]. */
const ROUND = 55;
const PACE = 9;
/** Flaps [rad/s], for a while; then they glide. */
const FLAPS = 9;

export class Birds implements Part {
  readonly wings: InstancedMesh<BufferGeometry, MeshBasicMaterial>;
  private readonly stage: Stage;
  private readonly flock: Float32Array;
  private readonly place = new Vector3();
  private readonly euler = new Euler(0, 0, 0, "YXZ");
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(stage: Stage) {
    this.stage = stage;
    const material = new MeshBasicMaterial({ color: 0x2c3236, side: DoubleSide });
    this.wings = new InstancedMesh(wing(), material, 2 * BIRDS);
    this.wings.name = "birds";
    this.wings.frustumCulled = false;
    const chance = dice(59);
    this.flock = Float32Array.from({ length: NUMBERS * BIRDS }, (_, k) => {
      if (k % NUMBERS === 0) return ROUND * (0.7 + 0.5 * chance());
      if (k % NUMBERS === 1) return 2.2 * chance();
      return k % NUMBERS === 2 ? 14 * chance() : 0.8 + 0.5 * chance();
    });
    stage.scene.add(this.wings);
    this.tick(0);
  }

  tick(seconds: number): void {
    for (let bird = 0; bird < BIRDS; bird++) this.fly(bird, seconds);
    this.wings.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.stage.scene.remove(this.wings);
    this.wings.geometry.dispose();
    this.wings.material.dispose();
    this.wings.dispose();
  }

  private fly(bird: number, seconds: number): void {
    const of = (n: number) => this.flock[NUMBERS * bird + n] as number;
    const { focus } = this.stage;
    const way = of(1) + (PACE * seconds) / of(0);
    this.place.set(
      focus.x - 0.5 * AWAY + of(0) * Math.sin(way),
      focus.y + HIGH + of(2) + 2 * Math.sin(0.4 * seconds + 3 * of(1)),
      focus.z - AWAY + of(0) * Math.cos(way),
    );
    this.size.setScalar(of(3));
    const flaps = Math.max(0, Math.sin(0.5 * seconds + 5 * of(1)));
    const up = 0.12 + 0.55 * flaps * Math.sin(FLAPS * seconds + 7 * of(1));
    for (const side of [0, 1]) {
      // The other wing is the same one turned round: a bird is alike from both ends, so far away.
      this.euler.set(0, way + Math.PI / 2 + side * Math.PI, up + 0.25 * (side === 0 ? 1 : -1));
      this.matrix.compose(this.place, this.turn.setFromEuler(this.euler), this.size);
      this.matrix.toArray(this.wings.instanceMatrix.array, 16 * (2 * bird + side));
    }
  }
}

/** One wing toward +x, with half of the body. */
function wing(): BufferGeometry {
  const geometry = new BufferGeometry();
  const places = [
    0, 0, -0.32, 0, 0, 0.32, 0.75, 0.06, 0.05, 0, 0, -0.12, 0.75, 0.06, 0.05, 1.5, 0, 0.3,
  ];
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  return geometry;
}
