/** A link is a place and a look: after the recipe, "@east,north,elevation,heading,pitch" and "w" for on foot. */

import type { Pose } from "./flight.ts";

const NUMBER = "(-?\\d{1,15}(?:\\.\\d{1,3})?)";
const SAID = new RegExp(`^@${NUMBER},${NUMBER},${NUMBER},${NUMBER},${NUMBER}(w?)$`);

/** Parts what stands behind the # into the recipe's part and the place, if it names one. */
export function readPlace(fragment: string): { recipe: string; pose: Pose | null } {
  const text = fragment.replace(/^#/, "");
  const at = text.indexOf("@");
  if (at < 0) return { recipe: text, pose: null };
  const found = SAID.exec(text.slice(at));
  const recipe = text.slice(0, at);
  if (!found) return { recipe, pose: null };
  const [x, north, y, heading, pitch] = found.slice(1, 6).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    recipe,
    pose: {
      x,
      z: 0 - north,
      y,
      heading: heading % 360,
      pitch: Math.min(Math.max(pitch, -85), 85),
      walking: found[6] === "w",
    },
  };
}

export function writePlace(recipe: string, { x, z, y, heading, pitch, walking }: Pose): string {
  const short = (value: number, digits: number) => String(Number(value.toFixed(digits)) + 0);
  const numbers = [short(x, 2), short(0 - z, 2), short(y, 2), short(heading, 1), short(pitch, 1)];
  return `${recipe}@${numbers.join(",")}${walking ? "w" : ""}`;
}
