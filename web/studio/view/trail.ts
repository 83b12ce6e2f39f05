/**
 * The way of one droplet: a ribbon as wide as its water, in the colour of its load, with dashes that
 * are long where it is fast; and the drop that runs along it. All in pixels: one sees it from afar.
 */

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Points as Dots,
  DoubleSide,
  Group,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector3,
  type WebGLRenderer,
} from "three";
import dropFragment from "../shaders/drop.frag.glsl?raw";
import dropVertex from "../shaders/drop.vert.glsl?raw";
import trailFragment from "../shaders/trail.frag.glsl?raw";
import trailVertex from "../shaders/trail.vert.glsl?raw";
import { CARRIES } from "../state/store.ts";

/** x, y, elevation [m], water, speed, sediment. */
export type Points = readonly (readonly number[])[];

/** Half the ribbon's width [pixels]: without water, and with the most. */
const WIDE = [2, 5.5] as const;
const DROP = 13;
/** The drop runs its whole way in this time [s]. */
const RUN = 3.2;
/** Dashes along the way; a droplet is thought no slower than such a share of its first speed. */
const DASHES = 14;
const SLOWEST = 0.05;

const raw = (hex: string): Vector3 => new Vector3(...new Color().setStyle(hex, "").toArray());

export class Trail {
  readonly group = new Group();
  private readonly screen = { value: new Vector2(1, 1) };
  private readonly across = { value: DROP };
  private readonly beats = { value: 1 };
  private readonly ribbon = new Mesh(
    new BufferGeometry(),
    new ShaderMaterial({
      vertexShader: trailVertex,
      fragmentShader: trailFragment,
      uniforms: {
        uScreen: this.screen,
        uBeats: this.beats,
        uWide: { value: new Vector2(...WIDE) },
        uClear: { value: raw(CARRIES.nothing) },
        uLaden: { value: raw(CARRIES.most) },
      },
      side: DoubleSide,
      transparent: true,
      depthWrite: false,
    }),
  );
  private readonly drop = new Dots(
    new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(3), 3)),
    new ShaderMaterial({
      vertexShader: dropVertex,
      fragmentShader: dropFragment,
      uniforms: { uAcross: this.across },
      transparent: true,
      depthWrite: false,
    }),
  );
  private way: Vector3[] = [];
  private ran = RUN;

  constructor() {
    this.ribbon.frustumCulled = this.drop.frustumCulled = false;
    this.ribbon.renderOrder = 2;
    this.drop.renderOrder = 3;
    this.ribbon.onBeforeRender = (renderer: WebGLRenderer) => {
      renderer.getSize(this.screen.value);
      this.across.value = DROP * renderer.getPixelRatio();
    };
    this.group.add(this.ribbon, this.drop);
    this.group.visible = false;
  }

  /** Draws a way; `place` tells where a place [m] of the land lies in the scene. */
  show(points: Points, place: (x: number, y: number, elevation: number) => Vector3): void {
    this.way = points.map(([x = 0, y = 0, z = 0]) => place(x, y, z));
    this.group.visible = this.way.length > 1;
    if (!this.group.visible) return;
    const times = timesOf(this.way, points);
    this.beats.value = DASHES / Math.max(times.at(-1) ?? 0, 1e-9);
    this.ribbon.geometry.dispose();
    this.ribbon.geometry = ribbon(this.way, points, times);
    this.put();
  }

  /** Lets the drop run from the start; at once at its end for eyes that want rest. */
  start(isStill: boolean): void {
    this.ran = isStill ? RUN : 0;
    this.put();
  }

  /** Moves the drop; true while it runs. */
  step(seconds: number): boolean {
    if (!this.group.visible || this.ran >= RUN) return false;
    this.ran = Math.min(this.ran + seconds, RUN);
    this.put();
    return true;
  }

  dispose(): void {
    for (const mesh of [this.ribbon, this.drop]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }

  private put(): void {
    const last = this.way.length - 1;
    const at = (this.ran / RUN) * last;
    const first = Math.min(Math.floor(at), last - 1);
    const [a, b] = [this.way[first], this.way[first + 1]];
    if (!a || !b) return;
    this.drop.position.lerpVectors(a, b, at - first);
    this.ribbon.geometry.setDrawRange(0, 6 * Math.ceil(at));
  }
}

/** When the droplet is at each point, in ways through the scene at its first speed. */
function timesOf(way: readonly Vector3[], points: Points): number[] {
  let time = 0;
  return way.map((at, k) => {
    const speed = Math.max(points[k]?.[4] ?? 1, SLOWEST);
    time += at.distanceTo(way[Math.max(k - 1, 0)] ?? at) / speed;
    return time;
  });
}

/** Two corners of each point, one to either side: the shader parts them. */
function ribbon(way: readonly Vector3[], points: Points, times: readonly number[]): BufferGeometry {
  const most = (column: number) => Math.max(...points.map((point) => point[column] ?? 0), 1e-9);
  const [water, load] = [most(3), most(5)];
  const twice = (tell: (k: number) => readonly number[]) =>
    Float32Array.from(way.flatMap((_, k) => [...tell(k), ...tell(k)]));
  const at = (k: number) => (way[Math.min(Math.max(k, 0), way.length - 1)] as Vector3).toArray();
  const share = (k: number, column: number, of: number) => (points[k]?.[column] ?? 0) / of;
  const made = new BufferGeometry();
  const put = (name: string, numbers: Float32Array, each: number) =>
    made.setAttribute(name, new BufferAttribute(numbers, each));
  put("position", twice(at), 3);
  put(
    "before",
    twice((k) => at(k - 1)),
    3,
  );
  put(
    "after",
    twice((k) => at(k + 1)),
    3,
  );
  const told = (k: number) => [share(k, 3, water), share(k, 5, load), times[k] ?? 0];
  put("told", twice(told), 3);
  put(
    "side",
    Float32Array.from({ length: 2 * way.length }, (_, k) => (k % 2 ? 1 : -1)),
    1,
  );
  made.setIndex(
    way.slice(1).flatMap((_, k) => [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3]),
  );
  return made;
}
