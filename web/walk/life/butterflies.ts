/** Butterflies on loops over the meadow, wherever she is. */

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DoubleSide,
  Euler,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  SRGBColorSpace,
  Vector3,
} from "three";
import { dice } from "../scene/chance.ts";
import type { Part, Stage } from "../stage.ts";

const BUTTERFLIES = 6;
/** Numbers of one: its home from hers [m], three frequencies [rad/s], a phase. */
const NUMBERS = 6;
/** How far their loops reach [m], how high above ground or water at least, and how much higher. */
const REACH = 3.2;
const LOWEST = 0.8;
const HIGHER = 0.55;
/** Flaps [rad/s], and how far wings go up and down from `HELD` [rad]. */
const FLAPS = 24;
const FLAP = 0.85;
const HELD = 0.45;
/** Homes lie within so far of her [m], and follow when she has gone farther. */
const HOME = 9;
const SHIFT = 18;
const COLOURS = [0xffd45e, 0xf7f1e4, 0xff9a4a, 0x9fc4ff, 0xffe9a3, 0xf6b2c8];

export class Butterflies implements Part {
  readonly wings: InstancedMesh;
  private readonly stage: Stage;
  private readonly flight: Float32Array;
  private x = Number.POSITIVE_INFINITY;
  private z = 0;
  private readonly place = new Vector3();
  private readonly before = new Vector3();
  private readonly euler = new Euler(0, 0, 0, "YXZ");
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(stage: Stage) {
    this.stage = stage;
    const material = new MeshStandardMaterial({
      map: petal(),
      alphaTest: 0.4,
      side: DoubleSide,
      roughness: 0.7,
    });
    this.wings = new InstancedMesh(wing(), material, 2 * BUTTERFLIES);
    this.wings.name = "butterflies";
    this.wings.frustumCulled = false;
    const colour = new Color();
    for (let k = 0; k < 2 * BUTTERFLIES; k++)
      this.wings.setColorAt(k, colour.set(COLOURS[k >> 1] as number));
    const chance = dice(59);
    this.flight = Float32Array.from({ length: NUMBERS * BUTTERFLIES }, (_, k) => {
      if (k % NUMBERS < 2) return HOME * (2 * chance() - 1);
      return k % NUMBERS < 5 ? 0.35 + 0.4 * chance() : 2 * Math.PI * chance();
    });
    stage.scene.add(this.wings);
    this.tick(0);
  }

  tick(seconds: number): void {
    const { x, z } = this.stage.focus;
    if (Math.hypot(x - this.x, z - this.z) > SHIFT) [this.x, this.z] = [x, z];
    for (let k = 0; k < BUTTERFLIES; k++) this.fly(k, seconds);
    this.wings.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.stage.scene.remove(this.wings);
    this.wings.geometry.dispose();
    const material = this.wings.material as MeshStandardMaterial;
    material.map?.dispose();
    material.dispose();
    this.wings.dispose();
  }

  private fly(one: number, seconds: number): void {
    this.locate(one, seconds - 0.05, this.before);
    this.locate(one, seconds, this.place);
    const [dx, dz] = [this.place.x - this.before.x, this.place.z - this.before.z];
    const heading = Math.atan2(dx, dz);
    const climb = Math.atan2(this.place.y - this.before.y, Math.hypot(dx, dz) || 1);
    const flap = HELD + FLAP * Math.sin(FLAPS * seconds + 1.7 * one);
    for (const side of [0, 1]) {
      const sign = side === 0 ? 1 : -1;
      this.euler.set(-0.6 * climb, heading, sign * flap);
      this.turn.setFromEuler(this.euler);
      this.size.set(sign, 1, 1); // the left wing is the right one's mirror
      this.matrix.compose(this.place, this.turn, this.size);
      this.matrix.toArray(this.wings.instanceMatrix.array, 16 * (2 * one + side));
    }
  }

  /** Where one is at a time: a Lissajous loop about its home. */
  private locate(one: number, seconds: number, into: Vector3): void {
    const of = (n: number) => this.flight[NUMBERS * one + n] as number;
    const phase = of(5);
    const x = this.x + of(0) + REACH * Math.sin(of(2) * seconds + phase);
    const z = this.z + of(1) + REACH * Math.sin(1.3 * of(3) * seconds + 2 * phase);
    const { ground } = this.stage;
    const foot = ground.height(x, z) + ground.water(x, z);
    const dance = 0.5 + 0.5 * Math.sin(2.1 * of(4) * seconds + 3 * phase);
    const flutter = 0.04 * (1 + Math.sin(0.5 * FLAPS * seconds + phase));
    into.set(x, foot + LOWEST + HIGHER * dance + flutter, z);
  }
}

/** A right wing: a quad from the body outward along x, its fore edge toward +z. */
function wing(): BufferGeometry {
  const geometry = new BufferGeometry();
  const [wide, fore, hind] = [0.105, 0.075, -0.075];
  const places = [0, 0, hind, wide, 0, hind, wide, 0, fore, 0, 0, fore];
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  const up = [0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0];
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(up), 3));
  const spots = [0, 0, 1, 0, 1, 1, 0, 1];
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array(spots), 2));
  geometry.setIndex([0, 2, 1, 0, 3, 2]);
  return geometry;
}

/** Two petals, the fore wing and the hind wing, pale with darker rims and veins. */
function petal(): CanvasTexture {
  const edge = 64;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = edge;
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("this browser lends no canvas to paint on");
  for (const [tilt, long, wide] of [
    [-0.6, 58, 22],
    [0.55, 44, 22],
  ] as const) {
    brush.save();
    brush.translate(1, edge / 2);
    brush.rotate(tilt);
    const light = brush.createLinearGradient(0, 0, long, 0);
    light.addColorStop(0, "#a58f78");
    light.addColorStop(0.35, "#ffffff");
    light.addColorStop(0.8, "#f4e6d2");
    light.addColorStop(1, "#4c3a30");
    brush.fillStyle = light;
    brush.beginPath();
    brush.moveTo(0, 0);
    brush.bezierCurveTo(long * 0.3, -wide * 1.2, long, -wide, long, 0);
    brush.bezierCurveTo(long, wide, long * 0.3, wide * 0.9, 0, 0);
    brush.fill();
    brush.strokeStyle = "#4c3a3066";
    for (const bow of [-0.5, 0, 0.5]) {
      brush.beginPath();
      brush.moveTo(0, 0);
      brush.quadraticCurveTo(long * 0.5, bow * wide, long * 0.92, bow * wide);
      brush.stroke();
    }
    brush.restore();
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
