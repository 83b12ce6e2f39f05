import { PerspectiveCamera, Vector3 } from "three";
import { expect, test } from "vitest";
import {
  type Box,
  type Free,
  firstExaggeration,
  framed,
  freeOf,
  offCentre,
  standFor,
} from "./framing.ts";

const BOX: Box = { wide: 100, deep: 60, low: -5, high: 20 };

/** Where the corners of a box fall in the picture [CSS pixels]. */
function cornersSeen(box: Box, free: Free): [number, number][] {
  const fov = 30;
  const { target, position } = framed(box, 200, 30, fov, free);
  const camera = new PerspectiveCamera(fov, free.width / free.height, 0.1, 5000);
  const [right, down] = offCentre(free);
  camera.setViewOffset(free.width, free.height, -right, -down, free.width, free.height);
  camera.position.copy(position);
  camera.lookAt(target);
  camera.updateMatrixWorld();
  return [-50, 50].flatMap((x) =>
    [-30, 30].flatMap((z) =>
      [box.low, box.high].map((y): [number, number] => {
        const { x: u, y: v } = new Vector3(x, y, z).project(camera);
        return [((u + 1) / 2) * free.width, ((1 - v) / 2) * free.height];
      }),
    ),
  );
}

test.each([
  { width: 1440, height: 900, left: 324, right: 284, top: 12, bottom: 40 },
  { width: 480, height: 900, left: 0, right: 0, top: 60, bottom: 60 },
  { width: 1920, height: 600, left: 0, right: 300, top: 0, bottom: 0 },
])("the whole land lies in the free part of the picture and fills it", (free) => {
  const seen = cornersSeen(BOX, free);
  const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
  expect(Math.min(...xs)).toBeGreaterThan(free.left);
  expect(Math.max(...xs)).toBeLessThan(free.width - free.right);
  expect(Math.min(...ys)).toBeGreaterThan(free.top);
  expect(Math.max(...ys)).toBeLessThan(free.height - free.bottom);
  const filled = Math.max(
    (Math.max(...xs) - Math.min(...xs)) / (free.width - free.left - free.right),
    (Math.max(...ys) - Math.min(...ys)) / (free.height - free.top - free.bottom),
  );
  expect(filled).toBeGreaterThan(0.88);
});

test("panels beside, above and below leave the rest free; folded ones leave all", () => {
  const panels = [
    { left: 12, right: 1428, top: 12, bottom: 60 },
    { left: 12, right: 320, top: 70, bottom: 680 },
    { left: 1140, right: 1428, top: 70, bottom: 520 },
    { left: 12, right: 1428, top: 690, bottom: 860 },
  ];
  const free = freeOf(1440, 900, panels);
  expect(free).toMatchObject({ left: 320, right: 300, top: 60, bottom: 210 });
  const folded = freeOf(1440, 900, [{ left: 0, right: 18, top: 70, bottom: 100 }]);
  expect(folded.left).toBe(folded.right);
});

test("mountains are shown as they are, sand boxes are raised", () => {
  expect(firstExaggeration(2600, 16_000)).toBe(1);
  expect(firstExaggeration(400, 16_000)).toBe(2);
  expect(firstExaggeration(1.2, 96)).toBe(5);
  expect(firstExaggeration(0.7, 96)).toBe(8);
  expect(firstExaggeration(0, 96)).toBe(12);
});

test("a sheet over most of a telephone does not squeeze the land", () => {
  const free = freeOf(390, 800, [{ left: 0, right: 390, top: 300, bottom: 800 }]);
  expect(free.bottom).toBeLessThan(50);
});

test("a telephone's picture is filled from higher up", () => {
  const filled = (free: Free) => {
    const { azimuth, height } = standFor(free);
    const tall = (at: number) => {
      const { position, target } = framed(BOX, azimuth, at, 30, free);
      return 1 / position.distanceTo(target);
    };
    return tall(height) / tall(31);
  };
  const phone = { width: 390, height: 785, left: 14, right: 14, top: 64, bottom: 14 };
  expect(standFor(phone).height).toBeGreaterThan(45);
  expect(standFor({ ...phone, width: 1280, height: 720 }).height).toBe(31);
  expect(filled(phone)).toBeGreaterThan(0.97); // the land is not smaller for it
});
