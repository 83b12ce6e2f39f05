/** The way of one droplet: a ribbon as wide as its water, in the colour of its load, and the drop. */

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  IcosahedronGeometry,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from "three";

/** x, y, elevation [m], water, speed, sediment. */
export type Points = readonly (readonly number[])[];

const CLEAR = new Color(0.45, 0.85, 1.0);
const LADEN = new Color(1.0, 0.42, 0.08);
const WIDEST = 0.6;
/** The drop runs its whole way in this time [s]. */
const RUN = 3.2;

export class Trail {
  readonly group = new Group();
  private readonly ribbon = new Mesh(
    new BufferGeometry(),
    new MeshBasicMaterial({
      vertexColors: true,
      side: DoubleSide,
      transparent: true,
      opacity: 0.92,
      toneMapped: false,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -6,
      polygonOffsetUnits: -6,
    }),
  );
  private readonly drop = new Mesh(
    new IcosahedronGeometry(0.34, 2),
    new MeshBasicMaterial({ color: 0xe9f7ff, toneMapped: false }),
  );
  private way: Vector3[] = [];
  private ran = RUN;

  constructor() {
    this.ribbon.frustumCulled = this.drop.frustumCulled = false;
    this.group.add(this.ribbon, this.drop);
    this.group.visible = false;
    this.group.renderOrder = 2;
  }

  /** Draws a way; `place` tells where a place [m] of the land lies in the scene. */
  show(points: Points, place: (x: number, y: number, elevation: number) => Vector3): void {
    this.way = points.map(([x = 0, y = 0, z = 0]) => place(x, y, z));
    this.group.visible = this.way.length > 1;
    if (!this.group.visible) return;
    this.ribbon.geometry.dispose();
    this.ribbon.geometry = ribbon(this.way, points);
    this.put();
  }

  /** Lets the drop run from the start; at once at its end for eyes that want rest. */
  start(isStill: boolean): void {
    this.ran = isStill ? RUN : 0;
    this.put();
  }

  /** Moves the drop; true while it runs. */
  step(seconds: number): boolean {
    if (!this.group.visible || this.ran >= RUN) return false;
    this.ran = Math.min(this.ran + seconds, RUN);
    this.put();
    return true;
  }

  dispose(): void {
    for (const mesh of [this.ribbon, this.drop]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }

  private put(): void {
    const last = this.way.length - 1;
    const at = (this.ran / RUN) * last;
    const first = Math.min(Math.floor(at), last - 1);
    const [a, b] = [this.way[first], this.way[first + 1]];
    if (!a || !b) return;
    this.drop.position.lerpVectors(a, b, at - first);
    this.ribbon.geometry.setDrawRange(0, 6 * Math.ceil(at));
  }
}

function ribbon(way: readonly Vector3[], points: Points): BufferGeometry {
  const most = (column: number) => Math.max(...points.map((point) => point[column] ?? 0), 1e-9);
  const [water, load] = [most(3), most(5)];
  const positions = new Float32Array(6 * way.length);
  const colours = new Float32Array(6 * way.length);
  const faces: number[] = [];
  const colour = new Color();
  way.forEach((at, k) => {
    const next = way[Math.min(k + 1, way.length - 1)] ?? at;
    const last = way[Math.max(k - 1, 0)] ?? at;
    const side = new Vector3(next.z - last.z, 0, last.x - next.x).normalize();
    const point = points[k] ?? [];
    side.multiplyScalar((WIDEST / 2) * (0.25 + 0.75 * Math.sqrt((point[3] ?? 0) / water)));
    positions.set([at.x + side.x, at.y, at.z + side.z, at.x - side.x, at.y, at.z - side.z], 6 * k);
    colour.lerpColors(CLEAR, LADEN, (point[5] ?? 0) / load);
    colours.set([...colour.toArray(), ...colour.toArray()], 6 * k);
    if (k > 0) faces.push(2 * k - 2, 2 * k - 1, 2 * k, 2 * k, 2 * k - 1, 2 * k + 1);
  });
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(positions, 3));
  made.setAttribute("color", new BufferAttribute(colours, 3));
  made.setIndex(faces);
  return made;
}
