/** The map: the land from straight above, in its own colours or a layer's, north at the top. */

import { Color, Mesh, MOUSE, OrthographicCamera, PlaneGeometry, Scene, TOUCH } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import mapFragment from "../shaders/map.frag.glsl?raw";
import mapVertex from "../shaders/map.vert.glsl?raw";
import type { Diorama } from "./diorama.ts";
import { offCentre } from "./framing.ts";
import { type AirUniforms, painted, type Uniforms } from "./glsl.ts";
import { Plane } from "./relief.ts";
import { EDGE, type Stage } from "./stage.ts";

const PAPER = new Color("#39424b");
const MARGIN = 1.08;

export class MapSheet {
  readonly camera = new OrthographicCamera(-1, 1, 1, -1, 1, 4 * EDGE);
  readonly controls: OrbitControls;
  private readonly scene = new Scene();
  private readonly paint = new Plane("colours");
  private readonly stage: Stage;
  private readonly mesh: Mesh<PlaneGeometry, ReturnType<typeof painted>>;
  private readonly own = {
    uPaint: { value: this.paint.texture },
    uPainted: { value: 0 },
    uInterval: { value: 0 },
    uPaper: { value: PAPER },
  };
  /** Moved by the person; until then each land is framed. */
  private touched = false;

  constructor(stage: Stage, diorama: Diorama, air: AirUniforms) {
    this.stage = stage;
    const uniforms: Uniforms = { ...air, ...diorama.relief, ...diorama.colours, ...this.own };
    this.mesh = new Mesh(new PlaneGeometry(1, 1), painted(mapVertex, mapFragment, uniforms));
    this.mesh.frustumCulled = false;
    this.scene.background = PAPER;
    this.scene.add(this.mesh);
    this.camera.position.set(0, 2 * EDGE, 0);
    this.camera.up.set(0, 0, -1);
    this.camera.lookAt(0, 0, 0);
    this.controls = new OrbitControls(this.camera, stage.canvas);
    this.controls.enabled = false;
    this.controls.enableRotate = false;
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.minZoom = 0.4;
    this.controls.maxZoom = 60;
    this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    this.controls.addEventListener("change", () => stage.invalidate());
    this.controls.addEventListener("start", () => {
      this.touched = true;
    });
  }

  /** Draws contours `interval` [m] apart, or none for 0. */
  look(interval: number): void {
    this.own.uInterval.value = interval;
  }

  /** Shows a layer's colours, or the land's own for null. */
  show(pixels: Uint8Array | null, shape: readonly number[]): void {
    this.own.uPainted.value = pixels ? 1 : 0;
    if (!pixels) return;
    this.paint.fill(pixels, shape);
    this.own.uPaint.value = this.paint.texture;
  }

  draw(): void {
    this.stage.renderer.render(this.scene, this.camera);
  }

  /** Fits the camera to the picture, and the land to it while nobody moved the map. */
  fit(size: { readonly x: number; readonly y: number }): void {
    const free = this.stage.free();
    const { width, height } = free;
    const wide = Math.max(width - free.left - free.right, 1);
    const tall = Math.max(height - free.top - free.bottom, 1);
    const unit = MARGIN * Math.max(size.x / wide, size.y / tall);
    const { camera } = this;
    [camera.left, camera.right] = [(-unit * width) / 2, (unit * width) / 2];
    [camera.bottom, camera.top] = [(-unit * height) / 2, (unit * height) / 2];
    const [right, down] = offCentre(free);
    camera.setViewOffset(width, height, -right, -down, width, height);
    if (!this.touched) this.frame();
    camera.updateProjectionMatrix();
  }

  frame(): void {
    this.touched = false;
    this.camera.zoom = 1;
    this.camera.position.set(0, 2 * EDGE, 0);
    this.controls.target.set(0, 0, 0);
    this.controls.update();
    this.camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.paint.dispose();
  }
}
