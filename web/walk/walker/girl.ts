/** The girl in the red dress: 1.36 m tall, made of a few round shapes, and how she moves. */

import {
  type BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  TorusGeometry,
} from "three";
import { ball, coloured, joined, limb, turned } from "./shapes.ts";

const RED = 0xb3121d;
const DARK_RED = 0x7d0b16;
const SKIN = 0xe9b692;
const HAIR = 0x6a3d1e;
const WHITE = 0xf3ead8;
const SHOE = 0x3a2118;
const EYE = 0x1c120e;
const LIP = 0xb8574e;
const CHEEK = 0xe59a82;

/** Hips above the soles, and from hip to knee [m]. */
const HIP = 0.6;
const THIGH = 0.29;
const SHIN = HIP - THIGH;
/** The sole reaches so far before and behind the ankle [m]. */
const TOE = 0.08;
const HEEL = 0.03;
const SHOULDER = 1.02;
const NECK = 1.08;
/** Her legs' swings [rad/s]; how far they and her arms swing, how much a knee bends, and how far she leans [rad]. */
const SWINGS = 8.4;
const LEG = 0.62;
const KNEE = 0.75;
const ARM = 0.5;
const LEAN = 0.07;
/** Breaths a second at rest, and how much her breast rises. */
const BREATH = 0.28;
const RISE = 0.012;

export class Girl {
  readonly figure = new Group();
  private readonly hips = new Group();
  private readonly trunk = new Group();
  private readonly head = new Group();
  private readonly legs: readonly Group[];
  private readonly knees: readonly Group[];
  private readonly arms: readonly Group[];
  private readonly plaits: readonly Group[];
  private phase = 0;
  private readonly material = new MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.78,
    side: DoubleSide,
  });

  constructor() {
    this.figure.name = "girl";
    this.figure.add(this.hips);
    this.hips.add(this.trunk);
    this.trunk.add(this.mesh(dress()));
    this.head.position.y = NECK;
    this.head.add(this.mesh(face()));
    this.trunk.add(this.head);
    const sides = [-1, 1] as const;
    this.plaits = sides.map((side) =>
      this.hung(this.head, plait(side), side * 0.098, 0.09, -0.045),
    );
    this.arms = sides.map((side) => this.hung(this.trunk, arm(), side * 0.125, SHOULDER, 0));
    this.legs = sides.map((side) => this.hung(this.hips, thigh(), side * 0.065, HIP, 0));
    this.knees = this.legs.map((leg) => this.hung(leg, shin(), 0, -THIGH, 0));
  }

  /** Moves her by the time that has passed; `gait` is 0 at rest to 1 in full stride. */
  move(seconds: number, dt: number, gait: number): void {
    const phase = (this.phase + dt * SWINGS * gait) % (2 * Math.PI);
    this.phase = phase;
    const swing = Math.sin(phase) * gait;
    const breath = Math.sin(2 * Math.PI * BREATH * seconds) * (1 - gait);
    let lowest = 0;
    for (const [side, leg] of this.legs.entries()) {
      const way = side === 0 ? 1 : -1;
      const angle = -way * LEG * swing;
      // A knee bends while its leg is brought forward.
      const bend = KNEE * gait * Math.max(0, way * Math.cos(phase)) ** 1.5;
      leg.rotation.x = angle;
      (this.knees[side] as Group).rotation.x = bend;
      lowest = Math.max(lowest, THIGH * Math.cos(angle) + footBelow(angle + bend));
      const arm = this.arms[side] as Group;
      arm.rotation.x = way * ARM * swing - 0.12 * gait;
      arm.rotation.z = way * -(0.16 + 0.02 * breath);
    }
    // She bobs as |sin| of her legs does, just as far as keeps the lower foot on the ground.
    this.hips.position.y = lowest - HIP;
    this.trunk.rotation.set(LEAN * gait, 0.09 * swing, 0.025 * swing);
    this.trunk.scale.set(1 + RISE * 0.5 * breath, 1 + RISE * breath, 1 + RISE * breath);
    this.head.rotation.set(
      -0.6 * LEAN * gait + 0.02 * breath,
      0.12 * Math.sin(0.31 * seconds) * (1 - gait),
      0,
    );
    const bounce = Math.abs(Math.sin(phase)) * gait;
    for (const [side, hair] of this.plaits.entries()) {
      const way = side === 0 ? -1 : 1;
      hair.rotation.x = 0.1 + 0.34 * gait - 0.28 * bounce + 0.02 * breath;
      hair.rotation.z = way * (0.12 + 0.1 * bounce) + 0.1 * swing;
    }
  }

  dispose(): void {
    this.figure.traverse((object) => {
      if (object instanceof Mesh) object.geometry.dispose();
    });
    this.material.dispose();
  }

  private mesh(geometry: BufferGeometry): Mesh {
    const mesh = new Mesh(geometry, this.material);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }

  /** Hangs a shape on a joint. */
  private hung(on: Group, shape: BufferGeometry, x: number, y: number, z: number): Group {
    const joint = new Group();
    joint.position.set(x, y, z);
    joint.add(this.mesh(shape));
    on.add(joint);
    return joint;
  }
}

/** How far below the knee the lowest point of a foot is [m], its shin turned back by an angle. */
function footBelow(angle: number): number {
  const sine = Math.sin(angle);
  return SHIN * Math.cos(angle) + Math.max(TOE * sine, -HEEL * sine);
}

/** A full skirt in pleats, a sash, a bodice and a white collar. */
function dress(): BufferGeometry {
  const skirt = [
    [0.285, 0.4],
    [0.28, 0.415],
    [0.255, 0.47],
    [0.215, 0.56],
    [0.165, 0.66],
    [0.118, 0.745],
    [0.112, 0.76],
  ] as const;
  const bodice = [
    [0.112, 0.755],
    [0.118, 0.82],
    [0.135, 0.92],
    [0.133, 0.99],
    [0.1, 1.045],
    [0.05, 1.075],
  ] as const;
  return joined([
    turned(RED, skirt, 13),
    turned(
      WHITE,
      [
        [0.27, 0.388],
        [0.272, 0.402],
      ],
      13,
    ),
    turned(RED, bodice).scale(1, 1, 0.82),
    turned(DARK_RED, [
      [0.117, 0.735],
      [0.121, 0.755],
      [0.117, 0.785],
    ]).scale(1, 1, 0.92),
    ball(DARK_RED, [-0.045, 0.765, -0.115], [0.05, 0.032, 0.02]),
    ball(DARK_RED, [0.045, 0.765, -0.115], [0.05, 0.032, 0.02]),
    turned(WHITE, [
      [0.108, 1.03],
      [0.09, 1.055],
      [0.052, 1.078],
    ]).scale(1, 1, 0.9),
    ball(SKIN, [0, 1.08, 0], [0.042, 0.06, 0.042]),
  ]);
}

/** Her head on its neck, the face toward +z. */
function face(): BufferGeometry {
  const eyes = [-0.042, 0.042].flatMap((x) => [
    ball(WHITE, [x, 0.128, 0.098], [0.015, 0.017, 0.01], 10),
    ball(EYE, [x, 0.127, 0.105], [0.011, 0.014, 0.008], 10),
    ball(HAIR, [x, 0.161, 0.1], [0.02, 0.004, 0.008], 8),
    ball(CHEEK, [1.45 * x, 0.095, 0.088], [0.02, 0.014, 0.01], 10),
  ]);
  return joined([
    ball(SKIN, [0, 0.13, 0], [0.108, 0.124, 0.112], 24),
    ball(SKIN, [-0.108, 0.12, -0.005], [0.016, 0.026, 0.018], 8),
    ball(SKIN, [0.108, 0.12, -0.005], [0.016, 0.026, 0.018], 8),
    ball(SKIN, [0, 0.108, 0.112], [0.011, 0.013, 0.013], 8),
    smile(),
    ...eyes,
    // Hair: over the back and the crown, and a fringe parted in the middle.
    ball(HAIR, [0, 0.152, -0.026], [0.121, 0.126, 0.116], 24),
    ball(HAIR, [-0.046, 0.206, 0.03], [0.066, 0.05, 0.082], 16),
    ball(HAIR, [0.046, 0.206, 0.03], [0.066, 0.05, 0.082], 16),
  ]);
}

function smile(): BufferGeometry {
  const bow = new TorusGeometry(0.024, 0.0045, 6, 12, 0.7 * Math.PI).rotateZ(1.15 * Math.PI);
  return coloured(bow.translate(0, 0.092, 0.101), LIP);
}

/** A plait, each strand a little thinner, with a red bow. */
function plait(side: number): BufferGeometry {
  const strands = Array.from({ length: 7 }, (_, k) => {
    const wide = 0.034 - 0.0022 * k;
    const sway = (k % 2 === 0 ? 1 : -1) * 0.006;
    return ball(HAIR, [side * 0.012 + sway, -0.012 - 0.041 * k, 0], [wide, 0.03, wide], 10);
  });
  const low = -0.3;
  return joined([
    ...strands,
    ball(RED, [side * 0.012 - 0.028, low, 0.004], [0.028, 0.017, 0.012], 8),
    ball(RED, [side * 0.012 + 0.028, low, 0.004], [0.028, 0.017, 0.012], 8),
    ball(HAIR, [side * 0.012, low - 0.035, 0], [0.02, 0.036, 0.02], 10),
  ]);
}

/** An arm with a puffed sleeve. */
function arm(): BufferGeometry {
  return joined([
    ball(RED, [0, -0.02, 0], [0.06, 0.066, 0.06]),
    ball(WHITE, [0, -0.075, 0], [0.038, 0.012, 0.038], 12),
    limb(SKIN, -0.06, 0.2, 0.03),
    limb(SKIN, -0.03, 0.19, 0.026).rotateX(-0.25).translate(0, -0.185, 0),
    ball(SKIN, [0, -0.4, 0.062], [0.027, 0.038, 0.024], 10),
  ]);
}

function thigh(): BufferGeometry {
  return limb(SKIN, 0.04, THIGH + 0.075, 0.046);
}

/** From the knee down: a white sock and a shoe whose sole ends at the ground. */
function shin(): BufferGeometry {
  return joined([
    limb(SKIN, 0.035, 0.25, 0.039),
    turned(WHITE, [
      [0.036, -0.27],
      [0.037, -0.19],
      [0.043, -0.15],
      [0.045, -0.135],
      [0.038, -0.132],
    ]),
    ball(SHOE, [0, 0.036 - SHIN, 0.035], [0.042, 0.036, 0.085]),
    ball(SHOE, [0, 0.045 - SHIN, -0.005], [0.04, 0.045, 0.045]),
  ]);
}
