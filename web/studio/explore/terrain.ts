/** The land round the eye: one mesh, drawn once for each chunk that is chosen. */

import {
  Box3,
  Frustum,
  type InstancedBufferGeometry,
  Matrix4,
  Mesh,
  type PerspectiveCamera,
  type ShaderMaterial,
  Vector2,
  type WebGLRenderer,
} from "three";
import worldFragment from "../shaders/world.frag.glsl?raw";
import worldVertex from "../shaders/world.vert.glsl?raw";
import { type AirUniforms, paved } from "../view/glsl.ts";
import { Instances, MOST, type Shown } from "./instances.ts";
import { type Kept, Pool } from "./pool.ts";
import { Sight } from "./sight.ts";
import { Survey } from "./survey.ts";
import { type Choice, type Chunk, choose, type Eye, type Forest, parentOf } from "./tree.ts";
import type { Land, World } from "./world.ts";

/** The recipe's own land is so many scene units long, as on its block: light and haze are alike. */
const EDGE = 100;
/** Chunks that are kept at most. */
const ROOM = 640;
/** A chunk is divided nearer than so many of its edges; the second where frames are dear. */
const DETAIL = { fine: 2.1, rough: 1.3 };
/** How long a chunk grows out of its parent's shape [s]. */
const GROWING = 0.8;
/** From this share of the distance at which a chunk gives way to its parent it takes on its shape. */
const YIELDS = 0.72;
/** A skirt hides what gapes between two levels: so deep, in edges of the chunk. */
const SKIRT = 0.03;
/** Waves repeat after so many scene units, where nobody looks twice. */
const WAVES = 512;

export class Terrain {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  readonly pool: Pool;
  readonly survey: Survey;
  /** Metres a scene unit. */
  readonly unit: number;
  readonly clock = { value: 0 };
  choice: Choice = { drawn: [], wanted: [], lacking: false };
  private readonly world: World;
  private readonly edge: number;
  private readonly detail: number;
  private readonly sight: Sight;
  private readonly instances: Instances;
  private readonly drift = { value: new Vector2() };
  private readonly above = { value: 0 };
  private readonly far = { value: 0 };

  constructor(world: World, air: AirUniforms, renderer: WebGLRenderer, slow: boolean) {
    this.world = world;
    this.unit = world.span / EDGE;
    this.edge = world.chunk * world.cell_size;
    this.detail = slow ? DETAIL.rough : DETAIL.fine;
    this.sight = new Sight(this.edge, world.span, world.deepest);
    const smooth = renderer.extensions.has("OES_texture_float_linear");
    const gl = renderer.getContext() as WebGL2RenderingContext;
    const layers = Math.min(ROOM, gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS) as number);
    this.pool = new Pool(layers, world.chunk + 2 * world.border, smooth);
    this.survey = new Survey(this.pool, world);
    this.instances = new Instances(world.chunk, slow ? 4 : 1);
    const material = paved(
      worldVertex,
      worldFragment,
      { ...air, ...this.uniforms() },
      smooth ? {} : { NEAREST: 1 },
    );
    this.mesh = new Mesh(this.instances.geometry, material);
    this.mesh.frustumCulled = false;
  }

  /** How far one sees [scene units]. */
  get horizon(): number {
    return this.far.value;
  }

  take(land: Land, now: number): boolean {
    return this.pool.take(land, now);
  }

  /** Chooses what is drawn from an eye at x, z [m], so high above the ground; true while it changes. */
  show(eye: Eye, camera: PerspectiveCamera, now: number): boolean {
    const { pool, unit, edge, detail, sight } = this;
    pool.begin();
    const changes = sight.look(eye, (chunk) => pool.has(chunk), !this.choice.lacking, now);
    const { top, far } = sight;
    const forest = { edge, top, far, detail };
    this.choice = choose(forest, eye, (chunk) => pool.has(chunk), this.inPicture(eye, camera));
    this.drift.value.set((eye.x / unit) % WAVES, (eye.z / unit) % WAVES);
    this.above.value = eye.up / unit;
    this.far.value = far / unit;
    const drawn = this.choice.drawn.slice(0, MOST).map((chunk) => this.shown(chunk, forest, now));
    drawn.forEach((shown, k) => {
      this.instances.put(k, shown, eye, edge, unit);
    });
    this.instances.draw(drawn.length);
    return changes || drawn.some(({ kept, grown }) => kept && grown < 1);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.pool.heights.dispose();
    this.pool.colours.dispose();
  }

  private uniforms() {
    const { world, unit, pool } = this;
    const [low, high] = world.range;
    const relief = (high - low) / unit;
    return {
      uHeights: { value: pool.heights },
      uColours: { value: pool.colours },
      uChunk: { value: new Vector2(world.chunk, world.chunk + 2 * world.border) },
      uUnit: { value: 1 / unit },
      uSkirt: { value: SKIRT },
      uSteep: { value: Math.min(Math.max(0.04 * relief, 0.12), 1.2) },
      uClear: { value: Math.max(relief / 14, 0.25) },
      uTime: this.clock,
      uDrift: this.drift,
      uAbove: this.above,
      uFar: this.far,
      uLow: { value: low / unit },
    };
  }

  /** What tells whether a chunk is in the picture, by its own heights or those of what it lies in. */
  private inPicture(eye: Eye, camera: PerspectiveCamera): (chunk: Chunk) => boolean {
    const { pool, unit, edge } = this;
    const [low, high] = this.world.range;
    const slack = high - low;
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const box = new Box3();
    return (chunk) => {
      const kept = pool.find(chunk) ?? pool.find(parentOf(chunk));
      const size = (edge * 2 ** chunk.level) / unit;
      const [x, z] = [chunk.col * size - eye.x / unit, chunk.row * size - eye.z / unit];
      const [foot, summit] = kept ? [kept.low, kept.high] : [low - slack, high + slack];
      box.min.set(x, foot / unit - SKIRT * size, z);
      box.max.set(x + size, summit / unit, z + size);
      return frustum.intersectsBox(box);
    };
  }

  private shown(chunk: Chunk, { edge, top, detail }: Forest, now: number): Shown {
    const kept = this.pool.find(chunk);
    const parent = chunk.level < top ? this.pool.find(parentOf(chunk)) : undefined;
    const limit = parent ? (2 * detail * edge * 2 ** chunk.level) / this.unit : 1e9;
    const yields = [YIELDS * limit, 0.98 * limit] as const;
    return { chunk, kept, parent, grown: grownOf(kept, parent, now), yields };
  }
}

function grownOf(kept: Kept | undefined, parent: Kept | undefined, now: number): number {
  if (!kept) return 0;
  return parent ? Math.min((now - kept.born) / GROWING, 1) : 1;
}
