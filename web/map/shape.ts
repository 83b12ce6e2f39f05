// How the land stands on the table: its sea, its plinth, its walls.

import type { Position } from "geojson";
import type { Bounds, Description } from "./description";
import { eastward, southward } from "./heights";

export interface Shape {
  /** Level of the sea [m]; null where none of it shows. */
  sea: number | null;
  /** Height of the table [m]. */
  floor: number;
}

/** Width of a wall seen from above, as a share of the land's longer side. */
export const WALL = 0.018;

/** How far walls go down below the lowest ground, as a share of relief and of width. */
const PLINTH_OF_RELIEF = 0.12;
const PLINTH_OF_WIDTH = 0.012;
const EQUATOR = 40_075_016.686;

export function shape(map: Description): Shape {
  const sea = map.seaLevel !== null && map.seaLevel > map.range[0] ? map.seaLevel : null;
  const lowest = sea ?? map.range[0];
  const relief = Math.max(map.range[1] - lowest, 0);
  const plinth = PLINTH_OF_RELIEF * relief + PLINTH_OF_WIDTH * sides(map)[0];
  return { sea, floor: lowest - plinth };
}

/** Returns the land's extent from west to east, and from south to north [m]. */
export function sides({ bounds: [west, south, east, north] }: Description): [number, number] {
  const true_ = EQUATOR * cosine((south + north) / 2);
  return [((east - west) / 360) * true_, (southward(south) - southward(north)) * true_];
}

/** Returns the bounds of the land together with its walls. */
export function foot(map: Description): Bounds {
  const [west, south, east, north] = map.bounds;
  const top = southward(north);
  const bottom = southward(south);
  const wall = WALL * Math.max(eastward(east) - eastward(west), bottom - top);
  return [west - wall * 360, latitude(bottom + wall), east + wall * 360, latitude(top - wall)];
}

/** Returns the corners of bounds, from the south-west clockwise, and the first again. */
export function ring([west, south, east, north]: Bounds): Position[] {
  return [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
}

export function cosine(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}

/** The inverse of `southward`. */
function latitude(south: number): number {
  return (Math.atan(Math.sinh((1 - 2 * south) * Math.PI)) * 180) / Math.PI;
}
