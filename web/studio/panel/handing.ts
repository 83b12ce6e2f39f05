/** Files in and out of the page, links and pictures: what several buttons and keys do. */

import { type JsonObject, upload } from "../api/client.ts";
import { begin, change } from "../state/history.ts";
import { clicked, draft, type Land, land, picture, trouble, view, wanted } from "../state/store.ts";
import { toFragment } from "../state/url.ts";
import { say } from "../texts.ts";
import { announced } from "./rooms.ts";

/** Begins with a recipe; what was there before can be undone. */
export function openRecipe(recipe: JsonObject): void {
  const next = { recipe, off: [] };
  if (draft.peek()) change(next, "");
  else begin(next);
}

/** Tells what went wrong with something that a person asked for. */
export async function trying(what: () => Promise<void>): Promise<void> {
  try {
    await what();
  } catch (error) {
    trouble.value = (error as Error).message;
  }
}

export function openFile(file: File | undefined): Promise<void> {
  return trying(async () => {
    if (!file) return;
    announced.value = say("opening", { file: file.name });
    openRecipe((await upload(file)).recipe);
    announced.value = say("openedFile", { file: file.name });
  });
}

export function saveRecipe(): void {
  const recipe = wanted.peek();
  if (!recipe) return;
  const text = `${JSON.stringify(recipe, null, 2)}\n`;
  saveBlob(new Blob([text], { type: "application/json" }), `${fileName()}.json`);
}

export function takePicture(): Promise<void> {
  return trying(async () => {
    const take = picture.peek();
    if (take) saveBlob(await take(), `${fileName()}.png`);
  });
}

/** Goes to the page on which the recipe is a world without an edge. */
export function explore(): Promise<void> {
  return trying(async () => {
    const now = draft.peek();
    if (!now) return;
    location.href = `./explore.html#${await toFragment({ draft: now, view: view.peek() })}`;
  });
}

/** Puts the link of this landscape into the clipboard. */
export function copyLink(): Promise<void> {
  return trying(async () => {
    await navigator.clipboard.writeText(location.href);
    announced.value = say("copied");
  });
}

/** Opens the land to walk in: where it was clicked last, or where it is good to begin. */
export function walk(): void {
  const address = walkAddress(land.peek(), clicked.peek());
  if (address) window.open(address, "_blank", "noopener");
}

/** Where the page to walk in finds a land; null while there is none. */
export function walkAddress(
  { grown }: Pick<Land, "grown">,
  place: { readonly x: number; readonly y: number } | null,
): string | null {
  if (!grown) return null;
  const [north = 0, east = 0] = grown.shape.map((cells) => (cells * grown.cell_size) / 2);
  const here = place && Math.abs(place.x) < east && Math.abs(place.y) < north;
  const at = here ? `${place.x.toFixed(1)},${place.y.toFixed(1)}` : "start";
  return `walk/?land=/api/walk/${grown.digest}/${at}/walk.json`;
}

/** What files of this land are called. */
export function fileName(): string {
  const title = String(draft.peek()?.recipe.title ?? "");
  return (
    title
      .replace(/[^\p{L}\p{N}_-]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "land"
  );
}

export function save(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  save(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Another seed, by chance. */
export const anySeed = (): string => String(Math.floor(Math.random() * 1_000_000));
