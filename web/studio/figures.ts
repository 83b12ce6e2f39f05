/** Numbers as people read them; part of what another language changes. */

/** A number as people read it: three digits that count, thousands apart. */
export function figure(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e7 || size < 1e-4)) return power(value);
  const most = Math.max(digits, wholeDigits(value));
  return value.toLocaleString("en", { maximumSignificantDigits: most }).replace("-", "−");
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** "2 × 10⁻⁵", "10⁸". */
function power(value: number): string {
  const [times = "", exponent = ""] = Number(value.toPrecision(3)).toExponential().split("e");
  const raised = exponent
    .replace("+", "")
    .replace("-", "⁻")
    .replace(/\d/g, (digit) => RAISED[Number(digit)] ?? "");
  const ten = `10${raised}`;
  if (times === "1") return ten;
  return times === "-1" ? `−${ten}` : `${times.replace("-", "−")} × ${ten}`;
}

const wholeDigits = (value: number) => Math.trunc(Math.abs(value)).toString().length;

/** Seconds in words: "0.4 s", "12 s", "3 min". */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** Square metres in words: "420 m²", "3.1 km²". */
export const area = (squareMetres: number): string =>
  Math.abs(squareMetres) < 1e5 ? `${figure(squareMetres)} m²` : `${figure(squareMetres / 1e6)} km²`;

/** Cubic metres in words: "420 m³", "3.1 km³". */
export const volume = (cubicMetres: number): string =>
  Math.abs(cubicMetres) < 1e7 ? `${figure(cubicMetres)} m³` : `${figure(cubicMetres / 1e9)} km³`;

/** Bytes in words: "420 kB", "3.1 MB". */
export const bytes = (count: number): string =>
  count < 1e6 ? `${figure(count / 1e3)} kB` : `${figure(count / 1e6)} MB`;

const SECONDS_A_YEAR = 31_557_600;

/** A value in its unit, or in one that people can imagine. */
export function quantity(value: number, unit: string): string {
  if (unit === "m²") return area(value);
  if (unit === "m³") return volume(value);
  if (unit === "m³/yr") return `${figure(value / SECONDS_A_YEAR)} m³/s`;
  return `${figure(value)} ${unit}`.trim();
}
