// The textbook pipeline as a tutorial writes it: a class for the land whose methods return objects,
// a droplet that is an object, neighbours in a list, cells sorted by a comparator, a mesh that is
// pushed into arrays. The law, the figures and what is mended are those of pipeline.js, which is
// written for speed; nothing here is slowed down on purpose.
"use strict";

const fs = require("node:fs");
const { LAW, fbm, randomFrom, serve, simplex } = require("./pipeline.js");

const NEIGHBOURS = [];
for (let dy = -1; dy <= 1; dy++) {
  for (let dx = -1; dx <= 1; dx++) {
    if (dx !== 0 || dy !== 0) NEIGHBOURS.push({ dx, dy, distance: Math.hypot(dx, dy) });
  }
}

/** Heights of n × n places, in cells. */
class Heightfield {
  constructor(size, heights = new Float32Array(size * size)) {
    this.size = size;
    this.heights = heights;
  }

  get(x, y) {
    return this.heights[y * this.size + x];
  }

  set(x, y, height) {
    this.heights[y * this.size + x] = height;
  }

  add(x, y, amount) {
    this.heights[y * this.size + x] += amount;
  }

  contains(x, y) {
    return x >= 0 && y >= 0 && x < this.size && y < this.size;
  }

  copy() {
    return new Heightfield(this.size, this.heights.slice());
  }

  /** The cell of a place and where in it the place is. */
  locate({ x, y }) {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    return { column, row, u: x - column, v: y - row };
  }

  corners({ column, row }) {
    return {
      nw: this.get(column, row),
      ne: this.get(column + 1, row),
      sw: this.get(column, row + 1),
      se: this.get(column + 1, row + 1),
    };
  }

  sample(position) {
    const place = this.locate(position);
    const { nw, ne, sw, se } = this.corners(place);
    const { u, v } = place;
    return (nw * (1 - u) + ne * u) * (1 - v) + (sw * (1 - u) + se * u) * v;
  }

  gradient(position) {
    const place = this.locate(position);
    const { nw, ne, sw, se } = this.corners(place);
    const { u, v } = place;
    return { x: (ne - nw) * (1 - v) + (se - sw) * v, y: (sw - nw) * (1 - u) + (se - ne) * u };
  }

  /** Give an amount to the four cells around a place. */
  deposit(position, amount) {
    const { column, row, u, v } = this.locate(position);
    this.add(column, row, amount * (1 - u) * (1 - v));
    this.add(column + 1, row, amount * u * (1 - v));
    this.add(column, row + 1, amount * (1 - u) * v);
    this.add(column + 1, row + 1, amount * u * v);
  }

  /** The neighbour of a cell to which it falls most steeply, if more than `least`. */
  steepest(x, y, least) {
    let best = null;
    for (const { dx, dy, distance } of NEIGHBOURS) {
      if (!this.contains(x + dx, y + dy)) continue;
      const slope = (this.get(x, y) - this.get(x + dx, y + dy)) / distance;
      if (slope > (best ? best.slope : least)) best = { x: x + dx, y: y + dy, slope, distance };
    }
    return best;
  }
}

class Droplet {
  constructor(position) {
    this.position = position;
    this.direction = { x: 0, y: 0 };
    this.speed = 1;
    this.water = 1;
    this.sediment = 0;
  }

  /** Turn by the slope under it; false where it stands still. */
  turn(land) {
    const slope = land.gradient(this.position);
    const x = this.direction.x * LAW.inertia - slope.x * (1 - LAW.inertia);
    const y = this.direction.y * LAW.inertia - slope.y * (1 - LAW.inertia);
    const length = Math.sqrt(x * x + y * y);
    if (length < 1e-12) return false;
    this.direction = { x: x / length, y: y / length };
    return true;
  }

  /** What it leaves at its place (below 0: takes) when the ground rises so much ahead. */
  exchange(rise) {
    const capacity = Math.max(-rise, LAW.minSlope) * this.speed * this.water * LAW.capacity;
    if (rise > 0) return Math.min(rise, this.sediment);
    if (this.sediment > capacity) return (this.sediment - capacity) * LAW.deposition;
    return -Math.min((capacity - this.sediment) * LAW.erosion, -rise);
  }

  /** Roll to its end; return the steps made within the map. */
  run(land) {
    const last = land.size - 1;
    for (let step = 0; step < LAW.lifetime; step++) {
      const before = this.position;
      if (!this.turn(land)) {
        land.deposit(before, this.sediment);
        return step;
      }
      const next = { x: before.x + this.direction.x, y: before.y + this.direction.y };
      if (next.x < 0 || next.y < 0 || next.x >= last || next.y >= last) return step;
      const rise = land.sample(next) - land.sample(before);
      const amount = this.exchange(rise);
      land.deposit(before, amount);
      this.sediment -= amount;
      this.position = next;
      this.speed = Math.sqrt(Math.max(0, this.speed * this.speed - rise * LAW.gravity));
      this.water *= 1 - LAW.evaporation;
      if (this.water < 0.01 || step === LAW.lifetime - 1) {
        land.deposit(next, this.sediment);
        return step + 1;
      }
    }
    return LAW.lifetime;
  }
}

function rain(land, droplets, random) {
  let steps = 0;
  for (let k = 0; k < droplets; k++) {
    const droplet = new Droplet({ x: random() * (land.size - 1), y: random() * (land.size - 1) });
    steps += droplet.run(land);
  }
  return steps;
}

function warpedNoise(size, relief, seed) {
  const [noise, east, south] = [simplex(seed), simplex(seed + 1), simplex(seed + 2)];
  const land = new Heightfield(size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const px = x + 40 * fbm(east, x * 0.02, y * 0.02, 3);
      const py = y + 40 * fbm(south, x * 0.02, y * 0.02, 3);
      land.set(x, y, relief * fbm(noise, px * 0.01, py * 0.01, 6));
    }
  }
  return land;
}

/** One pass of sliding: what is too steep goes to the steepest neighbour. */
function slide(land) {
  const after = land.copy();
  for (let y = 1; y < land.size - 1; y++) {
    for (let x = 1; x < land.size - 1; x++) {
      const to = land.steepest(x, y, LAW.talus);
      if (!to) continue;
      const moved = (to.slope - LAW.talus) * to.distance * LAW.amount * 0.5;
      after.add(x, y, -moved);
      after.add(to.x, to.y, moved);
    }
  }
  return after;
}

function accumulate(land) {
  const { size, heights } = land;
  const flow = new Array(size * size).fill(1);
  const order = flow.map((_, cell) => cell).sort((a, b) => heights[b] - heights[a]);
  for (const cell of order) {
    const to = land.steepest(cell % size, Math.floor(cell / size), 0);
    if (to) flow[to.y * size + to.x] += flow[cell];
  }
  return flow;
}

function colourOf(up, drained) {
  if (Math.log(drained) > 8) return { r: 0.1, g: 0.25, b: 0.55 };
  const grass = Math.min(1, Math.max(0, (up - 0.7) / 0.2));
  return { r: 0.35 - 0.1 * grass, g: 0.3 + 0.22 * grass, b: 0.25 - 0.03 * grass };
}

function normalOf(land, x, y) {
  const last = land.size - 1;
  const [west, east] = [Math.max(x - 1, 0), Math.min(x + 1, last)];
  const [north, south] = [Math.max(y - 1, 0), Math.min(y + 1, last)];
  const gx = (land.get(east, y) - land.get(west, y)) / (east - west);
  const gy = (land.get(x, south) - land.get(x, north)) / (south - north);
  const up = 1 / Math.sqrt(1 + gx * gx + gy * gy);
  return { x: -gx * up, y: up, z: -gy * up };
}

function mesh(land, flow, cell) {
  const [positions, normals, colours, triangles] = [[], [], [], []];
  const { size } = land;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const normal = normalOf(land, x, y);
      const colour = colourOf(normal.y, flow[y * size + x]);
      positions.push((x - size / 2) * cell, land.get(x, y) * cell, (y - size / 2) * cell);
      normals.push(normal.x, normal.y, normal.z);
      colours.push(colour.r, colour.g, colour.b);
    }
  }
  for (let y = 0; y < size - 1; y++) {
    for (let x = 0; x < size - 1; x++) {
      const at = y * size + x;
      triangles.push(at, at + size, at + 1, at + 1, at + size, at + size + 1);
    }
  }
  const [places, facing] = [new Float32Array(positions), new Float32Array(normals)];
  return { places, facing, colours: new Float32Array(colours), triangles: new Uint32Array(triangles) };
}

serve({
  droplets({ file, size, droplets, seed }) {
    const bytes = fs.readFileSync(file);
    const heights = new Float32Array(bytes.buffer, bytes.byteOffset, size * size).slice();
    const land = new Heightfield(size, heights);
    return () => ({ droplets, steps: rain(land, droplets, randomFrom(seed)) });
  },
  pipeline({ size, relief, batches, droplets, cell, seed }) {
    return () => {
      let land = warpedNoise(size, relief, seed);
      const random = randomFrom(seed + 3);
      let steps = 0;
      for (let k = 0; k < batches; k++) {
        steps += rain(land, droplets, random);
        land = slide(land);
      }
      const made = mesh(land, accumulate(land), cell);
      return { droplets: droplets * batches, steps, triangles: made.triangles.length / 3 };
    };
  },
});
