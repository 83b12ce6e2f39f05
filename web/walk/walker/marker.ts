/** The ring that shows where she was asked to go: it grows and fades. */

import { DoubleSide, Mesh, MeshBasicMaterial, RingGeometry, Vector3 } from "three";
import type { Part, Stage } from "../stage.ts";

const LASTS = 0.9;
const LIFT = 0.06;
const UP = new Vector3(0, 0, 1);

export class Marker implements Part {
  readonly ring: Mesh<RingGeometry, MeshBasicMaterial>;
  private readonly stage: Stage;
  private readonly normal = new Vector3();
  private age = LASTS;

  constructor(stage: Stage) {
    this.stage = stage;
    const look = { color: 0xfff0c8, transparent: true, depthWrite: false, side: DoubleSide };
    this.ring = new Mesh(new RingGeometry(0.26, 0.34, 40), new MeshBasicMaterial(look));
    this.ring.name = "marker";
    this.ring.visible = false;
    stage.scene.add(this.ring);
  }

  show(x: number, z: number): void {
    const { ground } = this.stage;
    ground.normal(x, z, this.normal);
    this.ring.position.set(x, ground.height(x, z) + LIFT, z);
    this.ring.quaternion.setFromUnitVectors(UP, this.normal);
    this.age = 0;
    this.ring.visible = true;
  }

  tick(_: number, dt: number): void {
    if (this.age >= LASTS) return;
    this.age += dt;
    const share = Math.min(this.age / LASTS, 1);
    this.ring.scale.setScalar(0.5 + 1.3 * share);
    this.ring.material.opacity = 0.85 * (1 - share);
    this.ring.visible = share < 1;
  }

  dispose(): void {
    this.stage.scene.remove(this.ring);
    this.ring.geometry.dispose();
    this.ring.material.dispose();
  }
}
