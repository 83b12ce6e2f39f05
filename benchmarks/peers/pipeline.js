// The textbook pipeline in JavaScript written for speed (plain.js is the same as a tutorial writes
// it): warped noise, droplets, sliding slopes, flow, mesh.
//
// Reads one request a line, {"work": NAME, ...}, and answers each with a line of JSON: wall and
// processor seconds of the work alone, and what was done. Heights count in cells, so that slopes
// are slopes; what the printed versions get wrong is mended (see each function).
"use strict";

const fs = require("node:fs");
const readline = require("node:readline");

const LIFETIME = 64;
const INERTIA = 0.05;
const MIN_SLOPE = 0.01;
const CAPACITY = 4;
const DEPOSITION = 0.3;
const EROSION = 0.3;
const GRAVITY = 4;
const EVAPORATION = 0.02;
const TALUS = 0.6;
const AMOUNT = 0.5;
const DIAGONAL = Math.SQRT2;

/** Numbers in [0, 1) from a seed: a counter, mixed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let t = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    t = Math.imul(t ^ (t >>> 15), 0x735a2d97);
    return ((t ^ (t >>> 15)) >>> 0) / 4294967296;
  };
}

/** Simplex noise in the plane, about -1 to 1, with a seeded table of permutations. */
function simplex(seed) {
  const table = new Uint8Array(512);
  const gx = new Float64Array(256);
  const gy = new Float64Array(256);
  const random = randomFrom(seed);
  for (let i = 0; i < 256; i++) {
    const j = Math.floor(random() * (i + 1));
    table[i] = table[j];
    table[j] = i;
  }
  for (let i = 0; i < 256; i++) {
    table[i + 256] = table[i];
    gx[i] = Math.cos((table[i] / 256) * 2 * Math.PI);
    gy[i] = Math.sin((table[i] / 256) * 2 * Math.PI);
  }
  const skew = (Math.sqrt(3) - 1) / 2;
  const back = (3 - Math.sqrt(3)) / 6;
  const corner = (x, y, at) => {
    const t = 0.5 - x * x - y * y;
    return t <= 0 ? 0 : t * t * t * t * (gx[at] * x + gy[at] * y);
  };
  return (x, y) => {
    const s = (x + y) * skew;
    const i = Math.floor(x + s);
    const j = Math.floor(y + s);
    const t = (i + j) * back;
    const x0 = x - i + t;
    const y0 = y - j + t;
    const right = x0 > y0 ? 1 : 0;
    const a = i & 255;
    const b = j & 255;
    const sum =
      corner(x0, y0, table[a + table[b]]) +
      corner(x0 - right + back, y0 - 1 + right + back, table[a + right + table[b + 1 - right]]) +
      corner(x0 - 1 + 2 * back, y0 - 1 + 2 * back, table[a + 1 + table[b + 1]]);
    return 99.2 * sum;
  };
}

/** Octaves of noise, each twice as fine and half as high, divided by the sum of amplitudes. */
function fbm(noise, x, y, octaves) {
  let sum = 0;
  let total = 0;
  let amplitude = 1;
  for (let k = 0; k < octaves; k++) {
    sum += amplitude * noise(x, y);
    total += amplitude;
    amplitude *= 0.5;
    x *= 2;
    y *= 2;
  }
  return sum / total;
}

/** Noise at places that two other fields displace; mended: the fields are independent. */
function warpedNoise(n, relief, seed) {
  const [noise, east, south] = [simplex(seed), simplex(seed + 1), simplex(seed + 2)];
  const h = new Float32Array(n * n);
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const px = x + 40 * fbm(east, x * 0.02, y * 0.02, 3);
      const py = y + 40 * fbm(south, x * 0.02, y * 0.02, 3);
      h[y * n + x] = relief * fbm(noise, px * 0.01, py * 0.01, 6);
    }
  }
  return h;
}

/** Give an amount to the four cells around a place (or take it) by the weights of sampling. */
function spread(h, n, at, fx, fy, amount) {
  h[at] += amount * (1 - fx) * (1 - fy);
  h[at + 1] += amount * fx * (1 - fy);
  h[at + n] += amount * (1 - fx) * fy;
  h[at + n + 1] += amount * fx * fy;
}

/**
 * Follow one droplet and return the steps it made within the map.
 *
 * Mended: earth is exchanged at the old place (at the new one heights run away), falling speeds
 * the water up, and what it still carries at its end is dropped there.
 */
function roll(h, n, random) {
  let x = random() * (n - 1);
  let y = random() * (n - 1);
  let dx = 0;
  let dy = 0;
  let speed = 1;
  let water = 1;
  let load = 0;
  for (let step = 0; step < LIFETIME; step++) {
    const i = Math.floor(x);
    const j = Math.floor(y);
    const fx = x - i;
    const fy = y - j;
    const at = j * n + i;
    const [a, b, c, d] = [h[at], h[at + 1], h[at + n], h[at + n + 1]];
    const gx = (b - a) * (1 - fy) + (d - c) * fy;
    const gy = (c - a) * (1 - fx) + (d - b) * fx;
    const here = (a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy;
    dx = dx * INERTIA - gx * (1 - INERTIA);
    dy = dy * INERTIA - gy * (1 - INERTIA);
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length < 1e-12) {
      spread(h, n, at, fx, fy, load);
      return step;
    }
    dx /= length;
    dy /= length;
    x += dx;
    y += dy;
    if (x < 0 || y < 0 || x >= n - 1 || y >= n - 1) return step;
    const ni = Math.floor(x);
    const nj = Math.floor(y);
    const nx = x - ni;
    const ny = y - nj;
    const to = nj * n + ni;
    const top = h[to] * (1 - nx) + h[to + 1] * nx;
    const bottom = h[to + n] * (1 - nx) + h[to + n + 1] * nx;
    const rise = top * (1 - ny) + bottom * ny - here;
    const capacity = Math.max(-rise, MIN_SLOPE) * speed * water * CAPACITY;
    let amount;
    if (rise > 0) amount = Math.min(rise, load);
    else if (load > capacity) amount = (load - capacity) * DEPOSITION;
    else amount = -Math.min((capacity - load) * EROSION, -rise);
    spread(h, n, at, fx, fy, amount);
    load -= amount;
    speed = Math.sqrt(Math.max(0, speed * speed - rise * GRAVITY));
    water *= 1 - EVAPORATION;
    if (water < 0.01 || step === LIFETIME - 1) {
      spread(h, n, to, nx, ny, load);
      return step + 1;
    }
  }
  return LIFETIME;
}

/** Let droplets fall one after the other; return the steps they made together. */
function rain(h, n, droplets, random) {
  let steps = 0;
  for (let k = 0; k < droplets; k++) steps += roll(h, n, random);
  return steps;
}

/** One pass of sliding into `out`; mended: a diagonal neighbour is √2 away. */
function slide(h, out, n) {
  const to = [-n - 1, -n, -n + 1, -1, 1, n - 1, n, n + 1];
  out.set(h);
  for (let y = 1; y < n - 1; y++) {
    for (let x = 1; x < n - 1; x++) {
      const at = y * n + x;
      const here = h[at];
      let worst = TALUS;
      let lowest = -1;
      for (let k = 0; k < 8; k++) {
        const far = k === 1 || k === 3 || k === 4 || k === 6 ? 1 : DIAGONAL;
        const slope = (here - h[at + to[k]]) / far;
        if (slope > worst) {
          worst = slope;
          lowest = k;
        }
      }
      if (lowest < 0) continue;
      const far = lowest === 1 || lowest === 3 || lowest === 4 || lowest === 6 ? 1 : DIAGONAL;
      const moved = (worst - TALUS) * far * AMOUNT * 0.5;
      out[at] -= moved;
      out[at + to[lowest]] += moved;
    }
  }
}

/** D8 accumulation from the highest cell to the lowest; rivers end in pits, none is filled. */
function accumulate(h, n) {
  const order = new Uint32Array(n * n);
  for (let k = 0; k < order.length; k++) order[k] = k;
  order.sort((a, b) => h[b] - h[a]);
  const flow = new Float32Array(n * n).fill(1);
  for (const at of order) {
    const x = at % n;
    const y = (at - x) / n;
    let steepest = 0;
    let lowest = -1;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const [nx, ny] = [x + dx, y + dy];
        if (nx < 0 || ny < 0 || nx >= n || ny >= n) continue;
        const to = ny * n + nx;
        const slope = (h[at] - h[to]) / (dx !== 0 && dy !== 0 ? DIAGONAL : 1);
        if (slope > steepest) {
          steepest = slope;
          lowest = to;
        }
      }
    }
    if (lowest >= 0) flow[lowest] += flow[at];
  }
  return flow;
}

/** Positions, normals, colours (grass to rock by slope, rivers blue) and triangles. */
function mesh(h, n, flow, cell) {
  const positions = new Float32Array(3 * n * n);
  const normals = new Float32Array(3 * n * n);
  const colours = new Float32Array(3 * n * n);
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const at = y * n + x;
      const [west, east] = [Math.max(x - 1, 0), Math.min(x + 1, n - 1)];
      const [north, south] = [Math.max(y - 1, 0), Math.min(y + 1, n - 1)];
      const gx = (h[y * n + east] - h[y * n + west]) / (east - west);
      const gy = (h[south * n + x] - h[north * n + x]) / (south - north);
      const up = 1 / Math.sqrt(1 + gx * gx + gy * gy);
      positions.set([(x - n / 2) * cell, h[at] * cell, (y - n / 2) * cell], 3 * at);
      normals.set([-gx * up, up, -gy * up], 3 * at);
      const grass = Math.min(1, Math.max(0, (up - 0.7) / 0.2));
      const river = Math.log(flow[at]) > 8 ? 1 : 0;
      const red = (0.35 + (0.25 - 0.35) * grass) * (1 - river) + 0.1 * river;
      const green = (0.3 + (0.52 - 0.3) * grass) * (1 - river) + 0.25 * river;
      const blue = (0.25 + (0.22 - 0.25) * grass) * (1 - river) + 0.55 * river;
      colours.set([red, green, blue], 3 * at);
    }
  }
  return { positions, normals, colours, triangles: triangles(n) };
}

function triangles(n) {
  const faces = new Uint32Array(6 * (n - 1) * (n - 1));
  let k = 0;
  for (let y = 0; y < n - 1; y++) {
    for (let x = 0; x < n - 1; x++) {
      const at = y * n + x;
      faces[k++] = at;
      faces[k++] = at + n;
      faces[k++] = at + 1;
      faces[k++] = at + 1;
      faces[k++] = at + n;
      faces[k++] = at + n + 1;
    }
  }
  return faces;
}

const WORKS = {
  /** Droplets alone on a land from a file of float32 heights in cells. */
  droplets({ file, size, droplets, seed }) {
    const bytes = fs.readFileSync(file);
    const h = new Float32Array(bytes.buffer, bytes.byteOffset, size * size).slice();
    return () => ({ droplets, steps: rain(h, size, droplets, randomFrom(seed)) });
  },
  /** Everything: noise, then batches of droplets with a pass of sliding after each, flow, mesh. */
  pipeline({ size, relief, batches, droplets, cell, seed }) {
    return () => {
      let h = warpedNoise(size, relief, seed);
      let other = new Float32Array(size * size);
      const random = randomFrom(seed + 3);
      let steps = 0;
      for (let k = 0; k < batches; k++) {
        steps += rain(h, size, droplets, random);
        slide(h, other, size);
        [h, other] = [other, h];
      }
      const made = mesh(h, size, accumulate(h, size), cell);
      return { droplets: droplets * batches, steps, triangles: made.triangles.length / 3 };
    };
  },
};

/** Time a work: the reading of its input does not count. */
function timed(works, request) {
  const work = works[request.work](request);
  const processor = process.cpuUsage();
  const began = process.hrtime.bigint();
  const done = work();
  const wall = Number(process.hrtime.bigint() - began) / 1e9;
  const spent = process.cpuUsage(processor);
  return { wall, processor: (spent.user + spent.system) / 1e6, ...done };
}

/** Answer requests until there are no more. */
function serve(works) {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    process.stdout.write(`${JSON.stringify(timed(works, JSON.parse(line)))}\n`);
  });
}

const LAW = {
  lifetime: LIFETIME,
  inertia: INERTIA,
  minSlope: MIN_SLOPE,
  capacity: CAPACITY,
  deposition: DEPOSITION,
  erosion: EROSION,
  gravity: GRAVITY,
  evaporation: EVAPORATION,
  talus: TALUS,
  amount: AMOUNT,
};
module.exports = { LAW, fbm, randomFrom, serve, simplex };
if (require.main === module) serve(WORKS);
