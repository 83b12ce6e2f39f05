/** The camera and the renderer as the walk has them. */

import type { ReadonlySignal } from "@preact/signals-core";
import { ACESFilmicToneMapping, PCFShadowMap, type PerspectiveCamera, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Quality } from "./stage.ts";

export const SHARPEST = 1.75;
const EXPOSURE = 0.68;
/** The idle camera goes round so fast [turns in two minutes]. */
const ORBIT = 0.5;

/** Both buttons turn. */
export function steered(
  camera: PerspectiveCamera,
  canvas: HTMLCanvasElement,
  still: boolean,
): OrbitControls {
  const controls = new OrbitControls(camera, canvas);
  Object.assign(controls, {
    enablePan: false,
    enableDamping: !still,
    dampingFactor: 0.09,
    minDistance: 2.2,
    maxDistance: 36,
    minPolarAngle: 0.35,
    maxPolarAngle: 1.6,
    autoRotateSpeed: ORBIT,
  });
  controls.mouseButtons.RIGHT = controls.mouseButtons.LEFT;
  return controls;
}

/** Until the first input the camera goes round by itself; returns what ends it for good. */
export function idling(
  controls: OrbitControls,
  calm: ReadonlySignal<boolean>,
  still: boolean,
): () => void {
  const stop = calm.subscribe((calm) => {
    controls.autoRotate = !calm && !still;
  });
  const end = () => {
    stop();
    controls.autoRotate = false;
  };
  for (const kind of ["pointerdown", "wheel", "keydown"] as const)
    addEventListener(kind, end, { once: true, passive: true, capture: true });
  return end;
}

export function rendererOn(canvas: HTMLCanvasElement, quality: Quality): WebGLRenderer {
  const renderer = new WebGLRenderer({
    canvas,
    antialias: quality.samples > 0,
    powerPreference: "high-performance",
  });
  renderer.toneMapping = ACESFilmicToneMapping;
  renderer.toneMappingExposure = EXPOSURE;
  renderer.shadowMap.enabled = quality.shadow > 0;
  renderer.shadowMap.type = PCFShadowMap; // soft, in this three.js
  renderer.transmissionResolutionScale = 0.5;
  return renderer;
}
