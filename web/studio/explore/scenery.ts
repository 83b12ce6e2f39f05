/** All that is seen: land round the eye, sky, sun and haze; kept in step with the flight. */

import { NeutralToneMapping, PerspectiveCamera, Scene, SRGBColorSpace, WebGLRenderer } from "three";
import type { JsonObject } from "../api/client.ts";
import type { View } from "../state/store.ts";
import { say, type Word } from "../texts.ts";
import { Air } from "../view/air.ts";
import { isSoftware } from "../view/stage.ts";
import { EYES, Flight, type Pose } from "./flight.ts";
import { listen } from "./hands.ts";
import { Minimap } from "./minimap.ts";
import { coming, grows, said, walking, where } from "./panel.tsx";
import { writePlace } from "./place.ts";
import { Stream } from "./stream.ts";
import { Terrain } from "./terrain.ts";
import { fetchChunks, openWorld, type World } from "./world.ts";

const VIEW = 50; // °, from below to above
/** The picture is no finer than this, nor than half a pixel a point where the processor draws. */
const FINEST = 2;
const ROUGHEST = 0.7;
/** The address follows so long after one has come to rest [s], and the words so often. */
const WRITE_AFTER = 0.6;
const TELL_EVERY = 0.2;
/** What is drawn nearest, as a share of the height above the ground. */
const NEAR = 0.12;
/** How far one sees before one has looked [scene units]. */
const FIRST = 1000;
/** Room in a jump: a new place is looked at from so high [spans]. */
const HIGH = 0.06;

export class Scenery {
  readonly terrain: Terrain;
  readonly flight: Flight;
  readonly renderer: WebGLRenderer;
  readonly stream: Stream;
  /** The longest time [s] in which a place in the picture had no land at all, once any had come. */
  longestHole = 0;
  private lackingSince: number | null = null;
  private readonly camera = new PerspectiveCamera(VIEW, 1, 0.01, 2000);
  private readonly scene = new Scene();
  private readonly air = new Air();
  private readonly minimap: Minimap;
  private readonly canvas: HTMLCanvasElement;
  private world: World;
  private readonly fragment: string;
  private readonly still: boolean;
  private readonly isSlow = dear();
  private stirred = true;
  private last = performance.now() / 1000;
  private moved = this.last;
  private told = 0;
  private written = "";

  constructor(
    canvas: HTMLCanvasElement,
    world: World,
    recipe: JsonObject,
    fragment: string,
    pose: Pose,
    view: View,
    still: boolean,
  ) {
    [this.canvas, this.world, this.fragment, this.still] = [canvas, world, fragment, still];
    this.renderer = new WebGLRenderer({
      canvas,
      antialias: !this.isSlow,
      powerPreference: "high-performance",
    });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = NeutralToneMapping;
    this.air.place(view.azimuth, view.height, view.fog);
    this.terrain = new Terrain(world, this.air.uniforms, this.renderer, this.isSlow);
    this.scene.add(this.terrain.mesh, this.air.dome);
    this.flight = new Flight(pose, world.span, reachOf(world), still);
    const hear = (cell: number) => {
      grows.value = cell;
    };
    this.stream = new Stream(
      (chunks, take, signal) => fetchChunks(this.world, chunks, take, hear, signal),
      (land) => {
        this.terrain.take(land, this.still ? Number.NEGATIVE_INFINITY : performance.now() / 1000);
        this.stirred = true;
      },
      () => void this.mend(recipe),
    );
    const map = document.querySelector<HTMLCanvasElement>(".minimap") as HTMLCanvasElement;
    this.minimap = new Minimap(map, this.terrain, world.span, (x, z) => this.go(x, z));
    listen(canvas, {
      flight: this.flight,
      below: this.below,
      stir: () => this.stir(),
      walk: () => this.walk(!this.flight.pose.walking),
    });
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener("webglcontextlost", () => this.say("exploreDark"));
    canvas.addEventListener("webglcontextrestored", () => {
      this.terrain.pool.renew();
      this.say(null);
    });
    document.addEventListener("visibilitychange", () => {
      this.lackingSince = null;
    });
    walking.value = pose.walking;
    this.resize();
    this.renderer.setAnimationLoop(() => this.tick());
  }

  /** Ground and water under a place [m east, south]. */
  readonly below = (x: number, z: number) => this.terrain.survey.levelsAt(x, z);

  /** Whether all that is wanted is here and drawn. */
  get isResting(): boolean {
    return !this.stirred && this.stream.isIdle && this.terrain.choice.wanted.length === 0;
  }

  stir(): void {
    this.stirred = true;
  }

  walk(on: boolean): void {
    const { pose } = this.flight;
    pose.walking = on;
    walking.value = on;
    if (on) pose.pitch = Math.max(pose.pitch, -6);
    else pose.y += HIGH * this.world.span;
    this.stir();
  }

  jump(pose: Pose): void {
    Object.assign(this.flight.pose, pose);
    this.flight.stay();
    walking.value = pose.walking;
    this.stir();
  }

  /** Goes to a place on the map, as high above the ground as one was, or on foot as before. */
  private go(x: number, z: number): void {
    const { pose } = this.flight;
    const height = (ground: { ground: number; water: number } | null) =>
      ground ? Math.max(ground.ground, ground.water) : 0;
    pose.y += height(this.below(x, z)) - height(this.below(pose.x, pose.z));
    [pose.x, pose.z] = [x, z];
    this.stir();
  }

  private tick(): void {
    const now = performance.now() / 1000;
    const seconds = Math.min(now - this.last, 0.1);
    this.last = now;
    if (document.hidden || this.renderer.getContext().isContextLost()) return;
    const moves = this.flight.step(seconds, this.below);
    if (moves || this.stirred) this.moved = now;
    if (!this.isSlow && !this.still) this.terrain.clock.value += seconds;
    else if (!moves && !this.stirred) {
      this.rest(now);
      return;
    }
    this.stirred = false;
    this.draw(now);
    if (this.terrain.choice.wanted.length > 0 || moves)
      delete document.documentElement.dataset.ready;
    this.rest(now);
  }

  private draw(now: number): void {
    const { pose } = this.flight;
    const { camera, terrain } = this;
    const { unit } = terrain;
    const here = this.below(pose.x, pose.z);
    const above = here ? pose.y - Math.max(here.ground, here.water) : 0.1 * this.world.span;
    camera.position.set(0, pose.y / unit, 0);
    camera.rotation.set((pose.pitch * Math.PI) / 180, (-pose.heading * Math.PI) / 180, 0, "YXZ");
    camera.near = Math.max(NEAR * above, 0.3 * EYES) / unit;
    camera.far = 1.6 * (terrain.horizon || FIRST);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const eye = { x: pose.x, z: pose.z, up: Math.max(above, 0) };
    if (terrain.show(eye, camera, now)) this.stirred = true;
    this.stream.want(terrain.choice.wanted, now);
    if (!terrain.choice.lacking || !here) this.lackingSince = null;
    else {
      this.lackingSince ??= now;
      this.longestHole = Math.max(this.longestHole, now - this.lackingSince);
    }
    this.renderer.render(this.scene, camera);
    this.minimap.draw(pose, now);
    const told = said.peek();
    const isEmpty = terrain.choice.drawn.length === 0;
    if (!told?.bad && isEmpty !== (told !== null))
      said.value = isEmpty ? { text: say("exploreComing"), bad: false } : null;
  }

  /** Tells where one is, and writes it down once one has come to rest. */
  private rest(now: number): void {
    const { pose } = this.flight;
    if (now - this.told > TELL_EVERY) {
      this.told = now;
      where.value = { ...pose };
      coming.value = this.terrain.choice.wanted.length;
      this.stream.want(this.terrain.choice.wanted, now);
    }
    if (this.isResting) document.documentElement.dataset.ready = "";
    if (now - this.moved < WRITE_AFTER) return;
    const fragment = `#${writePlace(this.fragment, pose)}`;
    if (fragment === this.written) return;
    this.written = fragment;
    history.replaceState(null, "", fragment);
  }

  /** The server has forgotten the world, or is gone: opens it again, or says why not and goes on. */
  private async mend(recipe: JsonObject): Promise<void> {
    try {
      this.world = await openWorld(recipe);
      this.say(null);
    } catch (worse) {
      // A browser calls it a TypeError when nobody answers at all.
      if (worse instanceof TypeError) this.say("exploreLost");
      else said.value = { text: (worse as Error).message, bad: true };
    }
  }

  /** Says what is wrong, or that nothing is any more. */
  private say(word: Word | null): void {
    said.value = word && { text: say(word), bad: true };
    this.stir();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = this.isSlow ? ROUGHEST : Math.min(devicePixelRatio, FINEST);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.stir();
  }
}

/** How far from the origin one may go [m]: from there one still sees only what the server has. */
const reachOf = ({ farthest, chunk, cell_size }: World): number =>
  (1 - 2 ** -8) * farthest * chunk * cell_size;

/** Whether frames are dear here; the address may say otherwise. */
function dear(): boolean {
  const said = new URLSearchParams(location.search).get("fine");
  return said === null ? isSoftware() : said === "0";
}
