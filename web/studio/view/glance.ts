/** What the pointer means: the place under it, clicks on the land, going there, pictures. */

import { Raycaster, Vector2, type Vector3 } from "three";
import { type Block, values } from "../api/block.ts";
import { layer as askLayer } from "../api/client.ts";
import { clicked, cursor, land, type Place, picture, view } from "../state/store.ts";
import type { Diorama } from "./diorama.ts";
import { cellAt, elevationAt, meet, slopeAt } from "./march.ts";
import { listenToPointer } from "./pointer.ts";
import type { MapSheet } from "./sheet.ts";
import { type Stage, stillEyes } from "./stage.ts";

/** Going to a place takes so long [s] and ends so much nearer. */
const WAY = 0.7;
const NEARER = 0.45;
/** Pictures are so much finer than the screen. */
const FINER = 2;

const DRAINS = "drainage_area";

interface Drains {
  readonly digest: string;
  area: Block | null;
}

export class Glance {
  private readonly ray = new Raycaster();
  private readonly stage: Stage;
  private readonly diorama: Diorama;
  private readonly map: MapSheet;
  private readonly end: () => void;
  private drains: Drains = { digest: "", area: null };
  private going: { from: Vector3; to: Vector3; look: Vector3; aim: Vector3; share: number } | null =
    null;

  constructor(stage: Stage, diorama: Diorama, map: MapSheet) {
    this.stage = stage;
    this.diorama = diorama;
    this.map = map;
    this.end = listenToPointer(stage.canvas, {
      hover: (x, y) => {
        cursor.value = this.placeAt(x, y);
      },
      leave: () => {
        cursor.value = null;
      },
      click: (x, y) => {
        const place = this.placeAt(x, y);
        if (place) clicked.value = { x: place.x, y: place.y };
      },
      goTo: (x, y) => this.goTo(x, y),
    });
    stage.steps.push((seconds) => this.step(seconds));
    picture.value = () => this.picture();
  }

  dispose(): void {
    this.end();
    picture.value = null;
  }

  /** What lies at a point of the canvas [CSS pixels]; null where no land is. */
  placeAt(x: number, y: number): Place | null {
    const heights = this.diorama.ground;
    if (!heights) return null;
    const { clientWidth, clientHeight } = this.stage.canvas;
    const point = new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight);
    this.ray.setFromCamera(point, view.peek().mode === "map" ? this.map.camera : this.stage.camera);
    const { origin, direction } = this.ray.ray;
    const { from, way } = this.diorama.inMetres(origin, direction);
    const [low, high] = this.diorama.reach;
    const found = meet(heights, from, way, low, high);
    if (!found) return null;
    const [east, north] = found;
    const area = this.areas();
    const cell = cellAt(heights, east, north);
    const drains = area && area.data.length === heights.metres.length ? values(area)[cell] : null;
    return {
      x: east,
      y: north,
      elevation: elevationAt(heights, east, north),
      slope: slopeAt(heights, east, north),
      drains: drains ?? null,
    };
  }

  /** How much ground drains through each cell; fetched when it is first asked for, of each land. */
  private areas(): Block | null {
    const { grown } = land.peek();
    if (!grown?.layers.includes(DRAINS)) return null;
    if (this.drains.digest !== grown.digest) {
      const asked: Drains = { digest: grown.digest, area: null };
      this.drains = asked;
      askLayer(grown.digest, DRAINS).then(
        (area) => {
          asked.area = area;
        },
        () => {}, // the read-out does without
      );
    }
    return this.drains.area;
  }

  private goTo(x: number, y: number): void {
    const place = this.placeAt(x, y);
    if (!place || view.peek().mode === "map") return;
    const { camera, controls } = this.stage;
    const look = this.diorama.above(place.x, place.y, place.elevation);
    const back = camera.position.clone().sub(controls.target);
    this.stage.touch();
    this.going = {
      from: camera.position.clone(),
      to: look.clone().addScaledVector(back, NEARER),
      aim: controls.target.clone(),
      look,
      share: stillEyes() ? 1 : 0,
    };
    this.stage.invalidate();
  }

  private step(seconds: number): boolean {
    if (!this.going) return false;
    const { from, to, aim, look } = this.going;
    this.going.share = Math.min(this.going.share + seconds / WAY, 1);
    const share = this.going.share ** 2 * (3 - 2 * this.going.share);
    this.stage.camera.position.lerpVectors(from, to, share);
    this.stage.controls.target.lerpVectors(aim, look, share);
    this.stage.controls.update();
    if (this.going.share === 1) this.going = null;
    return true;
  }

  /** The picture of the canvas, finer than the screen and without what lies over it. */
  private picture(): Promise<Blob> {
    return new Promise((done, fail) => {
      this.stage.paint(FINER);
      this.stage.canvas.toBlob((blob) => {
        this.stage.invalidate();
        if (blob) done(blob);
        else fail(new Error("the browser made no picture"));
      }, "image/png");
    });
  }
}
