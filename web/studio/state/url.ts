/**
 * A link is a landscape: the draft and how it is looked at, after the #.
 *
 * Deflated JSON in base64url. Of the recipe only what differs from the defaults, of the view
 * only what differs from the first one.
 */

import type { Json, JsonObject } from "../api/client.ts";
import { isObject, stepsOf } from "./draft.ts";
import { type Draft, FIRST_VIEW, type View } from "./store.ts";

export interface Linked {
  readonly draft: Draft;
  readonly view: View;
}

/** Characters of a link beyond which it is no landscape. */
const LONGEST = 60_000;
/** Bytes of JSON that a link may unfold to. */
const MOST_BYTES = 1 << 20;

export async function toFragment({ draft, view }: Linked): Promise<string> {
  const differing = Object.fromEntries(
    Object.entries(view).filter(([key, value]) => FIRST_VIEW[key as keyof View] !== value),
  );
  const content = {
    r: draft.recipe,
    ...(draft.off.length > 0 ? { off: draft.off } : {}),
    ...(Object.keys(differing).length > 0 ? { v: differing } : {}),
  };
  const deflated = await through(
    new TextEncoder().encode(JSON.stringify(content)),
    new CompressionStream("deflate-raw"),
    Number.POSITIVE_INFINITY,
  );
  return base64url(deflated);
}

/** Reads a link; null if it is none. Whether its recipe is one, the engine says. */
export async function fromFragment(fragment: string): Promise<Linked | null> {
  const text = fragment.replace(/^#/, "");
  if (!text || text.length > LONGEST) return null;
  try {
    const bytes = await through(
      unbase64url(text),
      new DecompressionStream("deflate-raw"),
      MOST_BYTES,
    );
    const content = JSON.parse(new TextDecoder().decode(bytes)) as {
      r?: Json;
      off?: unknown;
      v?: Partial<View>;
    };
    if (!isRecipe(content.r)) return null;
    const count = stepsOf(content.r).length;
    const off = (Array.isArray(content.off) ? content.off : []).filter(
      (each): each is number => Number.isInteger(each) && each >= 0 && each < count,
    );
    return { draft: { recipe: content.r, off }, view: viewFrom(content.v) };
  } catch {
    return null;
  }
}

/** Whether a link holds what the panel can draw; whether it is a good recipe, the engine says. */
function isRecipe(value: Json | undefined): value is JsonObject {
  if (!isObject(value) || !areSteps(value.steps)) return false;
  const { grid = {} } = value;
  return isObject(grid) && Object.values(grid).every((each) => typeof each === "number");
}

const areSteps = (value: Json | undefined): boolean =>
  Array.isArray(value) &&
  value.every(
    (step) =>
      isObject(step) &&
      typeof step.op === "string" &&
      (step.steps === undefined || areSteps(step.steps)),
  );

/** The first view with what a link says, where it is of the right type. */
function viewFrom(given: Partial<View> | undefined): View {
  const known = Object.entries(given ?? {}).filter(
    ([key, value]) => key in FIRST_VIEW && typeof value === typeof FIRST_VIEW[key as keyof View],
  );
  return { ...FIRST_VIEW, ...(Object.fromEntries(known) as Partial<View>) };
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  change: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(change).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new RangeError("the link unfolds to too much");
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function unbase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
