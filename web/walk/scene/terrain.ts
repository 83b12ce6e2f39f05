/** The ground: one instanced square of quads, raised by the heights in a texture; one draw call. */

import {
  BufferAttribute,
  type DataTexture,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  type Material,
  Mesh,
  MeshDepthMaterial,
  MeshStandardMaterial,
  RGBADepthPacking,
  type Texture,
  Vector3,
  Vector4,
} from "three";
import type { Later, Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import type { Window } from "../window.ts";
import type { FarSheet } from "./horizon.ts";
import { patchedAfter } from "./patch.ts";
import {
  COARSE,
  coloursOf,
  type Fine,
  GROWN,
  heightsOf,
  MELTS,
  NEARNESS,
  raise,
  raised,
  type Sheet,
  sheetOf,
  slopesOf,
} from "./sheet.ts";
import { NUMBERS, TILE, Tiles } from "./tiles.ts";

/** She goes so far [cells] before the squares are chosen anew. */
const SHIFT = 4;

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

type Maybe = { value: DataTexture | null };

export class Terrain implements Part {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshStandardMaterial>;
  readonly tiles: Tiles;
  readonly sheet: Sheet;
  readonly fine: Fine;
  private readonly stage: Theatre;
  private readonly slopes: Maybe = { value: null };
  private readonly tint: Maybe = { value: null };

  constructor(stage: Theatre, far: FarSheet | null, grains: Texture) {
    this.stage = stage;
    const { lattice, leans, colours } = stage.window;
    const more = far ? TILE * Math.ceil(MELTS / lattice.cell / TILE) : 0;
    this.sheet = sheetOf(lattice, more);
    this.tiles = new Tiles(lattice.rows + 2 * more, lattice.cols + 2 * more);
    this.slopes.value = slopesOf(leans, lattice);
    if (colours) this.tint.value = coloursOf(colours, lattice);
    this.fine = {
      uNear: { value: new Vector3(0, 0, stage.reach) },
      uWindow: { value: windowOf(stage.window) },
    };
    const material = new MeshStandardMaterial({ roughness: 0.95, color: 0x8a8f5c });
    const uniforms = { ...this.sheet, ...this.fine, ...far?.uniforms };
    const head = far ? NEARNESS + COARSE + raised(true) : raised(false);
    raise(material, uniforms, head);
    this.paint(material, far, grains);
    this.mesh = new Mesh(square(this.tiles), material);
    this.mesh.name = "ground";
    this.mesh.customDepthMaterial = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
    raise(this.mesh.customDepthMaterial, uniforms, head);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.mesh.castShadow = true;
    stage.scene.add(this.mesh);
    this.choose();
  }

  tick(): void {
    const { x: east, z: south } = this.stage.focus;
    this.fine.uNear.value.set(east, south, this.stage.reach);
    const [col, row] = this.place();
    const { x, y } = this.sheet.uFocus.value;
    if (Math.hypot(col - x, row - y) > SHIFT) this.choose();
  }

  /** Takes the ground of another window; its textures go to the card one after the other. */
  renew(later: Later): void {
    const { window, renderer } = this.stage;
    const { lattice, leans, colours } = window;
    const made = [
      heightsOf(lattice),
      slopesOf(leans, lattice),
      colours && coloursOf(colours, lattice),
    ] as const;
    for (const texture of made) if (texture) later(() => renderer.initTexture(texture));
    later(() => {
      const { uHeights, uMiddle } = this.sheet;
      for (const { value } of [uHeights, this.slopes, this.tint]) value?.dispose();
      [uHeights.value, this.slopes.value, this.tint.value] = made;
      uMiddle.value.set(lattice.x ?? 0, lattice.z ?? 0);
      this.fine.uWindow.value.copy(windowOf(window));
      this.choose();
    });
  }

  dispose(): void {
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    (this.mesh.customDepthMaterial as Material).dispose();
    for (const { value } of [this.sheet.uHeights, this.slopes, this.tint]) value?.dispose();
  }

  private place(): [number, number] {
    const { x: cols, y: rows, z: cell, w: more } = this.sheet.uLattice.value;
    const { x: east, y: south } = this.sheet.uMiddle.value;
    const { x, z } = this.stage.focus;
    return [(x - east) / cell + (cols - 1) / 2 + more, (z - south) / cell + (rows - 1) / 2 + more];
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

  private paint(material: MeshStandardMaterial, far: FarSheet | null, grains: Texture): void {
    const coloured = this.tint.value !== null;
    const before = material.onBeforeCompile;
    material.onBeforeCompile = (shader, renderer) => {
      before.call(material, shader, renderer);
      Object.assign(shader.uniforms, {
        uSlopes: this.slopes,
        uTint: this.tint,
        uGrain: { value: grains },
        ...far?.painted,
      });
      shader.vertexShader = patchedAfter(
        shader.vertexShader,
        "#include <beginnormal_vertex>",
        UPRIGHT,
      );
      const head = HEAD + (far ? FAR_HEAD + NEARNESS : "");
      let text = patchedAfter(shader.fragmentShader, "#include <common>", head);
      text = patchedAfter(text, "#include <clipping_planes_fragment>", far ? CUT : "");
      const colours = COLOURS + (far ? FAR_COLOURS : "") + GRAIN;
      text = patchedAfter(text, "#include <color_fragment>", coloured ? colours : "");
      const normals = normalsOf(far ? FAR_LEAN : "");
      shader.fragmentShader = patchedAfter(text, "#include <normal_fragment_begin>", normals);
    };
    material.customProgramCacheKey = () => `ground ${coloured} ${far !== null}`;
  }
}

const windowOf = ({ lattice: { rows, cols, cell, x = 0, z = 0 } }: Window): Vector4 =>
  new Vector4(x, z, ((cols - 1) / 2) * cell, ((rows - 1) / 2) * cell);

const UPRIGHT = `
ivec2 middle = min(ivec2(tile.xy) + ivec2(position.xz) * int(tile.z) - int(uLattice.w),
  ivec2(uLattice.xy) + int(uLattice.w) - 1);
objectNormal = normalize(vec3(
  heightOf(middle - ivec2(1, 0)) - heightOf(middle + ivec2(1, 0)), 2.0 * uLattice.z,
  heightOf(middle - ivec2(0, 1)) - heightOf(middle + ivec2(0, 1))));`;

const HEAD = `
uniform sampler2D uSlopes, uTint, uGrain;
uniform vec4 uLattice;
uniform vec2 uMiddle;
varying vec2 vPlace;
vec2 placed() { return (vPlace - 0.5) * uLattice.xy * uLattice.z + uMiddle; }`;

const FAR_HEAD = `
uniform sampler2D uFarTint, uFarSlopes;
uniform vec4 uFarLattice;
uniform vec2 uFarMiddle;
${GROWN}
vec2 onFar(vec2 p) { return (p - uFarMiddle) / (uFarLattice.xy * uFarLattice.z) + 0.5; }`;

const CUT = `
float within = nearness(placed());
if (within < 0.0) discard;
float share = 1.0 - smoothstep(0.0, ${MELTS}.0, within);`;

/** Colours of the land, broken up by grain: borders waver, and nothing is quite even. */
const COLOURS = `
vec2 metres = placed();
vec3 fine = texture2D(uGrain, metres * 0.61).rgb;
vec3 middle = texture2D(uGrain, metres * 0.083).rgb;
vec3 coarse = texture2D(uGrain, metres * 0.011).rgb;
vec2 waver = (middle.rg - 0.5 + 0.5 * (fine.rg - 0.5)) * 0.7 / (uLattice.xy * max(uLattice.z, 0.5));
vec4 tinted = texture2D(uTint, vPlace + waver);
vec3 meadow = mix(vec3(0.055, 0.12, 0.02), vec3(0.13, 0.21, 0.045), middle.g);
vec3 land = mix(tinted.rgb, meadow, 0.8 * tinted.a);`;

const FAR_COLOURS = `
land = mix(land, grown(texture2D(uFarTint, onFar(metres)).rgb), share);`;

const GRAIN = `
float value = 0.72 + 0.30 * fine.b + 0.22 * middle.b + 0.12 * coarse.b;
diffuseColor.rgb = land * value;
diffuseColor.rgb *= 1.0 + 0.10 * vec3(coarse.r - 0.5, 0.0, 0.5 - coarse.g);`;

const FAR_LEAN = `
lean = mix(lean, texture2D(uFarSlopes, onFar(placed())).rg * 2.0 - 1.0, share);`;

const normalsOf = (far: string) => `
vec2 lean = texture2D(uSlopes, vPlace).rg * 2.0 - 1.0;${far}
vec3 upright = vec3(lean.x, sqrt(max(1.0 - dot(lean, lean), 0.01)), lean.y);
normal = normalize((viewMatrix * vec4(upright, 0.0)).xyz);
nonPerturbedNormal = normal;`;
