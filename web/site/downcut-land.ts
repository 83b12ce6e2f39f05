/**
 * Lands of `downcut site`, for any page: an ES module without dependencies.
 *
 *     import * as THREE from "three";
 *     import { loadLand, landMesh } from "./downcut-land.js";
 *     const land = await loadLand("land.json");
 *     scene.add(landMesh(THREE, land));
 *
 * Metres throughout: x is east, y is up, z is south, and the land's middle is at 0.
 */

import { type Block, readBlock, values } from "../studio/api/block.ts";

export { type Block, readBlock, values };

/** What land.json says. */
export interface About {
  readonly format: "downcut-land";
  readonly version: number;
  readonly title: string;
  readonly description: string;
  readonly grid: { readonly ny: number; readonly nx: number; readonly cell_size: number };
  readonly range: readonly [number, number];
  readonly sea_level: number | null;
  readonly layers: Readonly<Record<string, LayerFile>>;
  /** The name of the recipe, which export.json beside it holds. */
  readonly digest: string;
  readonly made_by: string;
}

export interface LayerFile {
  /** Relative to land.json. */
  readonly file: string;
  readonly unit: string;
  readonly meaning: string;
  readonly colours: string;
}

export interface Land {
  readonly about: About;
  readonly grid: About["grid"];
  /** Heights of the cells [m], row by row from the north-west. */
  readonly elevation: Float32Array;
  /** The layers that were loaded, as they came; `values` turns them into float32. */
  readonly layers: Readonly<Record<string, Block>>;
}

/**
 * Loads a land: those of its layers that are named, or all of them; the elevation always.
 * Throws an Error with a sentence if land.json or a layer is not there or not what it should be.
 */
export async function loadLand(url: string | URL, names?: readonly string[]): Promise<Land> {
  const about = (await (await get(url)).json()) as About;
  if (about.format !== "downcut-land" || about.version !== 1)
    throw new Error(`${url} is no land that this version reads`);
  const base = new URL(url, document.baseURI);
  const wanted = Object.entries(about.layers).filter(
    ([name]) => name === "elevation" || !names || names.includes(name),
  );
  const blocks = await Promise.all(
    wanted.map(async ([name, { file }]) => {
      const answer = await get(new URL(file, base));
      return [name, readBlock(await answer.arrayBuffer())] as const;
    }),
  );
  const layers = Object.fromEntries(blocks);
  if (!layers.elevation) throw new Error(`${url} names no elevation`);
  return { about, grid: about.grid, elevation: values(layers.elevation), layers };
}

async function get(url: string | URL): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} is not there (${answer.status})`);
  return answer;
}

export interface MeshOptions {
  /** How many times higher than it is; 1 by default. */
  readonly exaggeration?: number;
  /** Every so manyth cell becomes a vertex; 1 by default. */
  readonly step?: number;
}

/**
 * A mesh of a land with its own colours, ready for a scene. `THREE` is the three.js that the page
 * uses, so that there is only one.
 */
export function landMesh(
  THREE: typeof import("three"),
  { grid, elevation, layers }: Land,
  { exaggeration = 1, step = 1 }: MeshOptions = {},
): import("three").Mesh {
  const [rows, cols] = [every(grid.ny, step), every(grid.nx, step)];
  const geometry = new THREE.BufferGeometry();
  const [points, places] = [new Float32Array(rows.length * cols.length * 3), [] as number[]];
  let at = 0;
  for (const row of rows) {
    for (const col of cols) {
      points[at++] = (col - (grid.nx - 1) / 2) * grid.cell_size;
      points[at++] = (elevation[row * grid.nx + col] ?? 0) * exaggeration;
      points[at++] = (row - (grid.ny - 1) / 2) * grid.cell_size;
      places.push((col + 0.5) / grid.nx, (row + 0.5) / grid.ny);
    }
  }
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setAttribute("uv", new THREE.Float32BufferAttribute(places, 2));
  geometry.setIndex(triangles(rows.length, cols.length));
  geometry.computeVertexNormals();
  const material = new THREE.MeshStandardMaterial({ roughness: 1, map: paint(THREE, layers.tint) });
  return new THREE.Mesh(geometry, material);
}

function paint(THREE: typeof import("three"), tint: Block | undefined) {
  if (!tint) return null;
  const [rows = 1, cols = 1] = tint.shape;
  const opaque = Uint8Array.from(tint.data, (value, index) => (index % 4 === 3 ? 255 : value));
  const picture = new THREE.DataTexture(opaque, cols, rows);
  picture.colorSpace = THREE.SRGBColorSpace;
  picture.magFilter = THREE.LinearFilter;
  picture.minFilter = THREE.LinearMipmapLinearFilter;
  picture.generateMipmaps = true;
  picture.needsUpdate = true;
  return picture;
}

/** Every so manyth cell, and the last: the land keeps its edges. */
function every(count: number, step: number): number[] {
  const cells: number[] = [];
  for (let cell = 0; cell < count - 1; cell += Math.max(1, Math.floor(step))) cells.push(cell);
  return [...cells, count - 1];
}

function triangles(rows: number, cols: number): number[] {
  const corners: number[] = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let col = 0; col + 1 < cols; col++) {
      const here = row * cols + col;
      corners.push(here, here + cols, here + 1, here + 1, here + cols, here + cols + 1);
    }
  }
  return corners;
}
