/** Where she may be taken: what is worth seeing in the window, and on the rest of the land. */

import type { Viewpoint, Walk } from "../land.ts";
import { ENGLISH as words } from "../texts.ts";
import { holds } from "./onward.ts";

export interface Offer {
  readonly name: string;
  readonly viewpoint: Viewpoint;
  /** Whether it lies in the window of now. */
  readonly here: boolean;
}

/** The window's own places, then those beyond it by what they are, how far and where from her. */
export function placesOf(walk: Walk, from: { readonly x: number; readonly z: number }): Offer[] {
  const { about } = walk;
  const here = about.viewpoints.map((viewpoint) => ({
    name: viewpoint.name,
    viewpoint,
    here: true,
  }));
  if (!about.onward) return here;
  const beyond = (about.sights ?? []).filter((place) => !holds(walk, place));
  const told = beyond.map((viewpoint) => {
    const [east, south] = [viewpoint.x - from.x, viewpoint.z - from.z];
    const name = words.far(viewpoint.name, Math.hypot(east, south), wayOf(east, south));
    return { name, viewpoint, here: false };
  });
  return [...here, ...told];
}

function wayOf(east: number, south: number): string {
  const eighth = Math.round(Math.atan2(east, -south) / (Math.PI / 4));
  return words.ways[(eighth + 8) % 8] as string;
}
