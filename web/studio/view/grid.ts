/** Flat meshes that shaders raise: a sheet over the land, and the walls round it. */

import { BufferAttribute, BufferGeometry, Sphere, Vector3 } from "three";
import { EDGE } from "./stage.ts";

/** Vertices along the longer edge, at most: more than a screen has pixels for is waste. */
export const MOST_VERTICES = 640;

interface Mesh {
  readonly positions: number[];
  readonly places: number[];
  readonly faces: number[];
}

/** From the land's cells to scene units and places (0–1 from the north-west corner). */
class Ground {
  readonly ny: number;
  readonly nx: number;

  constructor(
    private readonly rows: number,
    private readonly cols: number,
    most: number,
  ) {
    const shrink = Math.min(1, most / Math.max(rows, cols));
    this.ny = Math.max(2, Math.round(rows * shrink));
    this.nx = Math.max(2, Math.round(cols * shrink));
  }

  /** Adds a vertex at the middle of a cell; `foot` marks one that stands on the table. */
  add(mesh: Mesh, row: number, col: number, foot = 0): void {
    const v = (0.5 + (row / (this.ny - 1)) * (this.rows - 1)) / this.rows;
    const u = (0.5 + (col / (this.nx - 1)) * (this.cols - 1)) / this.cols;
    const unit = EDGE / Math.max(this.rows, this.cols);
    mesh.positions.push((u - 0.5) * this.cols * unit, 0, (v - 0.5) * this.rows * unit);
    mesh.places.push(u, v + 2 * foot);
  }

  /** The rim's vertices, once round, the land to the left. */
  rim(): [number, number][] {
    const { ny, nx } = this;
    const count = (n: number) => Array.from({ length: n - 1 }, (_, k) => k);
    return [
      ...count(ny).map((k): [number, number] => [k, 0]),
      ...count(nx).map((k): [number, number] => [ny - 1, k]),
      ...count(ny).map((k): [number, number] => [ny - 1 - k, nx - 1]),
      ...count(nx).map((k): [number, number] => [0, nx - 1 - k]),
    ];
  }
}

/** A sheet with a vertex at a cell's middle; `uv` is its place. */
export function sheet(rows: number, cols: number, most = MOST_VERTICES): BufferGeometry {
  const ground = new Ground(rows, cols, most);
  const mesh: Mesh = { positions: [], places: [], faces: [] };
  for (let row = 0; row < ground.ny; row++)
    for (let col = 0; col < ground.nx; col++) ground.add(mesh, row, col);
  for (let row = 0; row < ground.ny - 1; row++)
    for (let col = 0; col < ground.nx - 1; col++) {
      const a = row * ground.nx + col;
      mesh.faces.push(a, a + ground.nx, a + 1, a + 1, a + ground.nx, a + ground.nx + 1);
    }
  return geometry(mesh);
}

/** Four walls from the rim of a sheet down to the table; `uv.y` is 2 more at the foot. */
export function walls(rows: number, cols: number, most = MOST_VERTICES): BufferGeometry {
  const ground = new Ground(rows, cols, most);
  const mesh: Mesh = { positions: [], places: [], faces: [] };
  const rim = ground.rim();
  rim.forEach(([row, col], n) => {
    ground.add(mesh, row, col);
    ground.add(mesh, row, col, 1);
    const [top, next] = [2 * n, 2 * ((n + 1) % rim.length)];
    mesh.faces.push(top, top + 1, next, next, top + 1, next + 1);
  });
  return geometry(mesh);
}

function geometry({ positions, places, faces }: Mesh): BufferGeometry {
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  made.setAttribute("uv", new BufferAttribute(new Float32Array(places), 2));
  made.setIndex(new BufferAttribute(new Uint32Array(faces), 1));
  made.boundingSphere = new Sphere(new Vector3(), EDGE); // heights come in the shader
  return made;
}
