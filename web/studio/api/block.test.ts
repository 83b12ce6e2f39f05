import { describe, expect, it } from "vitest";
import { readBlock, readBlocks, values } from "./block.ts";

/** A block as the server makes it: the header padded so that the numbers begin at a multiple of 8. */
function block(header: object, numbers: Uint8Array | Uint16Array): Uint8Array {
  let text = JSON.stringify(header);
  while ((4 + text.length) % 8) text += " ";
  const bytes = new Uint8Array(4 + text.length + numbers.byteLength);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  bytes.set(new Uint8Array(numbers.buffer), 4 + text.length);
  return bytes;
}

const heights = block(
  { layer: "elevation", dtype: "uint16", shape: [1, 3], scale: 0.5, offset: 100 },
  new Uint16Array([0, 2, 65535]),
);

describe("blocks", () => {
  it("hold what 16-bit numbers stand for", () => {
    expect([...values(readBlock(heights.buffer as ArrayBuffer))]).toEqual([100, 101, 32867.5]);
  });

  it("follow one another at multiples of 8", () => {
    const tint = block(
      { layer: "tint", dtype: "uint8", shape: [1, 1, 4] },
      new Uint8Array([1, 2, 3, 4]),
    );
    const gap = Math.ceil(heights.byteLength / 8) * 8;
    const row = new Uint8Array(Math.ceil((gap + tint.byteLength) / 8) * 8);
    row.set(heights);
    row.set(tint, gap);
    const blocks = readBlocks(row.buffer);
    expect(Object.keys(blocks)).toEqual(["elevation", "tint"]);
    expect([...(blocks.tint?.data ?? [])]).toEqual([1, 2, 3, 4]);
  });

  it("are refused where the numbers have no known kind", () => {
    const odd = block({ layer: "x", dtype: "float16", shape: [1] }, new Uint8Array(2));
    expect(() => readBlock(odd.buffer as ArrayBuffer)).toThrow("float16");
  });
});
