/** Where she may go: the rules of walking, without a word of three.js. */

import type { Ground } from "../ground.ts";
import type { Limits } from "../land.ts";
import type { Found, Rivers } from "../rivers.ts";

export interface Spot {
  x: number;
  z: number;
}

/** Steps in which a way is looked at [m]. */
const LOOK = 0.25;
/** A slope is felt over so much ground [m]: a stone is no cliff. */
const STRIDE = 0.5;
/** Rules are repeated until all hold, and no oftener than this. */
const TIMES = 12;
/** Ways round what bars her, nearest to straight on first [°]. */
const ASIDE = [0, 25, -25, 50, -50, 75, -75];
/** So much beyond a border counts as on it [m]. */
const HAIR = 1e-3;

/** The shortest turn from one heading to another [rad], −π to π. */
export function turn(from: number, to: number): number {
  const whole = 2 * Math.PI;
  const around = (to - from + 3 * Math.PI) % whole;
  return (around < 0 ? around + whole : around) - Math.PI;
}

export class Paths {
  private readonly ground: Ground;
  private readonly rivers: Rivers;
  private readonly limits: Limits;
  private readonly reach: Spot;
  private readonly middle: Spot;

  /** `wide` and `deep` are the land's edges [m]. */
  constructor(
    ground: Ground,
    rivers: Rivers,
    limits: Limits,
    wide: number,
    deep: number,
    middle: Spot = { x: 0, z: 0 },
  ) {
    [this.ground, this.rivers, this.limits] = [ground, rivers, limits];
    this.reach = { x: wide / 2 - limits.margin, z: deep / 2 - limits.margin };
    this.middle = middle;
  }

  /** Whether a place lies within the edges, at least so far [m]. */
  within(x: number, z: number, far = 0): boolean {
    const { reach, middle } = this;
    return Math.abs(x - middle.x) <= reach.x - far && Math.abs(z - middle.z) <= reach.z - far;
  }

  /** Whether she can stand there. */
  open(x: number, z: number): boolean {
    const { circle, clearance, wade } = this.limits;
    if (!this.within(x, z)) return false;
    if (circle && Math.hypot(x - circle.x, z - circle.z) > circle.radius + HAIR) return false;
    if (clearance !== null && this.nearness(x, z) < clearance - HAIR) return false;
    return clearance !== null || this.ground.water(x, z) <= wade;
  }

  /** Whether she can take a step: no deeper than her knees, onto nothing steeper than she climbs. */
  passable(from: Spot, to: Spot): boolean {
    return this.open(to.x, to.z) && (!this.isSteep(to.x, to.z) || this.isSteep(from.x, from.z));
  }

  private isSteep(x: number, z: number): boolean {
    const { ground, limits } = this;
    const east = ground.height(x + STRIDE, z) - ground.height(x - STRIDE, z);
    const south = ground.height(x, z + STRIDE) - ground.height(x, z - STRIDE);
    return Math.hypot(east, south) > 2 * STRIDE * Math.tan((limits.climb * Math.PI) / 180);
  }

  /** Where a step of `far` metres leads that heads for a place; it slides along what bars it. */
  step(from: Spot, toX: number, toZ: number, far: number, into: Spot): boolean {
    const heading = Math.atan2(toX - from.x, toZ - from.z);
    for (const aside of ASIDE) {
      const way = heading + (aside * Math.PI) / 180;
      const part = far * Math.cos((aside * Math.PI) / 180);
      into.x = from.x + part * Math.sin(way);
      into.z = from.z + part * Math.cos(way);
      if (this.passable(from, into)) return true;
    }
    [into.x, into.z] = [from.x, from.z];
    return false;
  }

  /** The place to which a wish leads: within the circle and the land, on her side of the stream. */
  allowed(from: Spot, wish: Spot): Spot {
    const place = { ...wish };
    for (let time = 0; time < TIMES; time++) {
      this.pull(place);
      if (!this.ashore(from, place)) break;
    }
    this.pull(place);
    return this.open(place.x, place.z) || this.limits.clearance === null ? place : { ...from };
  }

  /** Pulls a place onto the circle, and off the land's edges. */
  private pull(place: Spot): void {
    const { circle } = this.limits;
    if (circle) {
      const far = Math.hypot(place.x - circle.x, place.z - circle.z);
      if (far > circle.radius) {
        place.x = circle.x + ((place.x - circle.x) * circle.radius) / far;
        place.z = circle.z + ((place.z - circle.z) * circle.radius) / far;
      }
    }
    const { reach, middle } = this;
    place.x = Math.min(Math.max(place.x, middle.x - reach.x), middle.x + reach.x);
    place.z = Math.min(Math.max(place.z, middle.z - reach.z), middle.z + reach.z);
  }

  /** Moves a place in the stream or beyond it to her edge; tells whether it had to. */
  private ashore(from: Spot, place: Spot): boolean {
    const { clearance } = this.limits;
    if (clearance === null) return false;
    const far = Math.hypot(place.x - from.x, place.z - from.z);
    const steps = Math.max(1, Math.ceil(far / LOOK));
    let side = 0;
    for (let k = 1; k <= steps; k++) {
      const share = k / steps;
      const x = from.x + (place.x - from.x) * share;
      const z = from.z + (place.z - from.z) * share;
      const found = this.rivers.nearest(x, z);
      if (!found) {
        side = 0;
        continue;
      }
      const here = sideOf(found, x, z);
      side ||= here;
      const crossed = here !== side;
      const ends = k === steps && found.distance < clearance;
      if (crossed || ends) {
        place.x = found.x + side * found.flowZ * clearance;
        place.z = found.z - side * found.flowX * clearance;
        this.pushOff(place, clearance);
        return true;
      }
    }
    return false;
  }

  /** In a bend another part of the line may be nearer than the one she was sent from. */
  private pushOff(place: Spot, clearance: number): void {
    for (let time = 0; time < TIMES; time++) {
      const found = this.rivers.nearest(place.x, place.z);
      if (!found || found.distance >= clearance || found.distance === 0) return;
      const more = clearance / found.distance;
      place.x = found.x + (place.x - found.x) * more;
      place.z = found.z + (place.z - found.z) * more;
    }
  }

  private nearness(x: number, z: number): number {
    return this.rivers.nearest(x, z)?.distance ?? Number.POSITIVE_INFINITY;
  }
}

/** On which side of the line a place lies: 1 right of the flow as seen on a map, −1 left of it. */
function sideOf({ x: lineX, z: lineZ, flowX, flowZ }: Found, x: number, z: number): number {
  return (x - lineX) * flowZ - (z - lineZ) * flowX >= 0 ? 1 : -1;
}
