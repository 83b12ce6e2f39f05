/** Flat meshes that shaders raise; they know no land: places go from 0 to 1 in their sheet. */

import { BufferAttribute, BufferGeometry, Sphere, Vector3 } from "three";
import { EDGE } from "./stage.ts";

/** A sheet of ny × nx vertices; its position is (across, down, 0) from the north-west corner. */
export function sheet(ny: number, nx: number): BufferGeometry {
  const positions = new Float32Array(3 * ny * nx);
  const faces = new Uint32Array(6 * (ny - 1) * (nx - 1));
  let at = 0;
  for (let row = 0; row < ny; row++)
    for (let col = 0; col < nx; col++, at += 3) {
      positions[at] = col / (nx - 1);
      positions[at + 1] = row / (ny - 1);
    }
  at = 0;
  for (let row = 0; row < ny - 1; row++)
    for (let col = 0; col < nx - 1; col++, at += 6) {
      const a = row * nx + col;
      faces.set([a, a + nx, a + 1, a + 1, a + nx, a + nx + 1], at);
    }
  return geometry(positions, faces);
}

/** North, east, south, west: which way a wall looks, and where it begins and ends in the sheet. */
const WALLS = [
  { side: [0, -1], from: [1, 0], to: [0, 0] },
  { side: [1, 0], from: [1, 1], to: [1, 0] },
  { side: [0, 1], from: [0, 1], to: [1, 1] },
  { side: [-1, 0], from: [0, 0], to: [0, 1] },
] as const;

/** Four walls of n columns; position z is 1 at the foot, `side` is which way a wall looks. */
export function walls(n: number): BufferGeometry {
  const positions = new Float32Array(WALLS.length * n * 6);
  const sides = new Float32Array(WALLS.length * n * 4);
  const faces: number[] = [];
  WALLS.forEach(({ side, from, to }, wall) => {
    for (let k = 0; k < n; k++) {
      const share = k / (n - 1);
      const x = from[0] + (to[0] - from[0]) * share;
      const y = from[1] + (to[1] - from[1]) * share;
      const top = 2 * (wall * n + k);
      positions.set([x, y, 0, x, y, 1], 3 * top);
      sides.set([...side, ...side], 2 * top);
      if (k < n - 1) faces.push(top, top + 1, top + 2, top + 2, top + 1, top + 3);
    }
  });
  const made = geometry(positions, new Uint32Array(faces));
  made.setAttribute("side", new BufferAttribute(sides, 2));
  return made;
}

function geometry(positions: Float32Array, faces: Uint32Array): BufferGeometry {
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(positions, 3));
  made.setIndex(new BufferAttribute(faces, 1));
  made.boundingSphere = new Sphere(new Vector3(), EDGE); // heights come in the shader
  return made;
}
