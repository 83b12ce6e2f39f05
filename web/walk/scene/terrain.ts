/** The ground: one instanced square of quads, raised by the heights in a texture; one draw call. */

import {
  BufferAttribute,
  DataTexture,
  FloatType,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LinearFilter,
  LinearMipmapLinearFilter,
  type Material,
  Mesh,
  MeshDepthMaterial,
  MeshStandardMaterial,
  RedFormat,
  RGBADepthPacking,
  RGFormat,
  SRGBColorSpace,
  type Texture,
  Vector2,
  Vector4,
} from "three";
import type { Lattice } from "../ground.ts";
import type { Part, Stage } from "../stage.ts";
import { patchedAfter } from "./patch.ts";
import { BLEND, NUMBERS, REACH, TILE, Tiles } from "./tiles.ts";

/** She goes so far [cells] before the squares are chosen anew. */
const SHIFT = 4;

/** What shaders ask of a lattice. */
export interface Sheet {
  readonly uHeights: { value: DataTexture };
  readonly uSlopes: { value: DataTexture };
  /** Columns, rows, cell [m]. */
  readonly uLattice: { value: Vector4 };
  /** Where levels of detail are counted from: column and row. */
  readonly uFocus: { value: Vector2 };
}

export const RAISED = `
uniform highp sampler2D uHeights;
uniform vec4 uLattice;
uniform vec2 uFocus;
attribute vec3 tile;
varying vec2 vPlace;
float heightOf(ivec2 cell) {
  return texelFetch(uHeights, clamp(cell, ivec2(0), ivec2(uLattice.xy) - 1), 0).r;
}
vec3 raised(vec2 quad) {
  ivec2 most = ivec2(uLattice.xy) - 1;
  int step = int(tile.z);
  ivec2 cell = min(ivec2(tile.xy) + ivec2(quad) * step, most);
  float own = heightOf(cell);
  ivec2 odd = (ivec2(quad) & 1) * step;
  // In the coarser mesh it lies on an edge or, odd both ways, on the diagonal: north-east, south-west.
  float merged = 0.5 * (heightOf(cell + ivec2(odd.x, -odd.y)) + heightOf(cell + ivec2(-odd.x, odd.y)));
  float far = distance(vec2(cell), uFocus) / (${REACH}.0 * tile.z);
  float height = mix(own, merged, smoothstep(${BLEND}, 1.0, far));
  vPlace = (vec2(cell) + 0.5) / uLattice.xy;
  vec2 flatly = (vec2(cell) - 0.5 * (uLattice.xy - 1.0)) * uLattice.z;
  return vec3(flatly.x, height, flatly.y);
}`;

/** A square of quads from 0 to TILE, which `tiles` puts everywhere. */
export function square(tiles: Tiles): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const positions: number[] = [];
  const corners: number[] = [];
  for (let row = 0; row <= TILE; row++)
    for (let col = 0; col <= TILE; col++) positions.push(col, 0, row);
  for (let row = 0; row < TILE; row++)
    for (let col = 0; col < TILE; col++) {
      const a = row * (TILE + 1) + col;
      const south = a + TILE + 1;
      corners.push(a, south, a + 1, a + 1, south, south + 1);
    }
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute(
    "normal",
    new BufferAttribute(
      new Float32Array(positions.length).map((_, k) => (k % 3 === 1 ? 1 : 0)),
      3,
    ),
  );
  geometry.setIndex(corners);
  geometry.setAttribute("tile", new InstancedBufferAttribute(tiles.numbers, NUMBERS));
  return geometry;
}

/** Raises a material's vertices to the sheet. */
export function raise(material: Material, sheet: Sheet): void {
  const before = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    Object.assign(shader.uniforms, sheet);
    let text = patchedAfter(shader.vertexShader, "#include <common>", RAISED);
    text = patchedAfter(text, "#include <begin_vertex>", "transformed = raised(position.xz);");
    shader.vertexShader = text;
  };
}

export class Terrain implements Part {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshStandardMaterial>;
  readonly tiles: Tiles;
  readonly sheet: Sheet;
  private readonly stage: Stage;
  private readonly cell: number;
  private readonly textures: DataTexture[];

  constructor(stage: Stage, lattice: Lattice, tint: Uint8Array | null, grains: Texture) {
    this.stage = stage;
    const { rows, cols, cell } = lattice;
    this.cell = cell;
    this.sheet = sheetOf(lattice);
    this.tiles = new Tiles(rows, cols);
    const colours = tint ? tintOf(tint, rows, cols, stage.land.layers.grass?.data) : null;
    this.textures = [this.sheet.uHeights.value, this.sheet.uSlopes.value];
    if (colours) this.textures.push(colours);
    const material = new MeshStandardMaterial({ roughness: 0.95, color: 0x8a8f5c });
    paintGround(material, this.sheet, colours, grains);
    this.mesh = new Mesh(square(this.tiles), material);
    this.mesh.name = "ground";
    this.mesh.customDepthMaterial = depthOf(this.sheet);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.castShadow = true;
    stage.scene.add(this.mesh);
    this.choose();
  }

  tick(): void {
    const [col, row] = this.place();
    const { x, y } = this.sheet.uFocus.value;
    if (Math.hypot(col - x, row - y) > SHIFT) this.choose();
  }

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    (this.mesh.customDepthMaterial as Material).dispose();
    for (const texture of this.textures) texture.dispose();
  }

  private place(): [number, number] {
    const { x: cols, y: rows } = this.sheet.uLattice.value;
    const { x, z } = this.stage.focus;
    return [x / this.cell + (cols - 1) / 2, z / this.cell + (rows - 1) / 2];
  }

  private choose(): void {
    const [col, row] = this.place();
    this.sheet.uFocus.value.set(col, row);
    this.tiles.choose(col, row);
    const { geometry } = this.mesh;
    geometry.instanceCount = this.tiles.count;
    const attribute = geometry.getAttribute("tile");
    attribute.needsUpdate = true;
  }
}

function depthOf(sheet: Sheet): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
  raise(material, sheet);
  return material;
}

function paintGround(
  material: MeshStandardMaterial,
  sheet: Sheet,
  tint: DataTexture | null,
  grains: Texture,
): void {
  raise(material, sheet);
  const before = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    shader.uniforms.uTint = { value: tint };
    shader.uniforms.uGrain = { value: grains };
    shader.vertexShader = patchedAfter(
      shader.vertexShader,
      "#include <beginnormal_vertex>",
      `ivec2 middle = min(ivec2(tile.xy) + ivec2(position.xz) * int(tile.z), ivec2(uLattice.xy) - 1);
       objectNormal = normalize(vec3(
         heightOf(middle - ivec2(1, 0)) - heightOf(middle + ivec2(1, 0)), 2.0 * uLattice.z,
         heightOf(middle - ivec2(0, 1)) - heightOf(middle + ivec2(0, 1))));`,
    );
    let text = patchedAfter(
      shader.fragmentShader,
      "#include <common>",
      `uniform sampler2D uSlopes, uTint, uGrain;
       uniform vec4 uLattice;
       varying vec2 vPlace;`,
    );
    text = patchedAfter(text, "#include <color_fragment>", tint ? COLOURS : "");
    shader.fragmentShader = patchedAfter(text, "#include <normal_fragment_begin>", NORMALS);
  };
  material.customProgramCacheKey = () => `ground ${tint !== null}`;
}

/** Colours of the land, broken up by grain: borders waver, and nothing is quite even. */
const COLOURS = `
vec2 metres = vPlace * uLattice.xy * uLattice.z;
vec3 fine = texture2D(uGrain, metres * 0.61).rgb;
vec3 middle = texture2D(uGrain, metres * 0.083).rgb;
vec3 coarse = texture2D(uGrain, metres * 0.011).rgb;
vec2 waver = (middle.rg - 0.5 + 0.5 * (fine.rg - 0.5)) * 0.7 / (uLattice.xy * max(uLattice.z, 0.5));
vec4 tinted = texture2D(uTint, vPlace + waver);
vec3 meadow = mix(vec3(0.055, 0.12, 0.02), vec3(0.13, 0.21, 0.045), middle.g);
vec3 land = mix(tinted.rgb, meadow, 0.8 * tinted.a);
float value = 0.72 + 0.30 * fine.b + 0.22 * middle.b + 0.12 * coarse.b;
diffuseColor.rgb = land * value;
diffuseColor.rgb *= 1.0 + 0.10 * vec3(coarse.r - 0.5, 0.0, 0.5 - coarse.g);`;

const NORMALS = `
vec2 lean = texture2D(uSlopes, vPlace).rg * 2.0 - 1.0;
vec3 upright = vec3(lean.x, sqrt(max(1.0 - dot(lean, lean), 0.01)), lean.y);
normal = normalize((viewMatrix * vec4(upright, 0.0)).xyz);
nonPerturbedNormal = normal;`;

export function sheetOf({ metres, rows, cols, cell }: Lattice): Sheet {
  const heights = new DataTexture(
    metres as Float32Array<ArrayBuffer>,
    cols,
    rows,
    RedFormat,
    FloatType,
  );
  heights.needsUpdate = true;
  return {
    uHeights: { value: heights },
    uSlopes: { value: slopesOf(metres, rows, cols, cell) },
    uLattice: { value: new Vector4(cols, rows, cell, 0) },
    uFocus: { value: new Vector2(Number.NEGATIVE_INFINITY, 0) },
  };
}

/** Which way the ground leans at each vertex, −1 to 1 as 0 to 255, smoothed for what is far away. */
function slopesOf(metres: Float32Array, rows: number, cols: number, cell: number): DataTexture {
  const leans = new Uint8Array(2 * rows * cols);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const [up, down] = [Math.max(row - 1, 0) * cols, Math.min(row + 1, rows - 1) * cols];
    for (let col = 0; col < cols; col++) {
      const here = row * cols;
      const [west, east] = [Math.max(col - 1, 0), Math.min(col + 1, cols - 1)];
      const dx =
        ((metres[here + west] as number) - (metres[here + east] as number)) / (east - west);
      const dz =
        ((metres[up + col] as number) - (metres[down + col] as number)) / ((down - up) / cols);
      const length = Math.hypot(dx, dz, cell);
      leans[at++] = Math.round(127.5 * (1 + dx / length));
      leans[at++] = Math.round(127.5 * (1 + dz / length));
    }
  }
  return smooth(new DataTexture(leans, cols, rows, RGFormat));
}

/** The land's colours, and in their alpha how densely grass grows on it. */
function tintOf(
  tint: Uint8Array,
  rows: number,
  cols: number,
  grass: ArrayLike<number> | undefined,
): DataTexture {
  const picture = new Uint8Array(tint);
  for (let k = 0; k < rows * cols; k++) picture[4 * k + 3] = grass?.[k] ?? 0;
  const texture = new DataTexture(picture, cols, rows);
  texture.colorSpace = SRGBColorSpace;
  return smooth(texture);
}

/** Not anisotropic: Mesa's software renderer hangs for a minute where it filters these so. */
function smooth(texture: DataTexture): DataTexture {
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
