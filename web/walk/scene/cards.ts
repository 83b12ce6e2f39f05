/** Cards of leaves: squares that show a twig, as many as make a crown. */

import { BufferAttribute, BufferGeometry, type Color, Vector3 } from "three";

/** A place on the unit ball, anywhere as likely. */
export function onBall(chance: () => number): Vector3 {
  const up = 2 * chance() - 1;
  const round = 2 * Math.PI * chance();
  const flat = Math.sqrt(1 - up * up);
  return new Vector3(flat * Math.cos(round), up, flat * Math.sin(round));
}

/** Square cards in one geometry: each knows its middle, for the wind, and the way the crown looks. */
export class Cards {
  count = 0;
  private readonly arrays: Readonly<
    Record<"position" | "normal" | "color" | "middle", Float32Array>
  >;
  private readonly uv: Float32Array;
  private readonly corners: Uint16Array;

  constructor(most: number) {
    const triples = () => new Float32Array(12 * most);
    this.arrays = { position: triples(), normal: triples(), color: triples(), middle: triples() };
    this.uv = new Float32Array(8 * most);
    this.corners = new Uint16Array(6 * most);
  }

  add(
    place: Vector3,
    away: Vector3,
    edge: number,
    colour: Color,
    chance: () => number,
    hangs: boolean,
  ): void {
    const facing = onBall(chance).addScaledVector(away, 0.7);
    if (hangs) facing.y = 0;
    facing.normalize();
    const right = new Vector3(0, 1, 0).cross(facing).normalize();
    if (right.lengthSq() < 0.5) right.set(1, 0, 0);
    const over = facing.clone().cross(right);
    const spin = hangs ? -Math.PI : 2 * Math.PI * chance();
    const size = edge * (0.8 + 0.4 * chance());
    const { position, normal, color, middle } = this.arrays;
    for (let k = 0; k < 4; k++) {
      const round = spin + (Math.PI / 2) * (k + 0.5);
      const [s, t] = [Math.cos(round) * size * Math.SQRT1_2, Math.sin(round) * size * Math.SQRT1_2];
      const at = 3 * (4 * this.count + k);
      place.clone().addScaledVector(right, s).addScaledVector(over, t).toArray(position, at);
      away.toArray(normal, at);
      colour.toArray(color, at);
      place.toArray(middle, at);
      this.uv.set([k === 1 || k === 2 ? 1 : 0, k > 1 ? 1 : 0], 2 * (4 * this.count + k));
    }
    const first = 4 * this.count;
    this.corners.set(
      [0, 1, 2, 0, 2, 3].map((k) => first + k),
      6 * this.count,
    );
    this.count++;
  }

  geometry(): BufferGeometry {
    const made = new BufferGeometry();
    for (const [name, array] of Object.entries(this.arrays))
      made.setAttribute(name, new BufferAttribute(array, 3));
    made.setAttribute("uv", new BufferAttribute(this.uv, 2));
    made.setIndex(new BufferAttribute(this.corners, 1));
    return made;
  }
}
