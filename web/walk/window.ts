/** A window of a land, ready to be drawn: all that takes long is done here, away from the page's thread. */

import { values } from "../studio/api/block.ts";
import { waterLevels } from "../studio/view/shore.ts";
import { type Lattice, rangeOf } from "./ground.ts";
import { loadWalk, type Origin, type Walk } from "./land.ts";
import { Rivers } from "./rivers.ts";
import { type Beyond, beyond } from "./scene/beyond.ts";
import { leansOf } from "./scene/leans.ts";
import { shoresOf } from "./scene/shores.ts";
import { type Still, stillWater } from "./scene/still.ts";

export interface Window {
  readonly walk: Walk;
  readonly lattice: Lattice;
  /** Lowest and highest ground [m]. */
  readonly range: [number, number];
  /** Levels of standing water [m], as the ground asks for them. */
  readonly levels: Float32Array | null;
  readonly still: Still | null;
  /** Which way the ground leans, two bytes a vertex. */
  readonly leans: Uint8Array<ArrayBuffer>;
  /** The land's colours, and in their alpha how densely grass grows. */
  readonly colours: Uint8Array<ArrayBuffer> | null;
  /** How high the ground lies above the water near it; null where banks are painted already. */
  readonly shores: Uint8Array<ArrayBuffer> | null;
  /** What stands on the horizon. */
  readonly beyond: Beyond | null;
}

export async function loadWindow(address: string, origin?: Origin): Promise<Window> {
  const walk = await loadWalk(address, origin);
  const { elevation: metres, grid, layers, about, x, z } = walk;
  const lattice = { metres, rows: grid.ny, cols: grid.nx, cell: grid.cell_size, x, z };
  const surface = layers.water_surface ? values(layers.water_surface) : null;
  const levels = waterLevels(metres, surface, grid.nx, about.sea_level);
  return {
    walk,
    lattice,
    range: rangeOf(metres),
    levels,
    still: levels && stillWater(lattice, levels, new Rivers(walk.rivers)),
    leans: leansOf(lattice),
    colours: coloursOf(walk),
    // Where blades are counted, as in the glade, the land's own colours tell of its banks.
    shores: walk.patch && shoresOf(lattice, levels),
    beyond: walk.around && beyond(walk.around, about),
  };
}

function coloursOf({ layers: { tint, grass } }: Walk): Uint8Array<ArrayBuffer> | null {
  if (!tint) return null;
  const picture = new Uint8Array(tint.data as Uint8Array);
  for (let k = 3; k < picture.length; k += 4) picture[k] = (grass?.data[k >> 2] as number) ?? 0;
  return picture;
}
