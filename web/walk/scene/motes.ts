/** Pollen in the light round her, and leaves that fall from the great tree. */

import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Euler,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  PlaneGeometry,
  Points,
  PointsMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Part, Stage } from "../stage.ts";
import { dice } from "./chance.ts";
import { fallen, glow } from "./paint.ts";
import { patchedAfter } from "./patch.ts";
import { thin } from "./thin.ts";
import type { Wind } from "./wind.ts";

const MOTES = 500;
/** They fill a box round her, so long and so high [m]. */
const BOX = [44, 7] as const;
const LEAVES = 60;
/** A leaf falls so far [m] and begins again, so fast [m/s]. */
const CYCLE = 11;
const PACE = 0.9;

export class Pollen implements Part {
  private readonly stage: Stage;
  private readonly points: Points<BufferGeometry, PointsMaterial>;
  private readonly middle = { value: new Vector3() };

  constructor(stage: Stage, wind: Wind) {
    this.stage = stage;
    const chance = dice(37);
    const geometry = new BufferGeometry();
    const places = Float32Array.from({ length: 3 * MOTES }, chance);
    geometry.setAttribute("position", new BufferAttribute(places, 3));
    const material = new PointsMaterial({
      map: glow(),
      color: 0xffdf9a,
      size: 0.07,
      transparent: true,
      opacity: 0.55,
      blending: AdditiveBlending,
      depthWrite: false,
      fog: false,
    });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, { uWind: wind, uMiddle: this.middle });
      const head = "uniform float uWind;\nuniform vec3 uMiddle;";
      const text = patchedAfter(shader.vertexShader, "#include <common>", head);
      shader.vertexShader = patchedAfter(text, "#include <begin_vertex>", DRIFT);
    };
    this.points = new Points(geometry, material);
    this.points.name = "pollen";
    this.points.frustumCulled = false;
    stage.scene.add(this.points);
  }

  tick(): void {
    const { focus } = this.stage;
    this.middle.value.copy(focus);
  }

  dispose(): void {
    this.stage.scene.remove(this.points);
    this.points.geometry.dispose();
    this.points.material.map?.dispose();
    this.points.material.dispose();
  }
}

/** Each mote wanders, and the box repeats, so that there are as many wherever she is. */
const DRIFT = `
vec3 box = vec3(${BOX[0].toFixed(1)}, ${BOX[1].toFixed(1)}, ${BOX[0].toFixed(1)});
vec3 own = fract(position * vec3(7.31, 3.77, 5.13)) * 6.2832;
vec3 wander = vec3(0.35, 0.02, 0.12) * uWind + 0.5 * sin(0.5 * uWind * (0.6 + position.yzx) + own);
vec3 place = position * box + wander - uMiddle;
transformed = uMiddle + (fract(place / box + vec3(0.5, 0.0, 0.5)) - vec3(0.5, 0.0, 0.5)) * box;`;

export class FallingLeaves implements Part {
  private readonly stage: Stage;
  private readonly mesh: InstancedMesh<PlaneGeometry, MeshStandardMaterial>;
  private readonly from: Float32Array;
  private readonly crown: Vector3;
  private readonly matrix = new Matrix4();
  private readonly place = new Vector3();
  private readonly euler = new Euler();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3(1, 1, 1);

  /** Falls from round a crown: its middle, and how far it reaches [m]. */
  constructor(stage: Stage, crown: Vector3, reach: number) {
    this.stage = stage;
    this.crown = crown.clone();
    const material = new MeshStandardMaterial({
      map: fallen(),
      color: 0xe0a84e,
      alphaTest: 0.4,
      side: DoubleSide,
      roughness: 0.8,
    });
    thin(material);
    this.mesh = new InstancedMesh(new PlaneGeometry(0.17, 0.17), material, LEAVES);
    this.mesh.name = "falling leaves";
    this.mesh.frustumCulled = false;
    const chance = dice(41);
    this.from = Float32Array.from({ length: 4 * LEAVES }, (_, k) => {
      if (k % 4 === 0) return reach * Math.sqrt(chance());
      return k % 4 === 1 ? 2 * Math.PI * chance() : chance();
    });
    stage.scene.add(this.mesh);
    this.tick(0);
  }

  tick(seconds: number): void {
    const { from, crown, place, euler, turn, matrix, size } = this;
    for (let k = 0; k < LEAVES; k++) {
      const of = (n: number) => from[4 * k + n] as number;
      const pace = PACE * (0.7 + 0.6 * of(3));
      const fallen = (of(2) * CYCLE + pace * seconds) % CYCLE;
      const sway = seconds * (0.8 + of(3)) + 9 * of(2);
      const x = crown.x + of(0) * Math.cos(of(1)) + 0.14 * fallen + 0.5 * Math.sin(sway);
      const z = crown.z + of(0) * Math.sin(of(1)) + 0.4 * Math.cos(0.8 * sway);
      const ground = this.stage.ground.height(x, z) + 0.03;
      place.set(x, Math.max(ground, crown.y - fallen), z);
      const lies = place.y === ground;
      if (lies) euler.set(-Math.PI / 2, 0, of(1));
      else euler.set(1.3 * sway, 0.7 * sway, of(1) + 0.4 * Math.sin(sway));
      matrix
        .compose(place, turn.setFromEuler(euler), size)
        .toArray(this.mesh.instanceMatrix.array, 16 * k);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.map?.dispose();
    this.mesh.material.dispose();
    this.mesh.dispose();
  }
}
