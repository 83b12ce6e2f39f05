/**
 * Keeps the land on the page in step with the recipe: asks the engine when the draft changes,
 * takes what comes, and forgets what an older question brings.
 */

import { batch, effect, signal } from "@preact/signals-core";
import type { Block } from "./api/block.ts";
import { type Listener, Live, type Said } from "./api/live.ts";
import {
  before,
  doing,
  draft,
  droplet,
  IDLE,
  type Land,
  land,
  online,
  trouble,
  wanted,
} from "./state/store.ts";

/** The layers that the views draw; whichever the recipe makes are sent. */
export const LAYERS = [
  "elevation", "water_depth", "water_surface", "lake", "channel", "discharge", "drainage_area", "tint",
  "stream_order", "rock", "biome", "moisture", "colour", "normals", "splat", "occlusion",
] as const; // biome-ignore format: a list

/** Cells along the longer edge: while a slider moves, and first after it is let go. */
const MOVING = 128;
const FIRST = 256;

/** True while a person drags a slider: small lands then, and no step of history is closed. */
export const dragging = signal(false);
/** Cells along the longer edge of the finished land. */
export const finalSize = signal(512);

export class Engine implements Listener {
  private readonly live: Live;
  private ask = 0;
  private pending: Record<string, Block> = {};

  constructor(address: string) {
    this.live = new Live(address, this);
    effect(() => {
      const recipe = wanted.value;
      const moving = dragging.value;
      const size = finalSize.value;
      if (recipe && online.value) this.grow(moving ? [MOVING] : sizesUpTo(size));
    });
  }

  /** Asks for the land of the recipe as it is now; older questions are cancelled. */
  private grow(sizes: readonly number[]): void {
    this.begin("grow");
    this.live.say({ do: "grow", ask: this.ask, recipe: wanted.peek(), sizes, layers: LAYERS });
  }

  /** Plays a step (or all of them, without a path) as the batch runs it. */
  watch(path: string | null, speed: number): void {
    this.begin("watch");
    const size = finalSize.peek();
    this.live.say({ do: "watch", ask: this.ask, recipe: wanted.peek(), size, path, speed });
  }

  play(): void {
    doing.value = { ...doing.peek(), paused: false };
    this.live.say({ do: "play" });
  }

  pause(): void {
    doing.value = { ...doing.peek(), paused: true };
    this.live.say({ do: "pause" });
  }

  /** One field further, then paused. */
  next(): void {
    doing.value = { ...doing.peek(), paused: true };
    this.live.say({ do: "next" });
  }

  speed(fields: number): void {
    this.live.say({ do: "speed", value: fields });
  }

  /** Ends what is watched and grows the land as usual. */
  end(): void {
    this.grow(sizesUpTo(finalSize.peek()));
  }

  /** Lets one droplet fall at a place [m east and north of the middle] of the grown land. */
  drop(x: number, y: number): void {
    const { grown } = land.peek();
    if (!grown) return;
    this.live.say({ do: "drop", ask: this.ask, recipe: wanted.peek(), size: grown.size, x, y });
  }

  // --- what the line says ---

  open(isOpen: boolean): void {
    batch(() => {
      online.value = isOpen;
      if (!isOpen) doing.value = IDLE;
    });
  }

  said(message: Said): void {
    if (message.ask !== this.ask) return;
    if (message.say === "progress") {
      doing.value = { ...doing.peek(), ...message };
    } else if (message.say === "grown") {
      this.arrive({ grown: message, layers: this.pending });
    } else if (message.say === "path") {
      droplet.value = message.points;
    } else if (message.say === "error") {
      batch(() => {
        trouble.value = message.text;
        doing.value = IDLE;
      });
    }
  }

  block(block: Block): void {
    if (block.ask !== this.ask) return;
    if (block.part === "live") {
      const layers = { elevation: block };
      batch(() => {
        land.value = { grown: null, layers };
        doing.value = { ...doing.peek(), path: block.path ?? "", share: block.share ?? 0 };
      });
      return;
    }
    if (this.pending.elevation && this.pending.elevation.digest !== block.digest) this.pending = {};
    this.pending = { ...this.pending, [block.layer]: block };
    if (block.layer === "elevation") land.value = { ...land.peek(), layers: this.pending };
  }

  private begin(what: "grow" | "watch"): void {
    this.ask += 1;
    this.pending = {};
    batch(() => {
      const shown = land.peek();
      if (shown.grown && !dragging.peek()) before.value = shown;
      trouble.value = "";
      droplet.value = [];
      doing.value = { ...IDLE, what, ask: this.ask };
    });
  }

  private arrive(next: Land): void {
    batch(() => {
      land.value = next;
      const done = !next.grown || dragging.peek() || next.grown.size >= finalSize.peek();
      if (done) doing.value = IDLE;
    });
  }
}

function sizesUpTo(size: number): number[] {
  return size > FIRST ? [FIRST, size] : [size];
}

/** Whether there is anything to grow. */
export const isEmpty = (): boolean => draft.peek() === null;
