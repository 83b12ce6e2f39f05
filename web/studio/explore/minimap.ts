/** The map in the corner: the land around from above, where one is and looks; a click goes there. */

import type { Pose } from "./flight.ts";
import type { Terrain } from "./terrain.ts";

/** Pixels along it, and how often it is drawn anew at most [s]. */
const EDGE = 168;
const EVERY = 0.4;
/** How far it shows, in lengths of the recipe's own land. */
const SIGHT = 2.2;
const WATER = [52, 104, 128] as const;
const NOTHING = [150, 160, 168] as const;

export class Minimap {
  readonly canvas: HTMLCanvasElement;
  private readonly terrain: Terrain;
  private readonly span: number;
  private readonly land = document.createElement("canvas");
  private drawnAt = Number.NEGATIVE_INFINITY;
  private middle = { x: 0, z: 0 };
  private has = -1;

  /** `go` is called with the place that was clicked [m]. */
  constructor(
    canvas: HTMLCanvasElement,
    terrain: Terrain,
    span: number,
    go: (x: number, z: number) => void,
  ) {
    [this.canvas, this.terrain, this.span] = [canvas, terrain, span];
    for (const each of [canvas, this.land]) each.width = each.height = EDGE;
    canvas.addEventListener("click", (event) => {
      const to = (offset: number, size: number) => (offset / size - 0.5) * this.reach;
      go(
        this.middle.x + to(event.offsetX, canvas.clientWidth),
        this.middle.z + to(event.offsetY, canvas.clientHeight),
      );
    });
  }

  private get reach(): number {
    return SIGHT * this.span;
  }

  /** Draws where one is; the land under it when it has changed or one has gone far. */
  draw(pose: Pose, now: number): void {
    const far = Math.hypot(pose.x - this.middle.x, pose.z - this.middle.z) > 0.15 * this.reach;
    const more = this.terrain.pool.size !== this.has;
    if ((far || more) && now - this.drawnAt > EVERY) {
      this.middle = { x: pose.x, z: pose.z };
      this.has = this.terrain.pool.size;
      this.drawnAt = now;
      this.paint();
    }
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.drawImage(this.land, 0, 0);
    const at = (place: number, middle: number) => ((place - middle) / this.reach + 0.5) * EDGE;
    pen.save();
    pen.translate(at(pose.x, this.middle.x), at(pose.z, this.middle.z));
    pen.rotate((pose.heading * Math.PI) / 180);
    pen.beginPath();
    pen.moveTo(0, -9);
    pen.lineTo(6, 7);
    pen.lineTo(0, 4);
    pen.lineTo(-6, 7);
    pen.closePath();
    pen.fillStyle = "#fff";
    pen.strokeStyle = "rgb(20 26 34 / 0.85)";
    pen.lineWidth = 1.5;
    pen.fill();
    pen.stroke();
    pen.restore();
  }

  /** Draws the land round the middle, lit from the north-west as maps are. */
  private paint(): void {
    const pen = this.land.getContext("2d");
    if (!pen) return;
    const image = pen.createImageData(EDGE, EDGE);
    const step = this.reach / EDGE;
    for (let row = 0; row < EDGE; row++)
      for (let col = 0; col < EDGE; col++) {
        const x = this.middle.x + (col + 0.5 - EDGE / 2) * step;
        const z = this.middle.z + (row + 0.5 - EDGE / 2) * step;
        const [red, green, blue] = this.terrain.survey.shadeAt(x, z, step, WATER) ?? NOTHING;
        image.data.set([red, green, blue, 255], 4 * (row * EDGE + col));
      }
    pen.putImageData(image, 0, 0);
  }
}
