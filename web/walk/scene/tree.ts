/** How a tree is built: a leaning trunk on splayed roots, branches, and a crown of leaf cards. */

import {
  BufferAttribute,
  type BufferGeometry,
  Color,
  CylinderGeometry,
  IcosahedronGeometry,
  Matrix4,
  Quaternion,
  Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { Cards, onBall } from "./cards.ts";
import { dice } from "./chance.ts";
import type { Habit } from "./habits.ts";

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
  const middle = top
    .clone()
    .add(new Vector3(0, habit.spread * (habit.tall > 1 ? -0.25 : 0.42 * habit.tall), 0));
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
        middle.y + habit.spread * habit.tall * (1.05 * up - 0.45),
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

/**
 * The crown: cards of leaves in its clusters, as many by volume; brighter and warmer above. `share`
 * of the cards, which are then larger, so that the crown stays as dense.
 */
export function crown(habit: Habit, { clusters }: Tree, share = 1): BufferGeometry {
  const chance = dice(habit.seed + 100);
  const [shade, sunny] = [new Color(habit.shade), new Color(habit.sunny)];
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
      place.y *= habit.tall < 1 ? 0.5 : 0.85;
      const away = place.clone().normalize();
      place.add(middle);
      away.lerp(place.clone().sub(heart).normalize(), 0.5).normalize();
      const up = (place.y - low) / (high - low);
      const colour = shade
        .clone()
        .lerp(sunny, Math.min(1, Math.max(0, 0.85 * up + 0.3 * chance() - 0.1)));
      cards.add(place, away, edge, colour, chance, habit.hangs);
    }
  });
  return cards.geometry();
}

/** A tree as it is far away: a lumpy ball on a stick. */
export function simple(habit: Habit, { clusters }: Tree): BufferGeometry {
  const middle = new Vector3();
  for (const cluster of clusters) middle.addScaledVector(cluster.middle, 1 / clusters.length);
  const round = habit.spread + 0.62 * habit.cluster;
  const ball = new IcosahedronGeometry(round, 1);
  ball.deleteAttribute("uv");
  const place = ball.getAttribute("position");
  for (let k = 0; k < place.count; k++) {
    const [x, y, z] = [place.getX(k), place.getY(k), place.getZ(k)];
    const bump = 0.9 + 0.3 * Math.sin(2.6 * x + 1.3) * Math.sin(2.1 * z + 2.4 * y);
    place.setXYZ(k, x * bump, y * bump * 0.82 * habit.tall, z * bump);
  }
  ball.translate(middle.x, middle.y, middle.z);
  const stick = new CylinderGeometry(habit.girth * 0.5, habit.girth, middle.y, 5, 1, true)
    .toNonIndexed()
    .translate(0, middle.y / 2 - 0.3, 0);
  stick.deleteAttribute("uv");
  shaded(ball, new Color(habit.shade), new Color(habit.sunny).lerp(new Color(habit.shade), 0.25));
  const wood = new Color(habit.hangs ? 0xa9a59c : 0x4a3828);
  shaded(stick, wood, wood);
  return mergeGeometries([ball, stick]);
}

/** Colours from low to high; every face its own a little, as leaves in clumps are. */
function shaded(geometry: BufferGeometry, low: Color, high: Color): void {
  const chance = dice(107);
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox as { min: Vector3; max: Vector3 };
  const place = geometry.getAttribute("position");
  const colours = new Float32Array(3 * place.count);
  let clump = 1;
  for (let k = 0; k < place.count; k++) {
    if (k % 3 === 0) clump = 0.68 + 0.5 * chance();
    const up = (place.getY(k) - min.y) / (max.y - min.y);
    low
      .clone()
      .lerp(high, 0.8 * up * up)
      .multiplyScalar(clump)
      .toArray(colours, 3 * k);
  }
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
}
