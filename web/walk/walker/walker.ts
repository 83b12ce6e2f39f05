/** She goes where she is asked to: by a click, by keys; the camera goes with her, or is her eyes. */

import { type Signal, signal } from "@preact/signals-core";
import { Vector3 } from "three";
import type { Stand } from "../land.ts";
import type { Part, Stage } from "../stage.ts";
import { Girl } from "./girl.ts";
import { Marker } from "./marker.ts";
import { Paths, type Spot, turn } from "./paths.ts";

/** Metres and radians a second. */
const PACE = 2.6;
const RUN = 3;
const TURN = 7;
/** Gait comes and goes within about this time [s]. */
const EASE = 0.18;
const THERE = 0.04;
/** So near to the last place she may go to she is told that the land ends [m]. */
const EDGE = 1;
/** The camera looks at her shoulders; her eyes [m above the ground]. */
const LOOKED_AT = 1.05;
const BEHIND = 7;
const EYES = 1.27;
const STEEPEST_LOOK = 1.35;

export class Walker implements Part {
  readonly girl = new Girl();
  readonly place: Spot = { x: 0, z: 0 };
  /** Radians from south (+z) toward east. */
  heading = 0;
  gait = 0;
  readonly firstPerson: Signal<boolean> = signal(false);
  /** What keys ask for: forward and to the right, −1 to 1. */
  readonly wish = { forward: 0, right: 0, runs: false };
  private readonly stage: Stage;
  private readonly marker: Marker;
  private paths: Paths;
  private readonly next: Spot = { x: 0, z: 0 };
  private target: Spot | null = null;
  private readonly look = new Vector3();
  private readonly moved = new Vector3();
  private pitch = -0.05;

  constructor(stage: Stage) {
    this.stage = stage;
    this.paths = pathsOf(stage);
    this.marker = new Marker(stage);
    stage.scene.add(this.girl.figure);
    this.stand(stage.land.about.start);
  }

  /** The window is another: what she may do in it is asked of its ground. */
  renew(): void {
    this.paths = pathsOf(this.stage);
  }

  /** Whether she has come to where she may go no farther, because the land that is known ends. */
  get atEdge(): boolean {
    return !this.paths.within(this.place.x, this.place.z, EDGE);
  }

  /** Whether she is on her way. */
  get goes(): boolean {
    return this.target !== null || this.gait > 0.01;
  }

  /** Puts her somewhere at once, looking along a heading [° clockwise from north]. */
  stand({ x, z, heading }: Stand): void {
    [this.place.x, this.place.z] = [x, z];
    this.heading = Math.PI - (heading * Math.PI) / 180;
    this.target = null;
    this.gait = 0;
    this.settle(0, 0);
  }

  /** Takes her and the camera to a place worth seeing. */
  take(there: Stand): void {
    this.stand(there);
    this.behind();
  }

  /** Takes her to where she once was; where nobody can stand she stays. */
  comeBack(there: Stand): void {
    if (this.paths.open(there.x, there.z)) this.take(there);
  }

  /** Puts the camera behind her. */
  behind(): void {
    const { camera, controls, focus } = this.stage;
    controls.target.set(focus.x, focus.y + LOOKED_AT, focus.z);
    camera.position.set(
      focus.x - BEHIND * Math.sin(this.heading),
      focus.y + 2.6,
      focus.z - BEHIND * Math.cos(this.heading),
    );
    controls.update();
    this.stage.invalidate();
  }

  /** Asks her to go to a place, or as near to it as the rules let her; returns where that is. */
  go(x: number, z: number): Spot {
    const place = this.paths.allowed(this.place, { x, z });
    this.target = place;
    this.marker.show(place.x, place.z);
    this.stage.invalidate();
    return place;
  }

  /** Turns her head in first person [rad]. */
  turnHead(right: number, up: number): void {
    this.heading -= right;
    this.pitch = Math.min(Math.max(this.pitch + up, -STEEPEST_LOOK), STEEPEST_LOOK);
  }

  tick(seconds: number, dt: number): void {
    this.marker.tick(seconds, dt);
    const { forward, right } = this.wish;
    const keyed = forward !== 0 || right !== 0;
    // In strides that no bank is stepped over.
    const strides = Math.ceil(this.pace / PACE);
    for (let n = 0; n < strides && keyed; n++) this.byKeys(forward, right, dt / strides);
    if (keyed) this.target = null;
    else if (this.target && dt > 0) this.byTarget(this.target, dt); // not while time stands still
    const aim = keyed || this.target ? 1 : 0;
    this.gait += (aim - this.gait) * Math.min(1, dt / EASE);
    if (this.gait < 0.004) this.gait = 0;
    this.settle(seconds, dt);
  }

  dispose(): void {
    this.stage.scene.remove(this.girl.figure);
    this.girl.dispose();
    this.marker.dispose();
  }

  private byKeys(forward: number, right: number, dt: number): void {
    this.target = null;
    const ahead = this.firstPerson.value ? this.heading : this.cameraHeading();
    const way = ahead - Math.atan2(right, forward);
    if (!this.firstPerson.value) this.turnTo(way, dt);
    const far = this.pace * dt;
    const [x, z] = [this.place.x + 9 * Math.sin(way), this.place.z + 9 * Math.cos(way)];
    this.paths.step(this.place, x, z, far, this.next);
    [this.place.x, this.place.z] = [this.next.x, this.next.z];
  }

  private byTarget(target: Spot, dt: number): void {
    const [dx, dz] = [target.x - this.place.x, target.z - this.place.z];
    const left = Math.hypot(dx, dz);
    const far = Math.min(this.pace * dt, left);
    const went = left > THERE && this.paths.step(this.place, target.x, target.z, far, this.next);
    if (!went) {
      this.target = null;
      return;
    }
    this.turnTo(Math.atan2(this.next.x - this.place.x, this.next.z - this.place.z), dt);
    [this.place.x, this.place.z] = [this.next.x, this.next.z];
    const now = Math.hypot(target.x - this.place.x, target.z - this.place.z);
    if (now >= left - far * 0.1) this.target = null; // she only slides to and fro
  }

  /** Metres a second. */
  private get pace(): number {
    return this.wish.runs ? RUN * PACE : PACE;
  }

  private turnTo(way: number, dt: number): void {
    const more = turn(this.heading, way);
    this.heading += Math.sign(more) * Math.min(Math.abs(more), TURN * dt);
  }

  private cameraHeading(): number {
    this.stage.camera.getWorldDirection(this.look);
    return Math.atan2(this.look.x, this.look.z);
  }

  /** Puts her feet on the ground, and the camera where it belongs. */
  private settle(seconds: number, dt: number): void {
    const { ground, focus, camera, controls } = this.stage;
    const { x, z } = this.place;
    const y = ground.height(x, z);
    this.moved.copy(focus);
    focus.set(x, y, z);
    this.girl.figure.position.copy(focus);
    this.girl.figure.rotation.y = this.heading;
    this.girl.figure.visible = !this.firstPerson.value;
    this.girl.move(seconds, dt, this.gait);
    controls.enabled = !this.firstPerson.value;
    if (this.firstPerson.value) {
      const bob = 0.03 * Math.abs(Math.sin(6.4 * seconds)) * this.gait;
      camera.position.set(x, y + EYES + bob, z);
      const level = Math.cos(this.pitch);
      this.look.set(
        level * Math.sin(this.heading),
        Math.sin(this.pitch),
        level * Math.cos(this.heading),
      );
      camera.lookAt(this.look.add(camera.position));
      return;
    }
    this.moved.subVectors(focus, this.moved);
    if (this.moved.lengthSq() === 0 || dt === 0) return;
    camera.position.add(this.moved);
    controls.target.add(this.moved);
  }
}

function pathsOf({ land: { about, grid, x, z }, ground, rivers }: Stage): Paths {
  const [wide, deep] = [grid.nx * grid.cell_size, grid.ny * grid.cell_size];
  return new Paths(ground, rivers, about.limits, wide, deep, { x, z });
}
