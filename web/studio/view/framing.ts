/** Where a camera stands so that a box fills the free part of the picture. */

import { Vector3 } from "three";

/** The part of the picture that no panel covers, in CSS pixels. */
export interface Free {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Box {
  readonly wide: number;
  readonly deep: number;
  readonly low: number;
  readonly high: number;
}

export interface Frame {
  readonly target: Vector3;
  readonly position: Vector3;
}

const RADIANS = Math.PI / 180;
const MARGIN = 1.05;

/** How far the middle of the free part lies from the picture's, to the right and down [pixels]. */
export function offCentre({ left, right, top, bottom }: Free): [number, number] {
  return [(left - right) / 2, (top - bottom) / 2];
}

/** Heights lower than this share of a land's length are hardly seen, and are raised at first. */
const FLAT = 0.05;

/** How much the heights of a land are exaggerated at first, so that one sees them: 1 to 12. */
export function firstExaggeration(relief: number, length: number): number {
  return [1, 1.5, 2, 3, 5, 8].find((factor) => factor * relief >= FLAT * length) ?? 12;
}

/** Where the camera stands at first [°]: clockwise from north, above the horizon. */
export interface Stand {
  readonly azimuth: number;
  readonly height: number;
}
const WIDE: Stand = { azimuth: 203, height: 31 };
/** A narrow picture is filled from higher up, the land less aslant. */
const NARROW: Stand = { azimuth: 194, height: 52 };

/** Where the camera stands at first for so much room. */
export function standFor({ width, height, left, right, top, bottom }: Free): Stand {
  const shape = (width - left - right) / (height - top - bottom);
  const share = Math.min(Math.max((1.25 - shape) / 0.65, 0), 1);
  const between = (a: number, b: number) => a + (b - a) * share;
  return {
    azimuth: between(WIDE.azimuth, NARROW.azimuth),
    height: between(WIDE.height, NARROW.height),
  };
}

interface Rect {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Room that stays free at the rims in any case [pixels]. */
const RIM = 14;
/** What covers more than such a share of the picture lies over it, not beside it. */
const OVER = 0.45;

/** What panels leave of a picture: those as tall as half of it stand beside it, wide ones above or below. */
export function freeOf(width: number, height: number, panels: readonly Rect[]): Free {
  const free = { width, height, left: RIM, right: RIM, top: RIM, bottom: RIM };
  for (const { left, right, top, bottom } of panels) {
    const [wide, tall] = [(right - left) / width, (bottom - top) / height];
    if (wide > 0.6 && tall > 0.02 && tall < OVER) {
      if (top + bottom < height) free.top = Math.max(free.top, bottom);
      else free.bottom = Math.max(free.bottom, height - top);
    } else if (tall > 0.3 && wide < OVER) {
      if (left + right < width) free.left = Math.max(free.left, right);
      else free.right = Math.max(free.right, width - left);
    }
  }
  const tooNarrow = free.left + free.right > 0.75 * width || free.top + free.bottom > 0.75 * height;
  return tooNarrow ? { width, height, left: RIM, right: RIM, top: RIM, bottom: RIM } : free;
}

/**
 * Frames a box seen from `azimuth` (clockwise from north, where the camera stands) and `height`
 * above the horizon [°], by a camera with a vertical field of view of `fov` [°].
 */
export function framed(box: Box, azimuth: number, height: number, fov: number, free: Free): Frame {
  const level = Math.cos(height * RADIANS);
  const back = new Vector3(
    Math.sin(azimuth * RADIANS) * level,
    Math.sin(height * RADIANS),
    -Math.cos(azimuth * RADIANS) * level,
  );
  const right = new Vector3(-back.z, 0, back.x).negate().normalize();
  const up = new Vector3().crossVectors(back, right);
  const tall = Math.tan((fov * RADIANS) / 2);
  const most = [
    (tall * (free.width - free.left - free.right)) / free.height,
    (tall * (free.height - free.top - free.bottom)) / free.height,
  ] as const;
  const target = new Vector3(0, (box.low + box.high) / 2, 0);
  let far = 0;
  for (let round = 0; round < 6; round++) {
    const seen = corners(box).map((corner) => {
      const from = corner.sub(target);
      return [from.dot(right), from.dot(up), from.dot(back)] as const;
    });
    far = Math.max(
      ...seen.map(
        ([x, y, near]) => near + MARGIN * Math.max(Math.abs(x) / most[0], Math.abs(y) / most[1]),
      ),
    );
    const shift = (axis: 0 | 1) => {
      const shares = seen.map((point) => point[axis] / (far - point[2]));
      return ((Math.max(...shares) + Math.min(...shares)) / 2) * far;
    };
    target.addScaledVector(right, shift(0)).addScaledVector(up, shift(1));
  }
  return { target, position: target.clone().addScaledVector(back, far) };
}

function corners({ wide, deep, low, high }: Box): Vector3[] {
  return [-0.5, 0.5].flatMap((x) =>
    [-0.5, 0.5].flatMap((z) => [low, high].map((y) => new Vector3(x * wide, y, z * deep))),
  );
}
