/**
 * The stage: one renderer, drawn when something has changed, at rest otherwise.
 *
 * Lengths are in scene units: the land's longer edge is EDGE of them, so that light, haze and
 * camera are the same for a sand box and for a mountain range.
 */

import { NeutralToneMapping, PerspectiveCamera, Scene, SRGBColorSpace, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { type Cost, cost } from "../state/store.ts";
import { type Box, type Free, framed, freeOf, offCentre, standFor } from "./framing.ts";

export const EDGE = 100;
/** The camera goes no farther: a telephone's narrow picture still holds the land. */
export const FARTHEST = 12 * EDGE;
const MOST_PIXELS_PER_POINT = 2;
/** The processor takes three times as long where it smooths edges itself; at rest it draws finer. */
const SMOOTHER = 1.5;
/** Pixels to the point while the picture moves and frames are dear. */
const ROUGH = 0.6;
/** Frames drawn after a change, so that damping comes to rest; there is none where frames are dear. */
const AFTERGLOW = 2;
/** A frame that takes longer [ms] makes the picture coarser while it moves. */
const SLOW = 55;
/** What a frame is thought to take before one was timed [ms]. */
const QUICK = 16;
/** The picture is fine again so long after it came to rest [ms]. */
const REST = 220;
/** And so long while the engine needs the processor that draws: a fine frame would hold up the land. */
const REST_WHILE_GROWING = 3000;
/** Until the first input the camera drifts so fast [turns a minute]. */
const DRIFT = 0.12;
/** How often the cost of drawing is told while the picture moves [ms]. */
const TELL_EVERY = 500;
/** How often panels are looked at, which may fold and open [ms]. */
const LOOK_AT_PANELS = 400;

export const stillEyes = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether the processor draws, for want of a graphics card. */
export function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const told = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(30, 1, 0.5, 24 * EDGE);
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  /** Called before each frame with the seconds since the last; true asks for another frame. */
  readonly steps: ((seconds: number) => boolean)[] = [];
  /** Called when the drawing context is new: what was drawn into textures is gone. */
  readonly revived: (() => void)[] = [];
  /** Called when the picture or its free part has another size. */
  readonly resized: (() => void)[] = [];
  /** Draws a frame in place of the whole scene: two halves, or a map. */
  draw: (stage: Stage) => void = ({ renderer, scene, camera }) => renderer.render(scene, camera);
  /** Frames are dear here: the picture is coarser while it moves. */
  slow = isSoftware();
  /** The engine grows a land; where frames are dear, fine ones wait for it a while. */
  growing = false;
  /** Edges are smoothed by the card, or by drawing finer where the processor draws. */
  private readonly smooth = !this.slow;
  /** The camera was moved by the person; until then each land is framed. */
  private touched = false;
  private box: Box = { wide: EDGE, deep: EDGE, low: -4, high: 12 };
  private wanted = 1;
  private last = 0;
  private ran = 0;
  /** What a frame takes of late [ms]; 0 before one has followed the other. */
  private pace = 0;
  private told = Number.NEGATIVE_INFINITY;
  private coarse = false;
  private room = "";
  private readonly watch: number;
  private readonly watcher: ResizeObserver;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({
      canvas,
      antialias: this.smooth,
      powerPreference: "high-performance",
    });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.info.autoReset = false;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.maxPolarAngle = 1.54;
    this.controls.minDistance = 2;
    this.controls.maxDistance = FARTHEST;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.autoRotate = !stillEyes();
    this.controls.autoRotateSpeed = DRIFT;
    this.controls.addEventListener("start", () => this.touch());
    for (const kind of ["pointerdown", "wheel", "keydown"] as const)
      addEventListener(kind, () => this.settle(), { capture: true, passive: true });
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(canvas);
    canvas.addEventListener("webglcontextrestored", () => {
      for (const again of this.revived) again();
      this.invalidate();
    });
    this.watch = window.setInterval(() => this.makeRoom(), LOOK_AT_PANELS);
    this.makeRoom();
    this.renderer.setAnimationLoop((now) => this.tick(now));
  }

  /** Whether frames are drawn coarser now, for speed. */
  get isCoarse(): boolean {
    return this.coarse;
  }

  /** Whether all is drawn, as finely as it will be. */
  get isResting(): boolean {
    return this.wanted <= 0 && !this.coarse;
  }

  /** Frames a second, draw calls and triangles of late. */
  get cost(): Cost {
    return cost.peek();
  }

  /** How long after the last change all is drawn finely [ms]. */
  get patience(): number {
    return this.growing && this.slow ? REST_WHILE_GROWING : REST;
  }

  /** Asks for a frame. */
  invalidate(): void {
    this.wanted = this.slow ? 1 : AFTERGLOW;
  }

  /** The camera is the person's from now on. */
  touch(): void {
    this.touched = true;
    this.settle();
  }

  /** Ends the idle drift. */
  private settle(): void {
    this.controls.autoRotate = false;
  }

  /** Tells how large the land is; a camera that nobody touched frames it. */
  fit(box: Box): void {
    const reshaped = Math.abs(box.wide / box.deep - this.box.wide / this.box.deep) > 0.01;
    this.box = box;
    if (!this.touched || reshaped) this.frame();
  }

  /** Puts the camera where the whole land is seen. */
  frame(): void {
    this.touched = false;
    const free = this.free();
    const { azimuth, height } = standFor(free);
    const { target, position } = framed(this.box, azimuth, height, this.camera.fov, free);
    this.camera.position.copy(position);
    this.controls.target.copy(target);
    this.controls.update();
    this.invalidate();
  }

  /** The part of the picture that no panel at its side covers. */
  free(): Free {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const rects = [...document.querySelectorAll("#panel > * > *")].map((panel) =>
      panel.getBoundingClientRect(),
    );
    return freeOf(width, height, rects);
  }

  dispose(): void {
    clearInterval(this.watch);
    this.watcher.disconnect();
    this.renderer.setAnimationLoop(null);
    this.controls.dispose();
    this.renderer.dispose();
  }

  private tick(now: number): void {
    const gap = now - this.last;
    this.last = now;
    if (document.hidden || this.renderer.getContext().isContextLost()) return;
    const seconds = Math.min(gap / 1000, 0.1);
    if (this.slow) this.settle();
    this.controls.enableDamping = !this.slow && !stillEyes();
    let again = this.controls.update(seconds) && this.controls.autoRotate;
    for (const step of this.steps) again = step(seconds) || again;
    if (again) this.wanted = Math.max(this.wanted, 1);
    const moving = this.wanted > 0;
    if (!moving && !(this.coarse && now - this.ran > this.patience)) return;
    this.coarse = moving && this.slow;
    this.wanted = Math.max(this.wanted - 1, 0);
    if (now - this.ran < 2 * gap + 1) this.keepPace(gap);
    this.ran = now;
    this.paint();
  }

  /** Draws a frame now; one that is finer than the screen is to be kept, and never coarse. */
  paint(finer = 1): void {
    this.coarse &&= finer === 1;
    const rest = Math.min(devicePixelRatio * (this.smooth ? 1 : SMOOTHER), MOST_PIXELS_PER_POINT);
    this.size((this.coarse ? ROUGH : rest) * finer);
    const { info } = this.renderer;
    info.reset();
    this.draw(this);
    const { calls, triangles } = info.render;
    if (this.ran - this.told < TELL_EVERY && this.wanted > 0) return;
    this.told = this.ran;
    cost.value = { frames: this.pace && Math.round(1000 / this.pace), calls, triangles };
  }

  /** Learns how long a frame takes when one follows the other. */
  private keepPace(gap: number): void {
    const before = this.pace || QUICK;
    this.pace = before + (Math.min(gap, 500) - before) * 0.2;
    if (this.pace > SLOW) this.slow = true;
    else if (this.pace < SLOW / 2.5 && !this.coarse) this.slow = false;
  }

  private size(ratio: number): void {
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    const [right, down] = offCentre(this.free());
    this.camera.setViewOffset(width, height, -right, -down, width, height);
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.frame();
    for (const hear of this.resized) hear();
    this.invalidate();
  }

  /** Moves the picture's middle when panels fold or open. */
  private makeRoom(): void {
    const room = JSON.stringify(this.free());
    if (room === this.room) return;
    this.room = room;
    this.resize();
  }
}
