// @vitest-environment node
import { readFileSync } from "node:fs";
import * as THREE from "three";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { landMesh, loadLand } from "./downcut-land.ts";

const ABOUT = {
  format: "downcut-land",
  version: 1,
  grid: { ny: 2, nx: 3, cell_size: 10 },
  layers: {
    elevation: { file: "layers/elevation.bin" },
    tint: { file: "layers/tint.bin" },
  },
};
let about: object = ABOUT;

function block(header: object, numbers: Uint8Array | Uint16Array): ArrayBuffer {
  let text = JSON.stringify(header);
  while ((4 + text.length) % 8) text += " ";
  const bytes = new Uint8Array(4 + text.length + numbers.byteLength);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  bytes.set(new Uint8Array(numbers.buffer), 4 + text.length);
  return bytes.buffer;
}

const FILES: Record<string, () => BodyInit> = {
  "land.json": () => JSON.stringify(about),
  "elevation.bin": () =>
    block(
      { layer: "elevation", dtype: "uint16", shape: [2, 3], scale: 2, offset: 100 },
      new Uint16Array([0, 1, 2, 3, 4, 5]),
    ),
  "tint.bin": () =>
    block({ layer: "tint", dtype: "uint8", shape: [2, 3, 4] }, new Uint8Array(24).fill(7)),
};

beforeEach(() => {
  about = ABOUT;
  vi.stubGlobal("document", { baseURI: "http://here/site/" });
  vi.stubGlobal("fetch", async (url: string | URL) => {
    const file = FILES[String(url).split("/").pop() ?? ""];
    return file ? new Response(file()) : new Response("", { status: 404 });
  });
});
afterEach(() => vi.unstubAllGlobals());

it("loads heights in metres and the layers that are named", async () => {
  const land = await loadLand("land.json");
  expect([...land.elevation]).toEqual([100, 102, 104, 106, 108, 110]);
  expect(Object.keys(land.layers)).toEqual(["elevation", "tint"]);
  expect(Object.keys((await loadLand("land.json", [])).layers)).toEqual(["elevation"]);
});

it("says in a sentence what is wrong", async () => {
  await expect(loadLand("nothing.json")).rejects.toThrow("nothing.json is not there (404)");
  about = { ...ABOUT, version: 2 };
  await expect(loadLand("land.json")).rejects.toThrow("no land that this version reads");
  about = { ...ABOUT, layers: {} };
  await expect(loadLand("land.json")).rejects.toThrow("names no elevation");
});

it("makes a mesh with east, up and south, whose faces look up", async () => {
  const mesh = landMesh(THREE, await loadLand("land.json"), { exaggeration: 2 });
  const points = mesh.geometry.getAttribute("position");
  expect(points.count).toBe(6);
  expect([points.getX(0), points.getY(0), points.getZ(0)]).toEqual([-10, 200, -5]);
  expect([points.getX(5), points.getY(5), points.getZ(5)]).toEqual([10, 220, 5]);
  const normals = mesh.geometry.getAttribute("normal");
  for (let at = 0; at < 6; at++) expect(normals.getY(at)).toBeGreaterThan(0.5);
  expect(mesh.geometry.index?.count).toBe(2 * 2 * 3);
  const { map } = mesh.material as THREE.MeshStandardMaterial;
  const { data } = (map as THREE.DataTexture).image;
  expect([...(data ?? []).slice(0, 4)]).toEqual([7, 7, 7, 255]);
});

it("keeps the edges where cells are left out", async () => {
  const mesh = landMesh(THREE, await loadLand("land.json"), { step: 2 });
  const points = mesh.geometry.getAttribute("position");
  expect(points.count).toBe(4);
  expect(points.getX(3)).toBe(10);
});

it("needs nothing that a page would have to bring", () => {
  const source = readFileSync(new URL("./downcut-land.ts", import.meta.url), "utf8");
  expect([...source.matchAll(/^import [^t].* from "(.*)"/gm)].map((found) => found[1])).toEqual([
    "../studio/api/block.ts",
  ]);
});
