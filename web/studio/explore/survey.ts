/** What lies at a place, by the land that is here: heights for the feet, colours for the map. */

import type { Pool } from "./pool.ts";
import type { World } from "./world.ts";

type Rgb = readonly [number, number, number];

export class Survey {
  private readonly pool: Pool;
  private readonly world: World;

  constructor(pool: Pool, world: World) {
    [this.pool, this.world] = [pool, world];
  }

  /** Ground and water [m] at a place [m], by the finest land that is here; null before any came. */
  levelsAt(x: number, z: number): { ground: number; water: number; level: number } | null {
    const here = this.keptAt(x, z, 0);
    if (!here) return null;
    const { kept, u, v } = here;
    return { ...this.pool.elevation(kept, u, v, this.world.border), level: kept.chunk.level };
  }

  /** The colour of a place from above (sRGB), lit from the north-west; null before land came there. */
  shadeAt(x: number, z: number, step: number, water: Rgb): Rgb | null {
    const level = Math.max(Math.floor(Math.log2(step / this.world.cell_size)), 0);
    const here = this.keptAt(x, z, level);
    if (!here) return null;
    const { kept, u, v, cell } = here;
    const { border } = this.world;
    const levels = this.pool.elevation(kept, u, v, border);
    if (levels.water > levels.ground) return water;
    const slope = (right: number, down: number) =>
      (this.pool.elevation(kept, u + right, v + down, border).ground - levels.ground) / cell;
    const light = 1 + 0.9 * Math.tanh(1.2 * (slope(1, 0) + slope(0, 1)));
    const [red, green, blue] = this.pool.colourAt(kept, u, v, border);
    return [red * light, green * light, blue * light];
  }

  /** The finest chunk that is here at a place, not finer than a level, and the place in its cells. */
  private keptAt(x: number, z: number, finest: number) {
    for (let level = finest; level <= this.world.deepest; level++) {
      const cell = this.world.cell_size * 2 ** level;
      const size = this.world.chunk * cell;
      const [row, col] = [Math.floor(z / size), Math.floor(x / size)];
      const kept = this.pool.find({ level, row, col });
      if (kept) return { kept, cell, u: (x - col * size) / cell, v: (z - row * size) / cell };
    }
    return null;
  }
}
