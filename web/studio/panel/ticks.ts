/** Where a plot's axes are marked, and where its values lie along them. */

export interface Axis {
  readonly label: string;
  readonly log?: boolean;
}

export interface Span {
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
}

/** The range of values, with a little air on a plain axis. */
export function spanOf(values: readonly number[], log = false): Span {
  const usable = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  const low = usable.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = usable.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (!(high > low)) {
    const only = Number.isFinite(low) ? low : 1;
    return log ? { low: only / 2, high: only * 2, log } : { low: only - 1, high: only + 1, log };
  }
  return { low, high, log };
}

/** 0 at the low end, 1 at the high one. */
export function along({ low, high, log }: Span, value: number): number {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** About so many round values in a span: 1, 2 or 5 times a power of ten. */
export function ticks(span: Span, count = 4): number[] {
  const { low, high, log } = span;
  if (log) return decades(low, high, count);
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

function decades(low: number, high: number, count: number): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1)
    for (const times of [1, 2, 5]) found.push(times * 10 ** power);
  const inside = found.filter((value) => value >= low * 0.999 && value <= high * 1.001);
  const whole = inside.filter((value) => Number.isInteger(Number(Math.log10(value).toFixed(6))));
  return inside.length > count + 1 && whole.length > 1 ? whole : inside;
}
