/** Where the sun stands at an hour, and what its light is like: no three.js scene in here. */

import { Color, type Vector3 } from "three";

/** Hours at which the sun rises and sets. */
const RISES = 5.75;
const SETS = 20.25;
/** The sun's height at its highest [°]. */
const HIGHEST = 60;
/** The hour of the long shadows: the sun stands 16° high, 150° round from the south. */
export const GOLDEN = 19;
const ROUND = 150;
/** How fast it goes round [°/h]. */
const PACE = 8;

/** Where the sun stands [°]: above the horizon. */
export const heightOfSun = (hour: number): number =>
  HIGHEST * Math.sin((Math.PI * (hour - RISES)) / (SETS - RISES));

/** Unit vector towards the sun. */
export function towardsSun(hour: number, into: Vector3): Vector3 {
  const high = (heightOfSun(hour) * Math.PI) / 180;
  const round = ((ROUND + (GOLDEN - hour) * PACE) * Math.PI) / 180;
  const flat = Math.cos(high);
  return into.set(flat * Math.sin(round), Math.sin(high), flat * Math.cos(round));
}

/** How the day is coloured. */
export interface Light {
  readonly sun: Color;
  readonly strength: number;
  readonly above: Color;
  readonly below: Color;
  readonly soft: number;
  readonly haze: Color;
}

/** The colours of dusk, of the golden hour and of noon, by the sun's height [°]. */
const DAY = [
  { high: 0, sun: 0xff8a4a, strength: 1.3, above: 0x6d8f9c, below: 0x3a3f3a, haze: 0x8d9a9a },
  { high: 16, sun: 0xffc98a, strength: 4.4, above: 0x8fc0bd, below: 0x4a5238, haze: 0xb4c4ad },
  { high: 60, sun: 0xfff2df, strength: 3.5, above: 0xbcd6e0, below: 0x5a6244, haze: 0xb4c7d4 },
] as const;
/** Of the light from all the sky, beside the sun's. */
const SOFT = 0.45;

export function lightAt(hour: number): Light {
  const high = heightOfSun(hour);
  const at = high < DAY[1].high ? 0 : 1;
  const [low, top] = [DAY[at], DAY[at + 1]] as [(typeof DAY)[number], (typeof DAY)[number]];
  const share = Math.min(Math.max((high - low.high) / (top.high - low.high), 0), 1);
  const mixed = (a: number, b: number) => new Color(a).lerp(new Color(b), share);
  const strength = low.strength + share * (top.strength - low.strength);
  return {
    sun: mixed(low.sun, top.sun),
    strength,
    above: mixed(low.above, top.above),
    below: mixed(low.below, top.below),
    soft: SOFT * strength,
    haze: mixed(low.haze, top.haze),
  };
}
