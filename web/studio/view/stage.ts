/**
 * The stage: one renderer, drawn when something has changed, at rest otherwise.
 *
 * Lengths are in scene units: the land's longer edge is EDGE of them, so that light, fog and
 * camera are the same for a sand box and for a mountain range.
 */

import {
  ACESFilmicToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  SRGBColorSpace,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export const EDGE = 100;
const MOST_PIXELS_PER_POINT = 1.75;
/** Frames drawn after a change, so that damping comes to rest. */
const AFTERGLOW = 2;

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.1, 4 * EDGE);
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  /** Called before each frame with the seconds since the last; true asks for another frame. */
  readonly steps: ((seconds: number) => boolean)[] = [];
  /** Draws a frame in place of the whole scene: two halves, or a map. */
  draw: (stage: Stage) => void = ({ renderer, scene, camera }) => renderer.render(scene, camera);
  private wanted = 1;
  private last = 0;
  private readonly watcher: ResizeObserver;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({
      canvas,
      antialias: true,
      powerPreference: "high-performance",
    });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.36;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.camera.position.set(0.42 * EDGE, 0.4 * EDGE, 0.98 * EDGE);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.set(0, 0, 4);
    this.controls.maxPolarAngle = 1.53;
    this.controls.minDistance = 2;
    this.controls.maxDistance = 2.5 * EDGE;
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.addEventListener("change", () => this.invalidate());
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(canvas);
    canvas.addEventListener("webglcontextrestored", () => this.refresh());
    this.resize();
    this.renderer.setAnimationLoop((now) => this.tick(now));
  }

  /** Asks for a frame. */
  invalidate(): void {
    this.wanted = AFTERGLOW;
  }

  /** Asks for a frame with new shadows: the land or the sun has changed. */
  refresh(): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  /** Draw calls and triangles of the last frame. */
  get cost(): { readonly calls: number; readonly triangles: number } {
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }

  dispose(): void {
    this.watcher.disconnect();
    this.renderer.setAnimationLoop(null);
    this.controls.dispose();
    this.renderer.dispose();
  }

  private tick(now: number): void {
    const seconds = Math.min((now - this.last) / 1000, 0.05);
    this.last = now;
    if (document.hidden) return;
    this.controls.update(seconds);
    let again = false;
    for (const step of this.steps) again = step(seconds) || again;
    if (again) this.wanted = Math.max(this.wanted, 1);
    if (this.wanted <= 0) return;
    this.wanted -= 1;
    this.draw(this);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MOST_PIXELS_PER_POINT));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }
}
