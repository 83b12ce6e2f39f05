/** The ground: a sheet that its shader raises by the elevation, in the land's own colours. */

import {
  Color,
  type DataTexture,
  DoubleSide,
  Mesh,
  MeshDepthMaterial,
  MeshStandardMaterial,
  RGBADepthPacking,
  type Vector2,
  type WebGLProgramParametersWithUniforms,
} from "three";
import { sheet, walls } from "./grid.ts";
import { RELIEF_GLSL } from "./relief.ts";

type Shader = WebGLProgramParametersWithUniforms;

const VERTEX_HEAD = /* glsl */ `
${RELIEF_GLSL}
uniform float uFoot;
varying vec2 vPlace;
varying float vRaised;
`;

/** Raises a vertex; a wall's foot stands on the table. */
const RAISE = /* glsl */ `
vPlace = vec2(uv.x, uv.y > 1.5 ? uv.y - 2.0 : uv.y);
vRaised = uv.y > 1.5 ? uFoot : max(reliefAt(vPlace), uFoot);
vec3 transformed = vec3(position.x, vRaised, position.z);
`;

const FRAGMENT_HEAD = /* glsl */ `
${RELIEF_GLSL}
uniform sampler2D uTint;
uniform float uTinted;
uniform sampler2D uBefore;
uniform float uChanges;
uniform float uSteep;
varying vec2 vPlace;
varying float vRaised;

vec3 naturalColour(vec3 normal, float raised) {
  float rock = smoothstep(0.55, 1.15, length(normal.xz) / normal.y / uSteep);
  vec3 meadow = mix(vec3(0.10, 0.15, 0.05), vec3(0.28, 0.24, 0.14), clamp(raised * 0.06, 0.0, 1.0));
  return mix(meadow, vec3(0.26, 0.22, 0.19), rock);
}
`;

const COLOUR = /* glsl */ `
vec3 groundNormal = reliefNormal(vPlace);
vec4 tint = texture2D(uTint, vPlace);
diffuseColor.rgb = mix(naturalColour(groundNormal, vRaised), tint.rgb, uTinted);
float running = tint.a * uTinted;
if (uChanges > 0.0) {
  float change = (texture2D(uHeight, vPlace).r - texture2D(uBefore, vPlace).r) * uChanges;
  vec3 mark = change < 0.0 ? vec3(0.75, 0.12, 0.05) : vec3(0.05, 0.42, 0.62);
  diffuseColor.rgb = mix(vec3(dot(diffuseColor.rgb, vec3(0.33))), mark, clamp(abs(change), 0.0, 0.92));
}
`;

export interface GroundUniforms {
  readonly uHeight: { value: DataTexture };
  readonly uTint: { value: DataTexture };
  readonly uBefore: { value: DataTexture };
  readonly uCells: { value: Vector2 };
  readonly uAcross: { value: number };
  readonly uUp: { value: number };
  readonly uDatum: { value: number };
  readonly uCell: { value: number };
  readonly uFoot: { value: number };
  readonly uTinted: { value: number };
  /** Share of a full colour that a metre of change gives; 0 shows no changes. */
  readonly uChanges: { value: number };
  /** What counts as a steep slope on this land [m/m, exaggerated]. */
  readonly uSteep: { value: number };
}

export class Ground {
  readonly mesh: Mesh;
  readonly rim: Mesh;
  private readonly materials: MeshStandardMaterial[];
  private rows = 0;
  private cols = 0;

  constructor(readonly uniforms: GroundUniforms) {
    const surface = new MeshStandardMaterial({ roughness: 0.95, metalness: 0 });
    surface.onBeforeCompile = (shader) => this.patch(shader, true);
    const earth = new MeshStandardMaterial({
      roughness: 1,
      metalness: 0,
      color: new Color(0.16, 0.115, 0.085),
      side: DoubleSide,
      flatShading: true,
    });
    earth.onBeforeCompile = (shader) => this.patch(shader, false);
    this.materials = [surface, earth];
    this.mesh = new Mesh(sheet(2, 2), surface);
    this.rim = new Mesh(walls(2, 2), earth);
    const depth = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
    depth.onBeforeCompile = (shader) => this.raise(shader);
    for (const mesh of [this.mesh, this.rim]) {
      mesh.customDepthMaterial = depth;
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
    }
  }

  /** Fits the meshes to a land's shape. */
  shape(rows: number, cols: number): void {
    if (rows === this.rows && cols === this.cols) return;
    [this.rows, this.cols] = [rows, cols];
    for (const [mesh, make] of [
      [this.mesh, sheet],
      [this.rim, walls],
    ] as const) {
      mesh.geometry.dispose();
      mesh.geometry = make(rows, cols);
    }
    this.uniforms.uCells.value.set(cols, rows);
  }

  dispose(): void {
    for (const mesh of [this.mesh, this.rim]) mesh.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }

  private raise(shader: Shader): void {
    Object.assign(shader.uniforms, this.uniforms);
    shader.vertexShader = replaced(shader.vertexShader, "#include <common>", VERTEX_HEAD);
    shader.vertexShader = shader.vertexShader.replace("#include <begin_vertex>", RAISE);
  }

  private patch(shader: Shader, isSurface: boolean): void {
    this.raise(shader);
    if (!isSurface) return;
    shader.vertexShader = replaced(
      shader.vertexShader,
      "#include <beginnormal_vertex>",
      "objectNormal = reliefNormal(uv);",
    );
    let fragment = replaced(shader.fragmentShader, "#include <common>", FRAGMENT_HEAD);
    fragment = replaced(fragment, "#include <color_fragment>", COLOUR);
    fragment = replaced(
      fragment,
      "#include <roughnessmap_fragment>",
      "roughnessFactor = mix(roughnessFactor, 0.25, running);",
    );
    shader.fragmentShader = replaced(
      fragment,
      "#include <normal_fragment_begin>",
      "normal = normalize((viewMatrix * vec4(groundNormal, 0.0)).xyz);",
    );
  }
}

/** Puts a piece after an include; an include that is not there any more is an error. */
function replaced(source: string, include: string, piece: string): string {
  if (!source.includes(include)) throw new Error(`the shader has no ${include}`);
  return source.replace(include, `${include}\n${piece}`);
}
