/** How one moves: flying with keys, a drag or fingers, or walking with the feet on the ground. */

export interface Pose {
  /** Metres east and south of the world's origin, and the eye's elevation. */
  x: number;
  z: number;
  y: number;
  /** Where one looks [°]: clockwise from north, and above the horizon. */
  heading: number;
  pitch: number;
  walking: boolean;
}

/** What lies under a place: ground and water [m]. */
export type Below = (x: number, z: number) => { ground: number; water: number } | null;

type Way = readonly [right: number, forward: number, up: number, turn: number, tilt: number];

const WAYS: Readonly<Record<string, Way>> = {
  KeyW: [0, 1, 0, 0, 0],
  KeyS: [0, -1, 0, 0, 0],
  KeyA: [-1, 0, 0, 0, 0],
  KeyD: [1, 0, 0, 0, 0],
  KeyE: [0, 0, 1, 0, 0],
  KeyQ: [0, 0, -1, 0, 0],
  ArrowUp: [0, 1, 0, 0, 0],
  ArrowDown: [0, -1, 0, 0, 0],
  ArrowLeft: [0, 0, 0, -1, 0],
  ArrowRight: [0, 0, 0, 1, 0],
  PageUp: [0, 0, 0, 0, 1],
  PageDown: [0, 0, 0, 0, -1],
};

/** How high the eyes of one who walks are [m]. */
export const EYES = 1.8;
/** A walker's and a runner's pace [m/s]; land of large cells is crossed faster. */
const PACE = 4;
/** A second's flight, as a share of the height above the ground, and at least [shares of a span]. */
const SPEED = 0.9;
const LEAST = 0.004;
const FASTER = 4;
const CLIMBS = 0.7; // of the pace
const TURN = 50; // °/s
const STEEPEST = 85;
/** The eye keeps so far above the ground in flight [shares of a span]. */
const CLEAR = 0.0015;
/** And at most so high above the world's zero [spans]: there the land is a map. */
const CEILING = 5;
/** How soon speed is reached and lost [1/s]. */
const SWIFT = 5;
const RADIANS = Math.PI / 180;

export class Flight {
  readonly pose: Pose;
  private readonly held = new Set<string>();
  private fast = false;
  private readonly speed = [0, 0, 0, 0, 0];
  private readonly span: number;
  private readonly reach: number;
  /** Stops and starts at once, for who asked the system for less motion. */
  private readonly still: boolean;

  /** `span` is the length of the recipe's own land, `reach` how far from the origin one may go [m]. */
  constructor(pose: Pose, span: number, reach: number, still: boolean) {
    [this.pose, this.span, this.reach, this.still] = [pose, span, reach, still];
    this.stay();
  }

  press(code: string, shift: boolean): boolean {
    if (!(code in WAYS)) return false;
    this.held.add(code);
    this.fast = shift;
    return true;
  }

  release(code: string, shift: boolean): void {
    this.held.delete(code);
    this.fast = shift;
  }

  letGo(): void {
    this.held.clear();
  }

  /** Turns the eyes by so many degrees. */
  look(right: number, up: number): void {
    const { pose } = this;
    pose.heading = (((pose.heading + right) % 360) + 360) % 360;
    pose.pitch = Math.min(Math.max(pose.pitch + up, -STEEPEST), STEEPEST);
  }

  /** Goes so many seconds' way to where one looks, as a wheel or two fingers ask. */
  nudge(forward: number, right: number, below: Below): void {
    const pitch = this.pose.pitch * RADIANS;
    this.go(right, forward * Math.cos(pitch), forward * Math.sin(pitch), 1, below);
  }

  /** Stays where there is land. */
  stay(): void {
    const { pose, reach, span } = this;
    pose.x = Math.min(Math.max(pose.x, -reach), reach);
    pose.z = Math.min(Math.max(pose.z, -reach), reach);
    pose.y = Math.min(pose.y, CEILING * span);
  }

  /** Moves for some seconds; true while anything moves. */
  step(seconds: number, below: Below): boolean {
    const aim = [0, 0, 0, 0, 0];
    for (const key of this.held)
      WAYS[key]?.forEach((part, k) => {
        aim[k] = (aim[k] as number) + part;
      });
    const share = this.still ? 1 : 1 - Math.exp(-SWIFT * seconds);
    let moves = this.held.size > 0;
    aim.forEach((part, k) => {
      const now = this.speed[k] as number;
      const next = now + (part - now) * share;
      this.speed[k] = Math.abs(next) < 1e-3 ? 0 : next;
      moves ||= this.speed[k] !== 0;
    });
    const [right, forward, up, turn, tilt] = this.speed as [number, number, number, number, number];
    if (moves) {
      this.look(turn * TURN * seconds, tilt * TURN * seconds);
      this.go(right, forward, CLIMBS * up, seconds, below);
    }
    return this.settle(below) || moves;
  }

  /** Keeps the feet on the ground, and the eye above it; true if that moved it. */
  settle(below: Below): boolean {
    const { pose, span } = this;
    const here = below(pose.x, pose.z);
    if (!here) return false;
    const floor = Math.max(here.ground, here.water);
    const y = pose.walking ? floor + EYES : Math.max(pose.y, floor + Math.max(CLEAR * span, EYES));
    const moved = Math.abs(y - pose.y) > 1e-6;
    pose.y = y;
    return moved;
  }

  private go(right: number, forward: number, up: number, seconds: number, below: Below): void {
    const { pose, span } = this;
    const here = below(pose.x, pose.z);
    const above = here ? pose.y - Math.max(here.ground, here.water) : span / 20;
    const pace = pose.walking ? PACE : Math.max(SPEED * above, LEAST * span);
    const way = pace * seconds * (this.fast ? FASTER : 1);
    const [sin, cos] = [Math.sin(pose.heading * RADIANS), Math.cos(pose.heading * RADIANS)];
    pose.x += (right * cos + forward * sin) * way;
    pose.z += (right * sin - forward * cos) * way;
    if (!pose.walking) pose.y += up * way;
    this.stay();
  }
}
