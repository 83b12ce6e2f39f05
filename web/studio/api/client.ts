/** Requests to the studio's server; whatever it refuses is an Error with its one sentence. */

import type { Block } from "./block.ts";
import { readBlock, readBlocks } from "./block.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface Preset {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly recipe: JsonObject;
  readonly picture: string;
}

export interface LayerWords {
  readonly unit: string;
  readonly meaning: string;
  readonly colours: string;
  /** What each of its numbers is called, and its colour, where they have names. */
  readonly legend?: readonly { readonly name: string; readonly colour: string }[];
}

export interface TargetWords {
  readonly name: string;
  readonly program: string;
  readonly sizes: string;
  readonly tiles: number;
  /** Whether it lies at a place on the Earth. */
  readonly placed: boolean;
  readonly layers: readonly string[];
  readonly options: Options;
}

/** What may be chosen of an export. */
export interface OptionWords {
  readonly kind: "switch" | "count" | "number" | "text";
  /** null: whoever writes it decides. */
  readonly default: boolean | number | string | null;
  readonly meaning: string;
  readonly choices: readonly (string | number)[];
  readonly least: number | null;
  readonly most: number | null;
  readonly unit?: string;
}
export type Options = Readonly<Record<string, OptionWords>>;

export interface FormatWords {
  readonly suffix: string;
  /** What one file of it holds one of; "" where it holds the land. */
  readonly holds: "" | "layers" | "tables";
  readonly options: Options;
}

export interface Schema {
  readonly recipe: JsonObject;
  readonly layers: Readonly<Record<string, LayerWords>>;
  readonly targets: readonly TargetWords[];
  readonly formats: readonly FormatWords[];
}

export interface About {
  readonly version: string;
  readonly threads: number;
  readonly memory: number;
  readonly largest: number;
}

export interface Table {
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
  readonly units: Readonly<Record<string, string>>;
  readonly offsets: readonly number[] | null;
  readonly points: Readonly<Record<string, readonly (number | null)[]>>;
}

export interface Job {
  readonly job: string;
  readonly kind: string;
  readonly state: "waiting" | "running" | "done" | "failed" | "stopped";
  readonly share: number;
  /** What it does just now. */
  readonly op?: string;
  readonly left?: number | null;
  readonly error?: string;
  readonly result?: JsonObject;
}

const POLL = 150;

async function ask(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(path, { credentials: "same-origin", ...init });
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => ({}))) as { error?: string; detail?: string };
  throw new Error(said.error ?? said.detail ?? `the server answered ${answer.status}`);
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await ask(path, init)).json()) as T;
}

export const about = () => json<About>("api/about");
export const schema = () => json<Schema>("api/schema");
export const presets = () => json<Preset[]>("api/presets");
export const opened = () => json<{ recipe: JsonObject | null }>("api/opened");
/** The layers of a finished land that ships, to show at once. */
export const first = async () => readBlocks(await (await ask("api/first")).arrayBuffer());
export const features = (digest: string, name: string) =>
  json<Table>(`api/lands/${digest}/features/${name}`);

/**
 * A layer of a land that the server still keeps: every `step`th cell, or as many as can be shown.
 * It comes by itself, for a line that carries words takes three times as long to bring it.
 */
export async function layer(digest: string, name: string, step?: number): Promise<Block> {
  const answer = await ask(`api/lands/${digest}/layers/${name}${step ? `?step=${step}` : ""}`);
  return readBlock(await answer.arrayBuffer());
}

/** Takes a file in and returns the recipe that it is or that reads it. */
export function upload(file: File): Promise<{ id: string; recipe: JsonObject }> {
  const path = `api/uploads?name=${encodeURIComponent(file.name)}`;
  return json(path, { method: "POST", body: file });
}

/** Queues work and waits for its end, telling how far it is; `signal` stops it. */
export async function work(
  asked: JsonObject,
  tell: (job: Job) => void,
  signal?: AbortSignal,
  at = "api/jobs",
): Promise<JsonObject> {
  const headers = { "content-type": "application/json" };
  let job = await json<Job>(at, { method: "POST", headers, body: JSON.stringify(asked) });
  const stop = () => void ask(`api/jobs/${job.job}`, { method: "DELETE" }).catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  while (job.state === "waiting" || job.state === "running") {
    tell(job);
    await new Promise((done) => setTimeout(done, POLL));
    job = await json<Job>(`api/jobs/${job.job}`);
  }
  signal?.removeEventListener("abort", stop);
  if (job.state !== "done") throw new Error(job.error ?? "it was stopped");
  return job.result ?? {};
}

/** What an export for a program would hold: samples, edges [m], and whether that is the whole land. */
export interface Planned {
  readonly ny: number;
  readonly nx: number;
  readonly wide: number;
  readonly deep: number;
  readonly whole: boolean;
}
export const planned = (asked: JsonObject) =>
  json<Planned>("api/planned", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked),
  });

/** Where the files of a finished export can be fetched. */
export const exportAddress = (id: string) => `api/exports/${id}`;

/** Asks how a recipe's noise is made; see api/waves.ts. */
export const waves = <T>(recipe: JsonObject, size: number) =>
  json<T>("api/waves", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ recipe, size }),
  });
