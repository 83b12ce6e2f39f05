/** The land on the horizon: coarse, with its colours and its water, from where the fine land ends. */

import {
  type DataTexture,
  type InstancedBufferGeometry,
  Mesh,
  MeshStandardMaterial,
  ShaderChunk,
} from "three";
import type { Later, Part } from "../stage.ts";
import type { Theatre } from "../theatre.ts";
import type { Beyond } from "./beyond.ts";
import { patched, patchedAfter } from "./patch.ts";
import {
  coloursOf,
  type Fine,
  GROWN,
  heightsOf,
  NEARNESS,
  raise,
  raised,
  type Sheet,
  sheetOf,
  slopesOf,
} from "./sheet.ts";
import { square } from "./terrain.ts";
import { Tiles } from "./tiles.ts";

/** It begins so far within the fine land's edge [m], a little lower: no gap opens between them. */
const UNDER = 40;
const LOWER = 0.8;
/** She goes so far [cells] before squares are chosen anew. */
const SHIFT = 0.5;

/** What the ground asks of the coarse land. */
export interface FarSheet {
  readonly uniforms: {
    readonly uFar: { value: DataTexture };
    readonly uFarLattice: Sheet["uLattice"];
    readonly uFarMiddle: Sheet["uMiddle"];
  };
  readonly painted: {
    readonly uFarTint: { value: DataTexture };
    readonly uFarSlopes: { value: DataTexture };
  };
}

export class Horizon implements Part, FarSheet {
  readonly uniforms: FarSheet["uniforms"];
  readonly painted: FarSheet["painted"];
  private readonly stage: Theatre;
  private readonly sheet: Sheet;
  private readonly tiles: Tiles;
  private mesh: Mesh<InstancedBufferGeometry, MeshStandardMaterial> | null = null;

  constructor(stage: Theatre, beyond: Beyond) {
    this.stage = stage;
    const { lattice, top, leans, colours } = beyond;
    soften();
    this.sheet = sheetOf({ ...lattice, metres: top });
    const { uLattice, uMiddle } = this.sheet;
    const uFar = { value: heightsOf(lattice) };
    this.uniforms = { uFar, uFarLattice: uLattice, uFarMiddle: uMiddle };
    this.painted = {
      uFarTint: { value: coloursOf(colours, lattice) },
      uFarSlopes: { value: slopesOf(leans, lattice) },
    };
    this.tiles = new Tiles(lattice.rows, lattice.cols);
  }

  /** Stands round the fine land. */
  standRound(fine: Fine): void {
    const material = new MeshStandardMaterial({ roughness: 0.95 });
    const head = `${NEARNESS}${raised(false)}`;
    raise(material, { ...this.sheet, ...fine }, head);
    const before = material.onBeforeCompile;
    material.onBeforeCompile = (shader, renderer) => {
      before.call(material, shader, renderer);
      Object.assign(shader.uniforms, this.painted);
      shader.vertexShader = patchedAfter(
        shader.vertexShader,
        "transformed = raised(position.xz);",
        `transformed.y -= ${LOWER} * smoothstep(-80.0, 0.0, nearness(transformed.xz));`,
      );
      shader.fragmentShader = seen(shader.fragmentShader);
    };
    material.customProgramCacheKey = () => "horizon";
    this.mesh = new Mesh(square(this.tiles), material);
    this.mesh.name = "horizon";
    this.mesh.frustumCulled = false;
    this.stage.scene.add(this.mesh);
    this.choose();
  }

  tick(): void {
    const [col, row] = this.place();
    const { x, y } = this.sheet.uFocus.value;
    if (Math.hypot(col - x, row - y) > SHIFT) this.choose();
  }

  renew(later: Later): void {
    const { beyond } = this.stage.window;
    if (!beyond) return;
    const { lattice, top, leans, colours } = beyond;
    later(() => {
      const { uHeights, uMiddle } = this.sheet;
      const { uFarTint, uFarSlopes } = this.painted;
      for (const { value } of this.textures()) value.dispose();
      uHeights.value = heightsOf({ ...lattice, metres: top });
      this.uniforms.uFar.value = heightsOf(lattice);
      uFarTint.value = coloursOf(colours, lattice);
      uFarSlopes.value = slopesOf(leans, lattice);
      uMiddle.value.set(lattice.x, lattice.z);
      this.choose();
    });
  }

  dispose(): void {
    if (!this.mesh) return;
    this.stage.scene.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    for (const { value } of this.textures()) value.dispose();
  }

  private textures(): { value: DataTexture }[] {
    const { uFarTint, uFarSlopes } = this.painted;
    return [this.sheet.uHeights, this.uniforms.uFar, uFarTint, uFarSlopes];
  }

  private place(): [number, number] {
    const { x: cols, y: rows, z: cell } = this.sheet.uLattice.value;
    const { x: east, y: south } = this.sheet.uMiddle.value;
    const { x, z } = this.stage.focus;
    return [(x - east) / cell + (cols - 1) / 2, (z - south) / cell + (rows - 1) / 2];
  }

  private choose(): void {
    const [col, row] = this.place();
    this.sheet.uFocus.value.set(col, row);
    this.tiles.choose(col, row);
    if (!this.mesh) return;
    const { geometry } = this.mesh;
    geometry.instanceCount = this.tiles.count;
    geometry.getAttribute("tile").needsUpdate = true;
  }
}

/** Its colours, water that mirrors the sky, and nothing where the fine land is drawn. */
function seen(shader: string): string {
  let text = patchedAfter(
    shader,
    "#include <common>",
    `uniform sampler2D uFarTint, uFarSlopes;
     uniform vec4 uLattice;
     uniform vec2 uMiddle;
     varying vec2 vPlace;
     ${NEARNESS}${GROWN}`,
  );
  text = patchedAfter(
    text,
    "#include <clipping_planes_fragment>",
    `if (nearness((vPlace - 0.5) * uLattice.xy * uLattice.z + uMiddle) > ${UNDER}.0) discard;
     vec4 tinted = texture2D(uFarTint, vPlace);
     float wet = smoothstep(0.4, 0.6, tinted.a);`,
  );
  text = patchedAfter(
    text,
    "#include <color_fragment>",
    "diffuseColor.rgb = mix(grown(tinted.rgb), vec3(0.02, 0.075, 0.085), wet);",
  );
  text = patchedAfter(
    text,
    "#include <roughnessmap_fragment>",
    "roughnessFactor = mix(roughnessFactor, 0.2, wet);",
  );
  return patchedAfter(
    text,
    "#include <normal_fragment_begin>",
    `vec2 lean = (texture2D(uFarSlopes, vPlace).rg * 2.0 - 1.0) * (1.0 - wet);
     vec3 upright = vec3(lean.x, sqrt(max(1.0 - dot(lean, lean), 0.01)), lean.y);
     normal = normalize((viewMatrix * vec4(upright, 0.0)).xyz);
     nonPerturbedNormal = normal;`,
  );
}

/** Far away mist grows slower with distance than near her: mountains stand in it, and are not lost. */
function soften(): void {
  ShaderChunk.fog_fragment = patched(
    ShaderChunk.fog_fragment,
    "float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );",
    `float haze = fogDensity * vFogDepth;
     float fogFactor = 1.0 - exp( - ( haze < 0.5 ? haze * haze : 0.25 + 0.6 * ( haze - 0.5 ) ) );`,
  );
}
