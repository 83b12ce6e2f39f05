import { expect, test } from "vitest";
import { usualChange } from "./marks.ts";

test("a few deep gullies do not fade what changed everywhere", () => {
  const before = new Float32Array(1000);
  const now = before.map((_, k) => (k < 20 ? -40 : k % 2 === 0 ? 0.5 : -0.5));
  expect(usualChange(now, before)).toBe(0.5);
});

test("a land that did not change has no colours to show", () => {
  expect(usualChange(new Float32Array(9), new Float32Array(9))).toBe(1);
});
