/**
 * How a slider's way maps to a parameter's values. Bounds say what is possible, often over many
 * powers of ten; a slider covers what is likely, and the number field takes all the rest.
 */

import type { Parameter } from "../state/schema.ts";

export interface Scale {
  readonly least: number;
  readonly most: number;
  /** Whether equal ways are equal differences; otherwise they are equal ratios. */
  readonly even: boolean;
  /** From 0…1 to a value, and back. */
  value(way: number): number;
  way(value: number): number;
}

/** A slider over more than this many times its least value goes by powers. */
const WIDE = 50;
/** How far from the default a slider reaches where the bounds are far away. */
const REACH = 16;

/** The scale of a parameter's slider, wide enough for the value that it has. */
export function scaleOf(parameter: Parameter, value?: number): Scale {
  const usual = typeof parameter.fallback === "number" ? parameter.fallback : (value ?? 0);
  const [low, high] = likely(parameter, usual);
  const least = Math.min(low, value ?? low);
  const most = Math.max(high, value ?? high);
  const whole = parameter.kind === "count";
  const neat = (value: number) => (whole ? Math.round(value) : Number(value.toPrecision(4)));
  if (least > 0 && most / least > WIDE) {
    const span = Math.log(most / least);
    return {
      least,
      most,
      even: false,
      value: (way) => neat(least * Math.exp(span * way)),
      way: (value) => clamp(Math.log(Math.max(value, least) / least) / span),
    };
  }
  return {
    least,
    most,
    even: true,
    value: (way) => neat(least + (most - least) * way),
    way: (value) => clamp((value - least) / (most - least || 1)),
  };
}

/** The range that a slider covers: the bounds where they are near, else around the default. */
function likely({ least, most }: Parameter, usual: number): [number, number] {
  const low = least ?? Number.NEGATIVE_INFINITY;
  const high = most ?? Number.POSITIVE_INFINITY;
  const size = Math.abs(usual) || 1;
  const near = high <= REACH * size * 4 && low >= -REACH * size * 4;
  if (near && Number.isFinite(low) && Number.isFinite(high)) return [low, high];
  if (usual > 0 && low >= 0) return [Math.max(low, usual / REACH), Math.min(high, usual * REACH)];
  const reach = usual === 0 ? 500 : REACH * size;
  return [Math.max(low, -reach), Math.min(high, reach)];
}

const clamp = (way: number) => Math.min(Math.max(way, 0), 1);
