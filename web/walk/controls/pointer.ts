/** A click or a tap asks her to walk; a drag looks round. */

import { Raycaster, Vector2, Vector3 } from "three";
import type { Stage } from "../stage.ts";
import type { Walker } from "../walker/walker.ts";

/** Beyond these a press is no click [CSS pixels, ms]. */
const STILL = 6;
const SHORT = 700;
/** A pixel of a drag turns her head by so much [rad]. */
const HEAD = 0.0045;

/** Listens until the returned function is called. */
export function listen(stage: Stage, walker: Walker): () => void {
  const { canvas } = stage;
  const pressed = new Map<number, { x: number; y: number; at: number; far: number }>();
  const ray = new Raycaster();
  const point = new Vector2();
  const met = new Vector3();

  const down = (event: PointerEvent) => {
    const { clientX: x, clientY: y, timeStamp: at } = event;
    pressed.set(event.pointerId, { x, y, at, far: 0 });
    if (pressed.size > 1)
      for (const press of pressed.values()) press.far = Number.POSITIVE_INFINITY;
  };
  const move = (event: PointerEvent) => {
    const press = pressed.get(event.pointerId);
    if (!press) return;
    press.far = Math.max(press.far, Math.hypot(event.clientX - press.x, event.clientY - press.y));
    if (!walker.firstPerson.value) return;
    walker.turnHead(event.movementX * HEAD, -event.movementY * HEAD);
    stage.invalidate();
  };
  const up = (event: PointerEvent) => {
    const press = pressed.get(event.pointerId);
    pressed.delete(event.pointerId);
    if (!press || event.button !== 0) return;
    if (press.far > STILL || event.timeStamp - press.at > SHORT) return;
    const box = canvas.getBoundingClientRect();
    point.set(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
    ray.setFromCamera(point, stage.camera);
    if (stage.ground.meet(ray.ray.origin, ray.ray.direction, met)) walker.go(met.x, met.z);
  };
  const gone = (event: PointerEvent) => pressed.delete(event.pointerId);
  canvas.addEventListener("pointerdown", down);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", gone);
  return () => {
    canvas.removeEventListener("pointerdown", down);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", gone);
  };
}
