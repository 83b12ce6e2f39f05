/** Instances that stand where the data says: those near her, chosen anew as she goes. */

import {
  type BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  Matrix4,
  type Object3D,
  Quaternion,
  Vector3,
} from "three";
import type { Ground } from "../ground.ts";
import type { Later, Part, Stage } from "../stage.ts";
import { type Spread, THING } from "./spread.ts";

/** She goes so far [m] before the nearest are chosen anew. */
const SHIFT = 5;
const UP = new Vector3(0, 1, 0);

/** How a thing stands and looks, from its numbers. */
export interface Manner {
  /** How far it sinks into the ground, for a scale of 1 [m]. */
  readonly sunk?: number;
  /** How far it leans at most, to any side [rad]. */
  readonly lean?: number;
  /** Its up is the ground's: 0 never, 1 wholly. */
  readonly along?: number;
  /** Its three scales, for a scale of 1. */
  readonly stretch?: (tint: number, into: Vector3) => void;
  readonly colour?: (tint: number, into: Color, species: number) => void;
}

const [PLACE, SCALE, SIDE, TURN, TILT] = [
  new Vector3(),
  new Vector3(),
  new Vector3(),
  new Quaternion(),
  new Quaternion(),
];
const COLOUR = new Color();
const MATRIX = new Matrix4();

/** One or several meshes that share their places: a trunk and its crown. */
export class Stand {
  readonly meshes: InstancedMesh[];
  count = 0;
  private readonly most: number;
  private readonly manner: Manner;

  constructor(parts: readonly [BufferGeometry, Material][], most: number, manner: Manner) {
    this.most = most;
    this.manner = manner;
    const matrices = new InstancedBufferAttribute(new Float32Array(16 * most), 16);
    const colours = new InstancedBufferAttribute(new Float32Array(3 * most), 3);
    for (const attribute of [matrices, colours]) attribute.setUsage(DynamicDrawUsage);
    this.meshes = parts.map(([geometry, material]) => {
      const mesh = new InstancedMesh(geometry, material, 0);
      mesh.instanceMatrix = matrices;
      if (manner.colour) mesh.instanceColor = colours;
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = true;
      return mesh;
    });
  }

  get isFull(): boolean {
    return this.count >= this.most;
  }

  clear(): void {
    this.count = 0;
  }

  /** Puts a thing there. */
  put(spread: Spread, thing: number, ground: Ground): void {
    const [x, z, scale, turn, tint, species, tilt] = numbers(spread, thing);
    const { sunk = 0, lean = 0, along = 0, stretch, colour } = this.manner;
    TURN.setFromAxisAngle(UP, turn);
    if (tilt !== 0) {
      SIDE.set(Math.cos(turn), 0, -Math.sin(turn));
      TURN.premultiply(TILT.setFromAxisAngle(SIDE, tilt));
    }
    // The tint is chance as well: which way it leans follows from it.
    if (lean > 0) {
      const way = 41 * tint + turn;
      SIDE.set(Math.cos(way), 0, Math.sin(way));
      TURN.premultiply(TILT.setFromAxisAngle(SIDE, lean * (((97 * tint) % 1) * 2 - 1)));
    }
    if (along > 0) {
      ground
        .normal(x, z, SIDE)
        .lerp(UP, 1 - along)
        .normalize();
      TURN.premultiply(TILT.setFromUnitVectors(UP, SIDE));
    }
    SCALE.set(1, 1, 1);
    stretch?.(tint, SCALE);
    SCALE.multiplyScalar(scale);
    PLACE.set(x, ground.height(x, z) - sunk * scale, z);
    const [{ instanceMatrix, instanceColor }] = this.meshes as [InstancedMesh];
    MATRIX.compose(PLACE, TURN, SCALE).toArray(instanceMatrix.array, 16 * this.count);
    if (colour && instanceColor) {
      colour(tint, COLOUR, species);
      COLOUR.toArray(instanceColor.array, 3 * this.count);
    }
    this.count++;
  }

  /** Sends what was put to the card. */
  settle(): void {
    for (const mesh of this.meshes) {
      mesh.count = this.count;
      mesh.visible = this.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }
}

const NUMBERS: [number, number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0, 0];

function numbers({ things }: Spread, thing: number): typeof NUMBERS {
  for (let k = 0; k < THING; k++) NUMBERS[k] = things[THING * thing + k] as number;
  return NUMBERS;
}

/** Stands of one spread, coarser with distance: a thing goes into the first that takes it. */
export class Planted implements Part {
  readonly stands: readonly (readonly [reach: number, stand: Stand])[];
  private readonly stage: Stage;
  private spread: Spread;
  private readonly among: () => Spread;
  private readonly reach: number;
  private x = Number.POSITIVE_INFINITY;
  private z = 0;

  /** `among` gives what there is in the window of now. */
  constructor(
    stage: Stage,
    among: () => Spread,
    stands: readonly (readonly [number, Stand])[],
    spread = among(),
  ) {
    this.stage = stage;
    this.among = among;
    this.spread = spread;
    this.stands = stands;
    this.reach = Math.max(...stands.map(([reach]) => reach));
    for (const mesh of this.meshes()) stage.scene.add(mesh);
    this.choose();
  }

  tick(): void {
    const { x, z } = this.stage.focus;
    if (this.reach < Number.POSITIVE_INFINITY && Math.hypot(x - this.x, z - this.z) > SHIFT)
      this.choose();
  }

  renew(later: Later): void {
    later(() => {
      this.spread = this.among();
      this.choose();
    });
  }

  dispose(): void {
    this.stage.scene.remove(...this.meshes());
    for (const [, stand] of this.stands) stand.dispose();
  }

  private meshes(): Object3D[] {
    return this.stands.flatMap(([, stand]) => stand.meshes);
  }

  private choose(): void {
    ({ x: this.x, z: this.z } = this.stage.focus);
    for (const [, stand] of this.stands) stand.clear();
    this.spread.around(this.x, this.z, this.reach, this.take);
    for (const [, stand] of this.stands) stand.settle();
  }

  private readonly take = (thing: number, distance: number): boolean => {
    for (const [reach, stand] of this.stands) {
      if (distance > reach || stand.isFull) continue;
      stand.put(this.spread, thing, this.stage.ground);
      return true;
    }
    return true;
  };
}
