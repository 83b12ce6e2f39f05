/** Pictures painted at the start: nothing is downloaded. The same seed paints the same picture. */

import {
  CanvasTexture,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  RepeatWrapping,
  SRGBColorSpace,
} from "three";
import { dice } from "./chance.ts";

export type Brush = CanvasRenderingContext2D;

/** A square picture, painted once. */
export function painted(edge: number, paint: (brush: Brush) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = edge;
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("this browser lends no canvas to paint on");
  paint(brush);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

/** Bark: upright strokes, dark furrows and pale ridges, on brown; it repeats both ways. */
export function bark(): CanvasTexture {
  const edge = 256;
  const texture = painted(edge, (brush) => {
    const chance = dice(7);
    brush.fillStyle = "#5d4330";
    brush.fillRect(0, 0, edge, edge);
    for (let k = 0; k < 420; k++) {
      const [x, y, long] = [chance() * edge, chance() * edge, 30 + chance() * 120];
      const [bow, wide] = [(chance() - 0.5) * 22, 0.8 + chance() * 3.4];
      const light = k % 3 === 0 ? 38 + chance() * 14 : 13 + chance() * 14;
      brush.strokeStyle = `hsla(${24 + chance() * 12} ${24 + chance() * 14}% ${light}% / 0.55)`;
      brush.lineWidth = wide;
      for (const dx of [-edge, 0, edge])
        for (const dy of [-edge, 0]) {
          brush.beginPath();
          brush.moveTo(x + dx, y + dy);
          brush.bezierCurveTo(
            x + dx + bow,
            y + dy + long / 3,
            x + dx - bow,
            y + dy + (2 * long) / 3,
            x + dx + bow / 3,
            y + dy + long,
          );
          brush.stroke();
        }
    }
  });
  texture.wrapS = texture.wrapT = RepeatWrapping;
  return texture;
}

/** A twig of leaves on nothing: what a card of the crown shows. */
export function twig(): CanvasTexture {
  const edge = 128;
  return painted(edge, (brush) => {
    const chance = dice(11);
    for (let k = 0; k < 15; k++) {
      const [round, out] = [chance() * 2 * Math.PI, (0.1 + 0.24 * chance()) * edge];
      const turn = round + (chance() - 0.5) * 1.4;
      brush.save();
      brush.translate(edge / 2 + out * Math.cos(round), edge / 2 + out * Math.sin(round));
      brush.rotate(turn);
      leaf(brush, (0.13 + 0.06 * chance()) * edge, 70 + chance() * 26, 62 + chance() * 20);
      brush.restore();
    }
  });
}

function leaf(brush: Brush, long: number, hue: number, light: number): void {
  const wide = long * 0.5;
  brush.fillStyle = `hsl(${hue} 34% ${light}%)`;
  brush.beginPath();
  brush.moveTo(-long, 0);
  brush.quadraticCurveTo(0, -wide * 1.5, long, 0);
  brush.quadraticCurveTo(0, wide * 1.5, -long, 0);
  brush.fill();
  brush.strokeStyle = `hsl(${hue} 30% ${light - 16}% / 0.7)`;
  brush.lineWidth = 1.2;
  brush.beginPath();
  brush.moveTo(-long, 0);
  brush.lineTo(long * 0.9, 0);
  brush.stroke();
}

/** One leaf on nothing, as it falls. */
export function fallen(): CanvasTexture {
  const edge = 64;
  return painted(edge, (brush) => {
    brush.translate(edge / 2, edge / 2);
    leaf(brush, edge * 0.42, 46, 66);
  });
}

/** A soft round glow. */
export function glow(): CanvasTexture {
  const edge = 64;
  return painted(edge, (brush) => {
    const fade = brush.createRadialGradient(edge / 2, edge / 2, 0, edge / 2, edge / 2, edge / 2);
    fade.addColorStop(0, "rgb(255 255 255 / 1)");
    fade.addColorStop(0.35, "rgb(255 255 255 / 0.42)");
    fade.addColorStop(1, "rgb(255 255 255 / 0)");
    brush.fillStyle = fade;
    brush.fillRect(0, 0, edge, edge);
  });
}

/** A long, flat cloud of soft puffs, brighter below, where the low sun reaches it. */
export function cloud(seed: number): CanvasTexture {
  const edge = 256;
  return painted(edge, (brush) => {
    const chance = dice(seed);
    for (let k = 0; k < 90; k++) {
      const along = chance();
      const x = edge * (0.14 + 0.72 * along);
      const swell = Math.sin(Math.PI * along) * (0.6 + 0.4 * Math.sin(9 * along + seed));
      const y = edge * (0.56 - 0.16 * swell * chance() + 0.05 * (chance() - 0.5));
      const round = edge * (0.035 + 0.085 * swell * chance());
      const fade = brush.createRadialGradient(x, y, 0, x, y, round);
      const light = 232 + 23 * chance();
      fade.addColorStop(0, `rgb(${light} ${light - 8} ${light - 18} / 0.22)`);
      fade.addColorStop(1, `rgb(${light} ${light - 8} ${light - 18} / 0)`);
      brush.fillStyle = fade;
      brush.beginPath();
      brush.ellipse(x, y, round * 1.7, round, 0, 0, 2 * Math.PI);
      brush.fill();
    }
  });
}

/** A flower from above: petals round a yellow eye; white, so that instances colour it. */
export function blossom(): CanvasTexture {
  const edge = 64;
  return painted(edge, (brush) => {
    brush.translate(edge / 2, edge / 2);
    for (let petal = 0; petal < 6; petal++) {
      brush.fillStyle = petal % 2 ? "#ffffff" : "#ece6e2";
      brush.beginPath();
      brush.ellipse(edge * 0.25, 0, edge * 0.2, edge * 0.12, 0, 0, 2 * Math.PI);
      brush.fill();
      brush.rotate(Math.PI / 3);
    }
    brush.fillStyle = "#d8a12c";
    brush.beginPath();
    brush.arc(0, 0, edge * 0.1, 0, 2 * Math.PI);
    brush.fill();
  });
}

/** Shaft of light: bright in the middle, fading to its sides and ends. */
export function shaft(): CanvasTexture {
  const edge = 128;
  return painted(edge, (brush) => {
    const picture = brush.createImageData(edge, edge);
    for (let row = 0; row < edge; row++)
      for (let col = 0; col < edge; col++) {
        const across = Math.sin((Math.PI * (col + 0.5)) / edge) ** 2;
        const along = Math.sin((Math.PI * (row + 0.5)) / edge);
        const ribs = 0.75 + 0.25 * Math.sin(col * 0.55) * Math.sin(col * 0.23 + 1);
        picture.data.set([255, 255, 255, 255 * across * along * ribs], 4 * (row * edge + col));
      }
    brush.putImageData(picture, 0, 0);
  });
}

/** Three fields of even noise that repeat, 0 to 1, in red, green and blue. */
export function grain(): DataTexture {
  const edge = 128;
  const picture = new Uint8Array(4 * edge * edge).fill(255);
  for (let band = 0; band < 3; band++) {
    const sums = new Float32Array(edge * edge);
    for (let cells = 8, share = 0.5; cells <= 64; cells *= 2, share *= 0.7)
      addNoise(sums, edge, cells, share, 31 * band + cells);
    const [low, high] = [Math.min(...sums), Math.max(...sums)];
    sums.forEach((sum, k) => {
      picture[4 * k + band] = (255 * (sum - low)) / (high - low);
    });
  }
  const texture = new DataTexture(picture, edge, edge);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

function addNoise(sums: Float32Array, edge: number, cells: number, share: number, seed: number) {
  const chance = dice(seed);
  const knots = Float32Array.from({ length: cells * cells }, chance);
  const knot = (row: number, col: number) => knots[(row % cells) * cells + (col % cells)] as number;
  const ease = (t: number) => t * t * (3 - 2 * t);
  for (let row = 0; row < edge; row++)
    for (let col = 0; col < edge; col++) {
      const [y, x] = [(row * cells) / edge, (col * cells) / edge];
      const [r, c] = [Math.floor(y), Math.floor(x)];
      const [t, s] = [ease(y - r), ease(x - c)];
      const north = knot(r, c) * (1 - s) + knot(r, c + 1) * s;
      const south = knot(r + 1, c) * (1 - s) + knot(r + 1, c + 1) * s;
      sums[row * edge + col] =
        (sums[row * edge + col] as number) + share * (north * (1 - t) + south * t);
    }
}
