/** The stage itself: one renderer and its loop, which rests whenever nobody looks. */

import { type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import { PerspectiveCamera, Scene, Vector3, type WebGLRenderer } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { idling, rendererOn, SHARPEST, steered } from "./camera.ts";
import { type Ground, TriangulatedGround } from "./ground.ts";
import type { Walk } from "./land.ts";
import { Rivers } from "./rivers.ts";
import { type Figures, figuresOf } from "./scene/figures.ts";
import { GOLDEN } from "./scene/light.ts";
import { Post } from "./scene/post.ts";
import type { Mood, Part, Quality, Stage } from "./stage.ts";
import type { Window } from "./window.ts";

/** A frame counts for no more than this [s]: who comes back from elsewhere has not missed a jump. */
const LONGEST = 0.05;
/** Less of the page than this in sight, and it rests. */
const IN_SIGHT = 0.15;
/** The camera stays so far above ground and water [m]. */
const ABOVE = 0.35;
/** Fine land is drawn so far round her, as a share of half a window, where windows follow each other. */
const REACHED = 0.72;
/** Frames drawn until the page is ready: shaders and shadows are there then. */
const SETTLED = 2;

export class Theatre implements Stage {
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(46, 1, 0.1, 9000);
  readonly renderer: WebGLRenderer;
  readonly controls: OrbitControls;
  /** What she walks in now; others follow where the land goes on. */
  window: Window;
  ground: Ground;
  rivers: Rivers;
  readonly reach: number;
  readonly focus = new Vector3();
  readonly mood: Mood = { hour: signal(GOLDEN), mist: signal(0.4) };
  readonly quality: Quality;
  readonly paused: Signal<boolean> = signal(false);
  readonly calm: ReadonlySignal<boolean>;
  /** Milliseconds that parts took before the last frame, and a mean of late. */
  readonly cost = { last: 0, mean: 0 };
  private readonly parts = new Set<Part>();
  /** What is to be done, one a frame. */
  private readonly jobs: (() => void)[] = [];
  private readonly post: Post;
  private readonly still: boolean;
  private seconds = 0;
  private before = 0;
  private wanted = SETTLED;
  private inSight = true;
  private readonly ends: (() => void)[] = [];

  constructor(canvas: HTMLCanvasElement, window: Window, quality: Quality, still: boolean) {
    this.canvas = canvas;
    this.window = window;
    this.quality = quality;
    this.still = still;
    this.entered = signal(window.walk);
    this.reach = reachOf(window.walk);
    this.rivers = new Rivers(window.walk.rivers);
    this.ground = groundOf(window, this.rivers);
    this.renderer = rendererOn(canvas, quality);
    this.post = new Post(this);
    this.calm = this.calmness();
    this.controls = steered(this.camera, canvas, still);
    this.ends.push(idling(this.controls, this.calm, still));
    this.controls.addEventListener("change", () => {
      if (!this.moves) this.invalidate();
    });
    this.resize();
    this.begin();
    this.watch();
  }

  /** The window, for whoever shows what is in it. */
  readonly entered: Signal<Walk>;

  get land(): Walk {
    return this.window.walk;
  }

  /** Goes on in another window; at once, or a piece a frame where both hold what is seen. */
  enter(window: Window, at = "once" as "once" | "leisure"): void {
    for (const job of this.jobs.splice(0)) job();
    this.window = window;
    this.entered.value = window.walk;
    this.rivers = new Rivers(window.walk.rivers);
    this.ground = groundOf(window, this.rivers);
    for (const part of this.parts) part.renew?.((job) => this.jobs.push(job));
    if (at === "once") for (const job of this.jobs.splice(0)) job();
    this.invalidate();
  }

  add(part: Part): void {
    this.parts.add(part);
  }

  remove(part: Part): void {
    this.parts.delete(part);
  }

  invalidate(): void {
    this.wanted = Math.max(this.wanted, SETTLED);
    if (this.still) document.documentElement.removeAttribute("data-ready");
    this.run();
  }

  /** Lets so much of the scene's time pass [s] in frames of at most LONGEST, without drawing. */
  pass(seconds: number): void {
    for (let left = seconds; left > 1e-9; left -= LONGEST) this.advance(Math.min(left, LONGEST));
    this.invalidate();
  }

  figures(): Figures {
    return figuresOf(this.renderer, this.scene, this.cost.mean);
  }

  dispose(): void {
    this.renderer.setAnimationLoop(null);
    for (const end of this.ends) end();
    for (const part of this.parts) part.dispose();
    this.controls.dispose();
    this.post.dispose();
    this.renderer.dispose();
  }

  private get rests(): boolean {
    return document.hidden || !this.inSight;
  }

  private get moves(): boolean {
    return !this.still && !this.paused.value;
  }

  private run(): void {
    const goes = !this.rests && (this.moves || this.wanted > 0 || this.jobs.length > 0);
    this.renderer.setAnimationLoop(goes ? (now) => this.frame(now) : null);
  }

  private frame(now: number): void {
    const dt = Math.min((now - this.before) / 1000, LONGEST);
    this.before = now;
    this.advance(this.moves ? dt : 0);
    this.post.render();
    this.wanted = Math.max(0, this.wanted - 1);
    if (this.wanted > 0 || this.jobs.length > 0) return;
    document.documentElement.setAttribute("data-ready", "");
    if (!this.moves) this.run();
  }

  private advance(dt: number): void {
    const began = performance.now();
    this.seconds += dt;
    this.jobs.shift()?.();
    for (const part of this.parts) part.tick(this.seconds, dt);
    if (this.controls.enabled) this.controls.update(dt);
    this.keepAbove();
    this.cost.last = performance.now() - began;
    this.cost.mean += (this.cost.last - this.cost.mean) * 0.05;
  }

  private keepAbove(): void {
    const { x, y, z } = this.camera.position;
    const lowest = this.ground.height(x, z) + this.ground.water(x, z) + ABOVE;
    if (y < lowest) this.camera.position.y = lowest;
  }

  private calmness(): ReadonlySignal<boolean> {
    const query = matchMedia("(prefers-reduced-motion: reduce)");
    const calm = signal(query.matches);
    const hear = () => {
      calm.value = query.matches;
    };
    query.addEventListener("change", hear);
    this.ends.push(() => query.removeEventListener("change", hear));
    return calm;
  }

  /** Where she begins, and the camera behind her, a little to the left and above. */
  private begin(): void {
    const { x, z, heading } = this.land.about.start;
    this.focus.set(x, this.ground.height(x, z), z);
    const turn = ((heading - 6) * Math.PI) / 180;
    this.controls.target.copy(this.focus).setY(this.focus.y + 1.5);
    this.camera.position.set(
      x - 8.6 * Math.sin(turn),
      this.focus.y + 2.7,
      z + 8.6 * Math.cos(turn),
    );
    this.controls.update();
  }

  private watch(): void {
    const sight = new IntersectionObserver(
      ([entry]) => {
        this.inSight = (entry?.intersectionRatio ?? 1) >= IN_SIGHT;
        this.run();
      },
      { threshold: [0, IN_SIGHT, 1] },
    );
    sight.observe(this.canvas);
    const size = new ResizeObserver(() => this.resize());
    size.observe(this.canvas);
    const seen = () => this.run();
    document.addEventListener("visibilitychange", seen);
    const paused = this.paused.subscribe(() => this.invalidate());
    this.ends.push(
      () => sight.disconnect(),
      () => size.disconnect(),
      () => document.removeEventListener("visibilitychange", seen),
      paused,
    );
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(devicePixelRatio, SHARPEST);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.post.resize(width, height, ratio);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }
}

const groundOf = ({ lattice, levels, range }: Window, rivers: Rivers): Ground =>
  new TriangulatedGround(lattice, levels, rivers, range);

/** Fine land round her ends where any window that she may be in still has it. */
function reachOf({ grid, about }: Walk): number {
  const half = (Math.min(grid.nx, grid.ny) * grid.cell_size) / 2;
  return about.onward ? REACHED * half : 2 * half;
}
