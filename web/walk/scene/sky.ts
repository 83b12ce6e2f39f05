/** Clouds that drift, and light that falls in shafts through the great tree. */

import {
  AdditiveBlending,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Sprite,
  SpriteMaterial,
  Vector3,
} from "three";
import type { Part, Stage } from "../stage.ts";
import type { Air } from "./air.ts";
import { dice } from "./chance.ts";
import { cloud, shaft } from "./paint.ts";

const CLOUDS = 7;
const SHAFTS = 4;
/** How far away clouds stand, and how fast they drift round [rad/s]. */
const AWAY = 1500;
const DRIFT = 0.0016;

export class Clouds implements Part {
  private readonly stage: Stage;
  private readonly group = new Group();
  private readonly sprites: Sprite[];

  constructor(stage: Stage) {
    this.stage = stage;
    const chance = dice(17);
    const pictures = [cloud(1), cloud(2), cloud(3)];
    this.sprites = Array.from({ length: CLOUDS }, (_, n) => {
      const material = new SpriteMaterial({
        map: pictures[n % pictures.length] ?? null,
        transparent: true,
        depthWrite: false,
        fog: false,
        opacity: 0.75,
      });
      const sprite = new Sprite(material);
      const round = (2 * Math.PI * (n + 0.6 * chance())) / CLOUDS;
      const high = 0.16 + 0.2 * chance();
      sprite.position.set(Math.cos(round), high, Math.sin(round)).multiplyScalar(AWAY);
      const wide = AWAY * (0.5 + 0.4 * chance());
      sprite.scale.set(wide, wide * 0.5, 1);
      this.group.add(sprite);
      return sprite;
    });
    stage.scene.add(this.group);
  }

  tick(seconds: number): void {
    const { camera, scene } = this.stage;
    this.group.position.copy(camera.position);
    this.group.rotation.y = DRIFT * seconds;
    const haze = scene.fog?.color;
    if (haze)
      for (const { material } of this.sprites) material.color.copy(haze).multiplyScalar(1.35);
  }

  dispose(): void {
    this.stage.scene.remove(this.group);
    for (const { material } of this.sprites) {
      material.map?.dispose();
      material.dispose();
    }
  }
}

/** Sheets of light along the sun's rays, through a crown; brighter the more one looks into them. */
export class Shafts implements Part {
  private readonly stage: Stage;
  private readonly air: Air;
  private readonly group = new Group();
  private readonly material: MeshBasicMaterial;
  private readonly view = new Vector3();

  constructor(stage: Stage, air: Air, crown: Vector3, size: number) {
    this.stage = stage;
    this.air = air;
    this.material = new MeshBasicMaterial({
      map: shaft(),
      color: 0xffd9a0,
      blending: AdditiveBlending,
      transparent: true,
      depthWrite: false,
      fog: false,
    });
    const chance = dice(19);
    for (let n = 0; n < SHAFTS; n++) {
      const wide = size * (0.1 + 0.1 * chance());
      const sheet = new Mesh(new PlaneGeometry(wide, size * 1.9), this.material);
      sheet.position.set((chance() - 0.5) * size * 0.5, (chance() - 0.5) * size * 0.2, 0);
      this.group.add(sheet);
    }
    this.group.position.copy(crown);
    stage.scene.add(this.group);
  }

  tick(seconds: number): void {
    const { camera } = this.stage;
    // Its up runs against the sun's light, and it turns about that to face the eye.
    const { towards } = this.air;
    this.view.copy(camera.position).sub(this.group.position);
    const across = this.view.cross(towards).normalize();
    this.group.up.copy(towards);
    const facing = across.cross(towards).negate();
    this.group.lookAt(facing.add(this.group.position));
    this.view.copy(this.group.position).sub(camera.position).normalize();
    const into = Math.max(0, this.view.dot(towards));
    this.material.opacity = (0.05 + 0.22 * into ** 2) * (0.85 + 0.15 * Math.sin(0.4 * seconds));
  }

  dispose(): void {
    this.stage.scene.remove(this.group);
    for (const child of this.group.children) (child as Mesh).geometry.dispose();
    this.material.map?.dispose();
    this.material.dispose();
  }
}
