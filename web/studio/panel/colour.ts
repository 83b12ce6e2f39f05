/** Linear light, as recipes have it, and the sRGB of a colour picker. */

import type { JsonObject } from "../api/client.ts";

export const LIGHTS = ["red", "green", "blue"] as const;

const encode = (light: number) =>
  light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
const decode = (code: number) => (code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4);

/** "#rrggbb" of a record with red, green and blue light from 0 to 1. */
export function toHex(row: JsonObject): string {
  const bytes = LIGHTS.map((light) => {
    const value = Math.min(Math.max(Number(row[light] ?? 0), 0), 1);
    return Math.round(255 * encode(value));
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export function fromHex(hex: string): JsonObject {
  return Object.fromEntries(
    LIGHTS.map((light, index) => {
      const byte = Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16);
      return [light, Number(decode(byte / 255).toFixed(4))];
    }),
  );
}
