/** Coloured shapes that are joined into one: a limb is one draw call. */

import {
  type BufferGeometry,
  CapsuleGeometry,
  Color,
  Float32BufferAttribute,
  LatheGeometry,
  SphereGeometry,
  Vector2,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

type Triple = readonly [number, number, number];

/** Gives all vertices of a shape a colour. */
export function coloured(geometry: BufferGeometry, colour: number): BufferGeometry {
  const { r, g, b } = new Color(colour);
  const count = geometry.getAttribute("position").count;
  const colours = Array.from({ length: count }, () => [r, g, b]).flat();
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  return geometry;
}

/** An egg: its middle and its three radii [m]. */
export function ball(colour: number, at: Triple, radii: Triple, fine = 14): BufferGeometry {
  const geometry = new SphereGeometry(1, fine, Math.ceil(fine * 0.7));
  return coloured(geometry.scale(...radii).translate(...at), colour);
}

/** A limb hanging down from y = `top`. */
export function limb(colour: number, top: number, long: number, radius: number): BufferGeometry {
  const geometry = new CapsuleGeometry(radius, Math.max(0.01, long - 2 * radius), 4, 10);
  return coloured(geometry.translate(0, top - long / 2, 0), colour);
}

/** What turns round the upright axis: radius and height, from below. */
export function turned(
  colour: number,
  profile: readonly (readonly [number, number])[],
  pleats = 0,
): BufferGeometry {
  const points = profile.map(([radius, height]) => new Vector2(radius, height));
  const geometry = new LatheGeometry(points, 48);
  const low = profile[0]?.[1] ?? 0;
  const high = profile.at(-1)?.[1] ?? 1;
  const position = geometry.getAttribute("position");
  for (let k = 0; pleats > 0 && k < position.count; k++) {
    const [x, y, z] = [position.getX(k), position.getY(k), position.getZ(k)];
    const down = Math.max(0, 1 - (y - low) / (0.6 * (high - low)));
    const fold = 1 + 0.075 * down * Math.cos(pleats * Math.atan2(z, x));
    position.setXYZ(k, x * fold, y, z * fold);
  }
  if (pleats > 0) geometry.computeVertexNormals();
  return coloured(geometry, colour);
}

export function joined(shapes: BufferGeometry[]): BufferGeometry {
  const made = mergeGeometries(shapes);
  for (const shape of shapes) shape.dispose();
  return made;
}
