/** Pictures of spruce, pine, birch and heather, painted at the start. */

import { type CanvasTexture, RepeatWrapping } from "three";
import { dice } from "./chance.ts";
import { type Brush, painted } from "./paint.ts";

/** A spruce's branch from its root, at the left, to its tip: twigs aslant, full of needles. */
export function frond(): CanvasTexture {
  const edge = 128;
  return painted(edge, (brush) => {
    const chance = dice(61);
    for (let k = 0; k < 64; k++) {
      const along = (k + chance()) / 64;
      const side = k % 2 ? 1 : -1;
      const long = edge * 0.46 * Math.sin(Math.PI * (0.12 + 0.84 * along)) * (0.7 + 0.4 * chance());
      const [x, y] = [edge * (0.01 + 0.86 * along), edge / 2];
      needles(brush, x, y, x + 0.55 * long, y + side * long, 18, 7, chance);
    }
    needles(brush, 0, edge / 2, edge * 0.98, edge / 2, 60, 8, chance);
  });
}

/** A tuft of long needles, as pines have them. */
export function tuft(): CanvasTexture {
  const edge = 128;
  return painted(edge, (brush) => {
    const chance = dice(67);
    for (let k = 0; k < 9; k++) {
      const [round, out] = [2 * Math.PI * chance(), edge * 0.3 * Math.sqrt(chance())];
      const x = edge / 2 + out * Math.cos(round);
      const y = edge / 2 + out * Math.sin(round);
      for (let n = 0; n < 34; n++) {
        const way = 2 * Math.PI * chance();
        const long = edge * (0.09 + 0.08 * chance());
        stroke(brush, x, y, x + long * Math.cos(way), y + long * Math.sin(way), chance);
      }
    }
  });
}

/** A birch's twigs, which hang: small leaves along fine threads. */
export function strands(): CanvasTexture {
  const edge = 128;
  return painted(edge, (brush) => {
    const chance = dice(71);
    for (let strand = 0; strand < 9; strand++) {
      const x = edge * (0.1 + 0.8 * chance());
      const [top, long] = [edge * 0.25 * chance(), edge * (0.5 + 0.35 * chance())];
      brush.strokeStyle = "hsl(30 20% 38%)";
      brush.beginPath();
      brush.moveTo(x, top);
      brush.lineTo(x, top + long);
      brush.stroke();
      for (let n = 0; n < 17; n++) {
        brush.fillStyle = `hsl(${66 + 24 * chance()} 40% ${60 + 22 * chance()}%)`;
        brush.beginPath();
        const away = (chance() - 0.5) * edge * 0.13;
        const way = chance() * Math.PI;
        brush.ellipse(x + away, top + (long * (n + chance())) / 17, 5.2, 3.1, way, 0, 7);
        brush.fill();
      }
    }
  });
}

/** White bark with dark marks across it and furrows at its foot; it repeats both ways. */
export function birchBark(): CanvasTexture {
  const edge = 128;
  const texture = painted(edge, (brush) => {
    const chance = dice(73);
    brush.fillStyle = "#ded9cf";
    brush.fillRect(0, 0, edge, edge);
    for (let k = 0; k < 150; k++) {
      const dark = k % 3 === 0;
      brush.fillStyle = dark ? "rgb(40 34 30 / 0.85)" : "rgb(150 140 130 / 0.4)";
      const wide = dark ? 4 + 22 * chance() ** 2 : 6 + 30 * chance();
      const [x, y] = [chance() * edge, chance() * edge];
      for (const dx of [-edge, 0]) {
        brush.beginPath();
        brush.ellipse(x + dx, y, wide, dark ? 0.8 + 1.4 * chance() : 0.7, 0, 0, 7);
        brush.fill();
      }
    }
  });
  texture.wrapS = texture.wrapT = RepeatWrapping;
  return texture;
}

/** Stems of heather in flower. */
export function sprig(): CanvasTexture {
  const edge = 64;
  return painted(edge, (brush) => {
    const chance = dice(79);
    for (let stem = 0; stem < 15; stem++) {
      const [x, top] = [edge * (0.08 + 0.84 * chance()), edge * (0.04 + 0.4 * chance())];
      const lean = (chance() - 0.5) * 16;
      for (let n = 0; n < 26; n++) {
        const down = n / 26;
        const bloom = down < 0.45 && chance() < 0.75;
        brush.fillStyle = bloom
          ? `hsl(${305 + 25 * chance()} 34% ${58 + 16 * chance()}%)`
          : `hsl(${80 + 20 * chance()} 26% ${34 + 16 * chance()}%)`;
        const y = top + (edge - top) * down;
        brush.fillRect(x + lean * (1 - down) + (chance() - 0.5) * 4, y, 2.4, 2.4);
      }
    }
  });
}

function needles(
  brush: Brush,
  x: number,
  y: number,
  toX: number,
  toY: number,
  count: number,
  long: number,
  chance: () => number,
): void {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  for (let n = 0; n < count; n++) {
    const share = (n + chance()) / count;
    const [fromX, fromY] = [x + share * (toX - x), y + share * (toY - y)];
    for (const side of [-1, 1]) {
      const [outX, outY] = [0.7 * dx - side * 0.7 * dy, 0.7 * dy + side * 0.7 * dx];
      stroke(brush, fromX, fromY, fromX + long * outX, fromY + long * outY, chance);
    }
  }
}

function stroke(
  brush: Brush,
  x: number,
  y: number,
  toX: number,
  toY: number,
  chance: () => number,
): void {
  brush.strokeStyle = `hsl(${92 + 40 * chance()} ${22 + 12 * chance()}% ${46 + 30 * chance()}%)`;
  brush.lineWidth = 1.7;
  brush.beginPath();
  brush.moveTo(x, y);
  brush.lineTo(toX, toY);
  brush.stroke();
}
