/** The live line to the engine: lands grow on it, rain is watched, droplets fall. */

import type { Block } from "./block.ts";
import { readBlock } from "./block.ts";

export interface Report {
  readonly op: string;
  readonly seconds: number;
  readonly eroded: number;
  readonly deposited: number;
  readonly carried_out: number;
  readonly uplifted: number;
  readonly clamped: number;
}

export interface Grown {
  readonly say: "grown";
  readonly ask: number;
  readonly size: number;
  readonly shape: readonly [number, number];
  readonly cell_size: number;
  readonly digest: string;
  readonly checksum: string;
  readonly layers: readonly string[];
  readonly features: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly reports: readonly Report[];
}

export type Said =
  | Grown
  | {
      readonly say: "progress";
      readonly ask: number;
      readonly share: number;
      readonly op: string;
      readonly path: string;
      readonly left: number | null;
    }
  /** Whether its kernels are compiled: the first time ever, that takes a while. */
  | { readonly say: "engine"; readonly ask: number; readonly warm: boolean }
  | { readonly say: "error"; readonly ask: number; readonly text: string }
  | { readonly say: "stopped"; readonly ask: number }
  | {
      readonly say: "path";
      readonly ask: number;
      /** x, y [m], elevation [m], water, speed, sediment [m]. */
      readonly points: readonly (readonly number[])[];
    };

export interface Listener {
  said(message: Said): void;
  block(block: Block): void;
  /** The line is there (again), or lost. */
  open(isOpen: boolean): void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

export class Live {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private closed = false;

  private readonly address: string;
  private readonly listener: Listener;

  constructor(address: string, listener: Listener) {
    this.address = address;
    this.listener = listener;
    this.connect();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Says something; false if the line is not there: the listener hears when it is. */
  say(message: Readonly<Record<string, unknown>>): boolean {
    if (!this.isOpen) return false;
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.listener.open(true);
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") {
        this.listener.said(JSON.parse(data) as Said);
      } else {
        this.listener.block(readBlock(data));
        this.say({ do: "ready" });
      }
    };
    socket.onclose = () => {
      this.listener.open(false);
      if (this.closed) return;
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }
}

/** The line's address on the server that the page came from. */
export function liveAddress(page: Location): string {
  const url = new URL("api/live", page.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  url.search = "";
  return url.href;
}
