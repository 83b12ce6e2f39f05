import { describe, expect, it } from "vitest";
import { EYES, Flight, type Pose } from "./flight.ts";
import { chunkGeometry } from "./instances.ts";
import { readPlace, writePlace } from "./place.ts";
import { Sight } from "./sight.ts";
import { type Fetch, Stream } from "./stream.ts";
import { type Chunk, choose, distanceTo, type Forest, nameOf, tops } from "./tree.ts";

const FOREST: Forest = { edge: 100, top: 5, far: 3000, detail: 2 };
const EYES_AT = [
  { x: 0, z: 0, up: 20 },
  { x: -1e7 + 3, z: 12345, up: 5 },
  { x: 777, z: -1e6, up: 900 },
];
const all = () => true;

/** The chunks that hold a place. */
const over = (drawn: readonly Chunk[], x: number, z: number) =>
  drawn.filter((chunk) => distanceTo(chunk, { x, z, up: 0 }, FOREST.edge) === 0);

describe("the tree", () => {
  it.each(EYES_AT)("covers every place near the eye once, whatever is here", (eye) => {
    const arrived = (chunk: Chunk) =>
      chunk.level === FOREST.top || (chunk.row * 7 + chunk.col * 3 + chunk.level) % 5 !== 0;
    for (const isHere of [all, arrived]) {
      const { drawn, lacking } = choose(FOREST, eye, isHere, all);
      expect(lacking).toBe(false);
      for (let k = 0; k < 60; k++) {
        const [x, z] = [eye.x + 0.7 + 37.3 * k * Math.cos(k), eye.z + 0.3 + 37.3 * k * Math.sin(k)];
        expect(over(drawn, x, z)).toHaveLength(1);
      }
    }
  });

  it("is finest under the eye and coarser with the distance", () => {
    const { drawn } = choose(FOREST, { x: 50, z: 50, up: 1 }, all, all);
    const levels = [0, 300, 900, 2500].map((x) => over(drawn, 50 + x, 50)[0]?.level ?? -1);
    expect(levels[0]).toBe(0);
    expect(levels).toEqual([...levels].sort((a, b) => a - b));
    expect(levels.at(-1)).toBeGreaterThan(1);
  });

  it("wants what is in the picture and bare before anything else, then what looks largest", () => {
    const eye = { x: 10, z: 10, up: 1 };
    const east = ({ level, col }: Chunk) => (col + 1) * 2 ** level > 0;
    const nothing = choose(FOREST, eye, () => false, east);
    expect(nothing.lacking).toBe(true);
    expect(new Set(nothing.wanted.map(({ level }) => level))).toEqual(new Set([FOREST.top]));
    const seen = nothing.wanted.map(east);
    expect(seen).toEqual([...seen].sort((a, b) => Number(b) - Number(a)));
    const top = ({ level }: Chunk) => level === FOREST.top;
    const [first] = choose(FOREST, eye, top, all).wanted;
    expect(first).toEqual({ level: FOREST.top - 1, row: 0, col: 0 });
  });

  it("needs nothing beside the way down to the eye to be fine there", () => {
    const eye = { x: 10, z: 10, up: 1 };
    const down = ({ level, row, col }: Chunk) => level === FOREST.top || (row === 0 && col === 0);
    expect(over(choose(FOREST, eye, down, all).drawn, 10, 10)).toEqual([
      { level: 0, row: 0, col: 0 },
    ]);
  });

  it("keeps what is on top ready before it is seen", () => {
    const ahead = tops(FOREST, { x: 0, z: 0, up: 0 }).map(nameOf);
    const flown = tops({ ...FOREST, far: FOREST.far }, { x: 300, z: 0, up: 0 });
    const seen = flown.filter((c) => distanceTo(c, { x: 300, z: 0, up: 0 }, 100) < FOREST.far);
    for (const chunk of seen) expect(ahead).toContain(nameOf(chunk));
  });
});

describe("the sight", () => {
  const at = (up: number) => ({ x: 0, z: 0, up });
  it("widens with the height, but only where all is here", () => {
    const sight = new Sight(100, 1000, 16);
    sight.look(at(20), all, true, 0);
    expect(sight.far).toBe(6000);
    for (let now = 1; now < 9; now++) sight.look(at(2000), all, false, now);
    expect(sight.far).toBe(6000);
    for (let now = 9; now < 40; now++) sight.look(at(2000), all, true, now);
    expect(sight.far).toBe(26000);
    expect(sight.top).toBeGreaterThan(5);
  });

  it("comes down only onto land that is here", () => {
    const sight = new Sight(100, 1000, 16);
    sight.look(at(2000), all, true, 0);
    const high = sight.top;
    for (let now = 1; now < 40; now++) sight.look(at(20), ({ level }) => level === high, true, now);
    expect(sight.far).toBe(6000);
    expect(sight.top).toBe(high);
    for (let now = 40; now < 50; now++) sight.look(at(20), all, true, now);
    expect(sight.top).toBe(5);
  });
});

describe("a chunk's mesh", () => {
  it("has a vertex in the middle of every cell, and a skirt all round", () => {
    const geometry = chunkGeometry(8, 1);
    const position = geometry.getAttribute("position");
    const across = new Set<number>();
    let hanging = 0;
    for (let k = 0; k < position.count; k++) {
      across.add(position.getX(k));
      hanging += position.getZ(k);
    }
    expect([...across].sort((a, b) => a - b)).toEqual([
      0,
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => (k + 0.5) / 8),
      1,
    ]);
    expect(hanging).toBe(4 * 9 + 1);
    expect(geometry.index?.count).toBe(3 * (2 * 81 + 2 * 36));
  });
});

describe("a link to a place", () => {
  it("comes back as it was", () => {
    const pose: Pose = {
      x: -9999999.25,
      z: 12.5,
      y: 1834.75,
      heading: 359.5,
      pitch: -12.3,
      walking: true,
    };
    expect(readPlace(`#${writePlace("abc_-1", pose)}`)).toEqual({ recipe: "abc_-1", pose });
  });

  it.each(["#abc", "#abc@", "#abc@1,2,3", "#abc@1,2,3,4,NaN", `#abc@${"9".repeat(16)},0,0,0,0`])(
    "%s names none, and keeps its recipe",
    (fragment) => expect(readPlace(fragment)).toEqual({ recipe: "abc", pose: null }),
  );
});

describe("flight", () => {
  const ground = () => ({ ground: 100, water: 50 });
  const pose = (more: Partial<Pose> = {}): Pose => ({
    x: 0,
    z: 0,
    y: 300,
    heading: 0,
    pitch: 0,
    walking: false,
    ...more,
  });

  it("goes where one looks, and never into the ground", () => {
    const flight = new Flight(pose({ heading: 90 }), 1000, 1e9, true);
    flight.press("KeyW", false);
    flight.step(0.1, ground);
    expect(flight.pose.x).toBeGreaterThan(1);
    expect(Math.abs(flight.pose.z)).toBeLessThan(1e-9);
    flight.press("KeyQ", true);
    for (let k = 0; k < 500; k++) flight.step(0.1, ground);
    expect(flight.pose.y).toBeGreaterThan(100);
    expect(flight.pose.y).toBeLessThan(110);
  });

  it("walks with the feet on the ground, or swims", () => {
    const flight = new Flight(pose({ walking: true }), 1000, 1e9, true);
    flight.settle(ground);
    expect(flight.pose.y).toBe(100 + EYES);
    flight.settle(() => ({ ground: 10, water: 40 }));
    expect(flight.pose.y).toBe(40 + EYES);
  });
});

describe("the ends of a flight", () => {
  const ground = () => ({ ground: 0, water: 0 });
  const pose = { x: 0, z: 0, y: 300, heading: 0, pitch: -45, walking: false };
  it("are where there is land, however far a link or a wheel would go", () => {
    const far = new Flight({ ...pose, x: 1e14, z: -1e14, y: 1e12 }, 1000, 5e6, true);
    expect(far.pose).toMatchObject({ x: 5e6, z: -5e6, y: 5000 });
    const flight = new Flight({ ...pose }, 1000, 5e6, true);
    for (let k = 0; k < 100; k++) flight.nudge(-0.25, 0, ground);
    expect(flight.pose.y).toBe(5000);
    for (let k = 0; k < 100; k++) {
      flight.nudge(0.25, 0, ground);
      flight.settle(ground);
    }
    expect(flight.pose.y).toBeGreaterThan(0);
    expect(flight.pose.y).toBeLessThan(10);
  });
});

describe("the stream", () => {
  const chunk = (col: number): Chunk => ({ level: 0, row: 0, col });
  it("asks for few batches at once, none twice, and drops what is not wanted any more", async () => {
    const asked: { names: string[]; signal: AbortSignal }[] = [];
    const fetch: Fetch = (chunks, _, signal) => {
      asked.push({ names: chunks.map(nameOf), signal });
      return new Promise((_done, fail) =>
        signal.addEventListener("abort", () => fail(new Error("gone"))),
      );
    };
    const failed: Error[] = [];
    const stream = new Stream(
      fetch,
      () => {},
      (error) => failed.push(error),
    );
    const first = Array.from({ length: 50 }, (_, k) => chunk(k));
    stream.want(first, 0);
    stream.want(first, 0);
    expect(asked).toHaveLength(2);
    expect(new Set(asked.flatMap(({ names }) => names)).size).toBe(
      asked.flatMap(({ names }) => names).length,
    );
    stream.want([chunk(1000)], 0);
    expect(asked.slice(0, 2).every(({ signal }) => signal.aborted)).toBe(true);
    expect(asked.at(-1)?.names).toEqual([nameOf(chunk(1000))]);
    await Promise.resolve();
    expect(failed).toEqual([]);
  });
});
