/** Whatever lives here beside her. */

import type { Part, Stage } from "../stage.ts";
import { Butterflies } from "./butterflies.ts";
import { Fish } from "./fish.ts";

export function living(stage: Stage): Part[] {
  const parts: Part[] = [new Butterflies(stage)];
  if (stage.rivers.all.length > 0 || stage.land.about.onward) parts.push(new Fish(stage));
  return parts;
}
