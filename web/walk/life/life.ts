/** Whatever lives here beside her. */

import type { Part, Stage } from "../stage.ts";
import { Birds } from "./birds.ts";
import { Butterflies } from "./butterflies.ts";
import { Fish } from "./fish.ts";

export function living(stage: Stage): Part[] {
  const { about, layers } = stage.land;
  const parts: Part[] = [new Butterflies(stage), new Birds(stage)];
  if (
    stage.rivers.all.length > 0 ||
    layers.water_surface ||
    about.sea_level !== null ||
    about.onward
  )
    parts.push(new Fish(stage));
  return parts;
}
