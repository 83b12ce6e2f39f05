/** What the scene costs: counts that hold on any machine. */

import type { InstancedBufferGeometry, InstancedMesh, Mesh, Scene, WebGLRenderer } from "three";

export interface Figures {
  /** Draw calls of the main pass: without shadows, refraction and what is done to the picture. */
  readonly calls: number;
  /** Triangles in that pass. */
  readonly triangles: number;
  /** Instances, by the names of their meshes. */
  readonly instances: Readonly<Record<string, number>>;
  readonly textures: number;
  readonly geometries: number;
  readonly programs: number;
  /** Numbers held on the card for vertices and instances [bytes]. */
  readonly bytes: number;
  /** What everything that moves takes before a frame is drawn [ms], a mean of late. */
  readonly milliseconds: number;
}

export function figuresOf(renderer: WebGLRenderer, scene: Scene, milliseconds: number): Figures {
  let [calls, triangles, bytes] = [0, 0, 0];
  const instances: Record<string, number> = {};
  const counted = new Set<ArrayBufferLike>();
  const weigh = (array: { buffer: ArrayBufferLike; byteLength: number } | undefined) => {
    if (!array || counted.has(array.buffer)) return;
    counted.add(array.buffer);
    bytes += array.byteLength;
  };
  scene.traverseVisible((object) => {
    const mesh = object as Mesh & Partial<InstancedMesh>;
    if ((object as { isSprite?: boolean }).isSprite) calls++;
    if (!(mesh.isMesh || (object as { isPoints?: boolean }).isPoints)) return;
    const { geometry } = mesh;
    const many = mesh.count ?? (geometry as InstancedBufferGeometry).instanceCount;
    const copies = Number.isFinite(many) ? (many as number) : 1;
    if (copies === 0) return;
    calls++;
    const corners = geometry.index?.count ?? geometry.getAttribute("position").count;
    if (mesh.isMesh) triangles += (copies * corners) / 3;
    if (copies > 1) instances[mesh.name || mesh.type] = copies;
    for (const { array } of Object.values(geometry.attributes) as { array: Float32Array }[])
      weigh(array);
    weigh(geometry.index?.array as Uint16Array | undefined);
    weigh(mesh.instanceMatrix?.array as Float32Array | undefined);
  });
  const { memory, programs } = renderer.info;
  return {
    calls,
    triangles,
    instances,
    textures: memory.textures,
    geometries: memory.geometries,
    programs: programs?.length ?? 0,
    bytes,
    milliseconds,
  };
}
