/**
 * Keeps the land on the page in step with the recipe: asks the engine when the draft changes,
 * takes what comes, and forgets what an older question brings.
 */

import { batch, effect, signal } from "@preact/signals-core";
import type { Block } from "./api/block.ts";
import { type JsonObject, layer } from "./api/client.ts";
import type { Grown, Listener, Said } from "./api/live.ts";
import {
  before,
  doing,
  dragging,
  drawnHere,
  droplet,
  finalSize,
  IDLE,
  type Land,
  land,
  online,
  trouble,
  wanted,
  warm,
} from "./state/store.ts";

export { dragging, finalSize };

/** What a land is drawn of; whatever else is looked at is fetched when it is. */
const LAYERS = ["elevation", "water_surface", "tint"] as const;

/** Cells along the longer edge: while a slider moves, and first after it is let go. */
const MOVING = 128;
const FIRST = 256;
const BUT_WORDS = ["title", "description"];

/** A step of the engine's recipe ("steps.2"), or all of them, played at so many fields a second. */
export interface Watched {
  readonly path: string | null;
  readonly speed: number;
}
/** What is played, from its start until something else is asked for. */
export const watched = signal<Watched | null>(null);

/** What the engine talks on: the live line, or a stand-in. */
export interface Line {
  say(message: Readonly<Record<string, unknown>>): boolean;
}

/** Fetches a layer of a land by its digest. */
export type Fetch = (digest: string, name: string) => Promise<Block>;

export class Engine implements Listener {
  private readonly line: Line;
  private readonly fetch: Fetch;
  private ask = 0;
  /** Cells along the longer edge of the land that was shown last, of those that were asked for. */
  private arrived = 0;
  /** What was asked last, so that a new title or the same land twice costs nothing. */
  private asked = "";
  /** A small land is on its way, and the slider has moved on since. */
  private underway = false;
  private late = false;
  /** The finished land, which the next one is compared with. */
  private settled: Land = { grown: null, layers: {} };

  constructor(connect: (listener: Listener) => Line, fetch: Fetch = layer) {
    this.fetch = fetch;
    this.line = connect(this);
    effect(() => {
      const recipe = wanted.value;
      const moving = dragging.value;
      const size = finalSize.value;
      if (recipe && online.value) this.follow(recipe, moving, size);
    });
  }

  /** Asks for what the recipe has become, if that is another land. */
  private follow(recipe: JsonObject, moving: boolean, size: number): void {
    const sizes = moving ? [Math.min(MOVING, size)] : sizesUpTo(size);
    const question = JSON.stringify([moving, sizes, recipe], (key, value) =>
      BUT_WORDS.includes(key) ? undefined : value,
    );
    if (question === this.asked) return;
    const playing = watched.peek();
    if (moving && drawnHere.peek()) return; // the page draws what moves
    if (playing && moving) return; // begins anew when the slider is let go
    if (moving && this.underway) {
      this.late = true;
      return;
    }
    this.asked = question;
    if (playing) this.watch(playing.path, playing.speed);
    else this.grow(sizes);
  }

  /** Asks for the land of the recipe as it is now; older questions are cancelled. */
  private grow(sizes: readonly number[]): void {
    watched.value = null;
    this.begin("grow");
    this.underway = dragging.peek();
    this.line.say({ do: "grow", ask: this.ask, recipe: wanted.peek(), sizes, layers: [] });
  }

  /** Plays a step (or all of them, without a path) as the batch runs it. */
  watch(path: string | null, speed: number): void {
    watched.value = { path, speed };
    this.begin("watch");
    const size = finalSize.peek();
    this.line.say({ do: "watch", ask: this.ask, recipe: wanted.peek(), size, path, speed });
  }

  play(): void {
    doing.value = { ...doing.peek(), paused: false };
    this.line.say({ do: "play" });
  }

  pause(): void {
    doing.value = { ...doing.peek(), paused: true };
    this.line.say({ do: "pause" });
  }

  /** One field further, then paused. */
  next(): void {
    doing.value = { ...doing.peek(), paused: true };
    this.line.say({ do: "next" });
  }

  speed(fields: number): void {
    const playing = watched.peek();
    if (playing) watched.value = { ...playing, speed: fields };
    this.line.say({ do: "speed", value: fields });
  }

  /** Ends what is watched and grows the land as usual. */
  end(): void {
    this.grow(sizesUpTo(finalSize.peek()));
  }

  /** Stops whatever grows; the page keeps the land that it has. */
  stop(): void {
    this.begin("");
    this.line.say({ do: "stop" });
  }

  /** Lets one droplet fall at a place [m east and north of the middle] of the grown land. */
  drop(x: number, y: number): void {
    const { grown } = land.peek();
    if (!grown || doing.peek().what !== "") return;
    const recipe = wanted.peek();
    this.line.say({ do: "drop", ask: this.ask, recipe, size: grown.size, x, y });
  }

  // --- what the line says ---

  open(isOpen: boolean): void {
    if (!isOpen) this.asked = "";
    batch(() => {
      online.value = isOpen;
      if (isOpen) return;
      doing.value = IDLE;
      watched.value = null;
    });
  }

  said(message: Said): void {
    if (message.say === "engine") warm.value = message.warm;
    if (message.ask !== this.ask) return;
    if (message.say === "progress") {
      doing.value = { ...doing.peek(), ...message };
    } else if (message.say === "grown") {
      void this.gather(message);
    } else if (message.say === "path") {
      droplet.value = message.points;
    } else if (message.say === "error") {
      this.fail(message.text);
    }
  }

  /** A field on its way. */
  block(block: Block): void {
    if (block.ask !== this.ask || block.part !== "live") return; // the finished land is fetched
    const now = { grown: null, layers: { elevation: block } };
    batch(() => {
      if (block.number === 1) before.value = now;
      land.value = now;
      doing.value = { ...doing.peek(), path: block.path ?? "", share: block.share ?? 0 };
    });
  }

  /** Fetches what a land is drawn of, and shows it once all of it is here. */
  private async gather(grown: Grown): Promise<void> {
    if (doing.peek().what === "watch") {
      this.grow([grown.size]); // the same land, kept by the server, with all its layers
      return;
    }
    const made: readonly string[] = [...grown.layers, "tint"];
    const names = LAYERS.filter((name) => made.includes(name));
    try {
      const blocks = await Promise.all(names.map((name) => this.fetch(grown.digest, name)));
      const layers = Object.fromEntries(blocks.map((block) => [block.layer, block]));
      if (grown.ask === this.ask && grown.size > this.arrived) this.arrive({ grown, layers });
    } catch (error) {
      if (grown.ask === this.ask) this.fail((error as Error).message);
    }
  }

  private begin(what: "" | "grow" | "watch"): void {
    this.ask += 1;
    this.arrived = 0;
    this.underway = false;
    this.late = false;
    batch(() => {
      trouble.value = "";
      droplet.value = [];
      doing.value = { ...IDLE, what, ask: this.ask };
    });
  }

  private fail(why: string): void {
    batch(() => {
      trouble.value = why;
      doing.value = IDLE;
    });
    this.catchUp();
  }

  /** Shows a land whole: what has changed comes at once, so that nothing flickers. */
  private arrive(next: Land & { readonly grown: Grown }): void {
    const { grown } = next;
    this.arrived = grown.size;
    const finished = !dragging.peek() && grown.size >= finalSize.peek();
    batch(() => {
      land.value = next;
      if (finished && this.settled.grown && this.settled.grown.digest !== grown.digest)
        before.value = this.settled;
      if (finished || dragging.peek()) doing.value = IDLE;
    });
    if (finished) this.settled = next;
    this.catchUp();
  }

  /** Asks for the newest small land, if the slider moved while the last one grew. */
  private catchUp(): void {
    this.underway = false;
    const recipe = wanted.peek();
    if (!this.late || !recipe) return;
    this.late = false;
    this.follow(recipe, dragging.peek(), finalSize.peek());
  }
}

const sizesUpTo = (size: number) => (size > FIRST ? [FIRST, size] : [size]);
