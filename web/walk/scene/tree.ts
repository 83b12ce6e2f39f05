/** How a tree is built: a leaning trunk on splayed roots, branches, and a crown of leaf cards. */

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  IcosahedronGeometry,
  Matrix4,
  Quaternion,
  Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { dice } from "./chance.ts";

/** What kind of tree it is; lengths in metres, for a scale of 1. */
export interface Habit {
  readonly seed: number;
  readonly trunk: number;
  /** Radius of the trunk at its foot. */
  readonly girth: number;
  readonly segments: number;
  readonly branches: number;
  /** Clusters of leaves in the crown, and how far they lie from its middle. */
  readonly clusters: number;
  readonly spread: number;
  /** Radius of a cluster. */
  readonly cluster: number;
  readonly cards: number;
  readonly card: number;
}

export const GREAT: Habit = {
  seed: 3,
  trunk: 7.2,
  girth: 0.78,
  segments: 3,
  branches: 9,
  clusters: 17,
  spread: 4.3,
  cluster: 2.25,
  cards: 9000,
  card: 0.62,
};

/** Smaller trees of a kind: no two seeds grow alike. */
export const small = (seed: number): Habit => ({
  seed,
  trunk: 4.1,
  girth: 0.3,
  segments: 2,
  branches: 5,
  clusters: 8,
  spread: 1.9,
  cluster: 1.4,
  cards: 2200,
  card: 0.62,
});

export interface Tree {
  readonly trunk: BufferGeometry;
  readonly clusters: readonly Cluster[];
}

interface Cluster {
  readonly middle: Vector3;
  readonly radius: number;
}

/** Grows trunk, roots and branches, and tells where leaves are. */
export function grow(habit: Habit, sides = 9): Tree {
  const chance = dice(habit.seed);
  const parts: BufferGeometry[] = [];
  const joints = [new Vector3(0, -0.3, 0)];
  const lean = new Vector3((chance() - 0.5) * 0.5, 0, (chance() - 0.5) * 0.5);
  for (let n = 1; n <= habit.segments; n++) {
    lean.x += (chance() - 0.5) * 0.35;
    lean.z += (chance() - 0.5) * 0.35;
    const up = habit.trunk / habit.segments;
    const from = joints[n - 1] as Vector3;
    const to = from.clone().add(new Vector3(lean.x * up * 0.4, up, lean.z * up * 0.4));
    const thick = (k: number) => habit.girth * (1 - (0.62 * k) / habit.segments);
    parts.push(limb(from, to, thick(n - 1), thick(n), sides));
    joints.push(to);
  }
  for (let n = 0; n < 5; n++)
    parts.push(root(habit.girth, (2 * Math.PI * (n + chance() * 0.5)) / 5));
  const top = joints[joints.length - 1] as Vector3;
  const middle = top.clone().add(new Vector3(0, habit.spread * 0.42, 0));
  const clusters = clustersOf(habit, middle, chance);
  const fork = joints[joints.length - 2] as Vector3;
  for (let n = 0; n < habit.branches; n++) {
    const from = fork.clone().lerp(top, 0.25 + (0.75 * n) / habit.branches);
    const to = (clusters[n % clusters.length] as Cluster).middle.clone().lerp(from, 0.25);
    parts.push(limb(from, to, habit.girth * 0.3, habit.girth * 0.08, 5));
  }
  return { trunk: mergeGeometries(parts), clusters };
}

function clustersOf(habit: Habit, middle: Vector3, chance: () => number): Cluster[] {
  return Array.from({ length: habit.clusters }, (_, n) => {
    // Even turns round the crown (the golden angle), from its skirt to its top.
    const up = (n + 0.5) / habit.clusters;
    const round = 2.39996 * n + chance() * 0.6;
    const out = habit.spread * Math.sqrt(Math.max(0, 1 - (1.25 * up - 0.35) ** 2));
    const radius = habit.cluster * (0.8 + 0.45 * chance());
    return {
      middle: new Vector3(
        middle.x + out * Math.cos(round),
        middle.y + habit.spread * (1.05 * up - 0.45),
        middle.z + out * Math.sin(round),
      ),
      radius,
    };
  });
}

/** A cylinder from place to place, its bark as coarse everywhere. */
function limb(from: Vector3, to: Vector3, thick: number, thin: number, sides: number) {
  const way = to.clone().sub(from);
  const long = way.length();
  const geometry = new CylinderGeometry(thin, thick, long, sides, 1, true);
  const uv = geometry.getAttribute("uv");
  for (let k = 0; k < uv.count; k++)
    uv.setXY(k, uv.getX(k) * Math.max(1, Math.round(thick * 5)), (uv.getY(k) * long) / 2);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), way.normalize());
  const middle = from.clone().add(to).multiplyScalar(0.5);
  return geometry.applyMatrix4(new Matrix4().compose(middle, turn, new Vector3(1, 1, 1)));
}

function root(girth: number, round: number): BufferGeometry {
  const out = new Vector3(Math.cos(round), 0, Math.sin(round));
  const from = out
    .clone()
    .multiplyScalar(2.1 * girth)
    .setY(-0.28);
  const to = out
    .clone()
    .multiplyScalar(0.35 * girth)
    .setY(1.25 * girth);
  return limb(from, to, girth * 0.16, girth * 0.5, 6);
}

const [SHADE, SUNNY] = [new Color(0x4d6b2a), new Color(0xa8a648)];

/**
 * The crown: cards of leaves in its clusters, as many by volume; brighter and warmer above. `share`
 * of the cards, which are then larger, so that the crown stays as dense.
 */
export function crown(habit: Habit, { clusters }: Tree, share = 1): BufferGeometry {
  const chance = dice(habit.seed + 100);
  const count = Math.max(12, Math.round(habit.cards * share));
  const edge = habit.card * Math.min(4, Math.sqrt(habit.cards / count));
  const cards = new Cards(count);
  const volumes = clusters.map(({ radius }) => radius ** 3);
  const whole = volumes.reduce((sum, volume) => sum + volume, 0);
  const low = Math.min(...clusters.map(({ middle, radius }) => middle.y - radius));
  const high = Math.max(...clusters.map(({ middle, radius }) => middle.y + radius));
  const heart = new Vector3();
  for (const { middle } of clusters) heart.addScaledVector(middle, 1 / clusters.length);
  let due = 0;
  clusters.forEach(({ middle, radius }, n) => {
    due += (count * (volumes[n] as number)) / whole;
    while (cards.count < Math.min(Math.round(due), count)) {
      const out = radius * (0.55 + 0.45 * Math.cbrt(chance()));
      const place = onBall(chance).multiplyScalar(out);
      place.y *= 0.85;
      const away = place.clone().normalize();
      place.add(middle);
      away.lerp(place.clone().sub(heart).normalize(), 0.5).normalize();
      const up = (place.y - low) / (high - low);
      const colour = SHADE.clone().lerp(
        SUNNY,
        Math.min(1, Math.max(0, 0.85 * up + 0.3 * chance() - 0.1)),
      );
      cards.add(place, away, edge, colour, chance);
    }
  });
  return cards.geometry();
}

function onBall(chance: () => number): Vector3 {
  const up = 2 * chance() - 1;
  const round = 2 * Math.PI * chance();
  const flat = Math.sqrt(1 - up * up);
  return new Vector3(flat * Math.cos(round), up, flat * Math.sin(round));
}

/** Square cards in one geometry: each knows its middle, for the wind, and the way the crown looks. */
class Cards {
  count = 0;
  private readonly arrays: Readonly<
    Record<"position" | "normal" | "color" | "middle", Float32Array>
  >;
  private readonly uv: Float32Array;
  private readonly corners: Uint16Array;

  constructor(most: number) {
    const triples = () => new Float32Array(12 * most);
    this.arrays = { position: triples(), normal: triples(), color: triples(), middle: triples() };
    this.uv = new Float32Array(8 * most);
    this.corners = new Uint16Array(6 * most);
  }

  add(place: Vector3, away: Vector3, edge: number, colour: Color, chance: () => number): void {
    const facing = onBall(chance).addScaledVector(away, 0.7).normalize();
    const right = new Vector3(0, 1, 0).cross(facing).normalize();
    if (right.lengthSq() < 0.5) right.set(1, 0, 0);
    const over = facing.clone().cross(right);
    const spin = 2 * Math.PI * chance();
    const size = edge * (0.8 + 0.4 * chance());
    const { position, normal, color, middle } = this.arrays;
    for (let k = 0; k < 4; k++) {
      const round = spin + (Math.PI / 2) * (k + 0.5);
      const [s, t] = [Math.cos(round) * size * Math.SQRT1_2, Math.sin(round) * size * Math.SQRT1_2];
      const at = 3 * (4 * this.count + k);
      place.clone().addScaledVector(right, s).addScaledVector(over, t).toArray(position, at);
      away.toArray(normal, at);
      colour.toArray(color, at);
      place.toArray(middle, at);
      this.uv.set([k === 1 || k === 2 ? 1 : 0, k > 1 ? 1 : 0], 2 * (4 * this.count + k));
    }
    const first = 4 * this.count;
    this.corners.set(
      [0, 1, 2, 0, 2, 3].map((k) => first + k),
      6 * this.count,
    );
    this.count++;
  }

  geometry(): BufferGeometry {
    const made = new BufferGeometry();
    for (const [name, array] of Object.entries(this.arrays))
      made.setAttribute(name, new BufferAttribute(array, 3));
    made.setAttribute("uv", new BufferAttribute(this.uv, 2));
    made.setIndex(new BufferAttribute(this.corners, 1));
    return made;
  }
}

/** A tree as it is far away: a lumpy ball or a cone on a stick. */
export function simple(habit: Habit, { clusters }: Tree): BufferGeometry {
  const middle = new Vector3();
  for (const cluster of clusters) middle.addScaledVector(cluster.middle, 1 / clusters.length);
  const round = habit.spread + 0.62 * habit.cluster;
  const ball = new IcosahedronGeometry(round, 1);
  ball.deleteAttribute("uv");
  const place = ball.getAttribute("position");
  for (let k = 0; k < place.count; k++) {
    const [x, y, z] = [place.getX(k), place.getY(k), place.getZ(k)];
    const bump = 0.92 + 0.2 * Math.sin(2.1 * x + 1.3) * Math.sin(1.7 * z + 2 * y);
    place.setXYZ(k, x * bump, y * bump * 0.82, z * bump);
  }
  ball.translate(middle.x, middle.y, middle.z);
  const stick = new CylinderGeometry(habit.girth * 0.5, habit.girth, middle.y, 5, 1, true)
    .toNonIndexed()
    .translate(0, middle.y / 2 - 0.3, 0);
  stick.deleteAttribute("uv");
  shaded(ball, new Color(0x4d6b2a), new Color(0x93963f));
  shaded(stick, new Color(0x4a3828), new Color(0x4a3828));
  return mergeGeometries([ball, stick]);
}

function shaded(geometry: BufferGeometry, low: Color, high: Color): void {
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox as { min: Vector3; max: Vector3 };
  const place = geometry.getAttribute("position");
  const colours = new Float32Array(3 * place.count);
  for (let k = 0; k < place.count; k++)
    low
      .clone()
      .lerp(high, (place.getY(k) - min.y) / (max.y - min.y))
      .toArray(colours, 3 * k);
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
}
