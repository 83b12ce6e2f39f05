/** Where a ray meets the land, and what is there: reckoned on the heights themselves. */

export interface Heights {
  /** [m], row 0 north. */
  readonly metres: Float32Array;
  readonly rows: number;
  readonly cols: number;
  /** Edge of a cell [m]. */
  readonly cell: number;
  /** The water's level [m]; below the ground where it is dry. */
  readonly levels: Float32Array | null;
}

type Point = readonly [number, number, number];

/** Elevation [m] at x east and y north of the land's middle [m], between the cells' middles. */
export function elevationAt({ metres, rows, cols, cell }: Heights, x: number, y: number): number {
  return between(metres, rows, cols, x / cell + cols / 2 - 0.5, rows / 2 - 0.5 - y / cell);
}

/** How steep the ground is there [°]. */
export function slopeAt(land: Heights, x: number, y: number): number {
  const h = land.cell;
  const east = elevationAt(land, x + h, y) - elevationAt(land, x - h, y);
  const north = elevationAt(land, x, y + h) - elevationAt(land, x, y - h);
  return (Math.atan(Math.hypot(east, north) / (2 * h)) * 180) / Math.PI;
}

/** Index of the cell at a place [m], or -1 beside the land. */
export function cellAt({ rows, cols, cell }: Heights, x: number, y: number): number {
  const [col, row] = [Math.floor(x / cell + cols / 2), Math.floor(rows / 2 - y / cell)];
  return col >= 0 && col < cols && row >= 0 && row < rows ? row * cols + col : -1;
}

/**
 * The first place [m] where a ray meets ground or water; null if it passes by.
 *
 * `from` and `way` are in metres: east, north, up (not exaggerated).
 */
export function meet(
  land: Heights,
  from: Point,
  way: Point,
  low: number,
  high: number,
): Point | null {
  const half = [(land.cols * land.cell) / 2, (land.rows * land.cell) / 2] as const;
  let [near, far] = [0, Number.POSITIVE_INFINITY];
  for (const [k, least, most] of [
    [0, -half[0], half[0]],
    [1, -half[1], half[1]],
    [2, low, high],
  ] as const) {
    const [start, step] = [from[k], way[k]];
    if (Math.abs(step) < 1e-12) {
      if (start < least || start > most) return null;
      continue;
    }
    const [a, b] = [(least - start) / step, (most - start) / step];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  if (near > far) return null;
  const at = (t: number): Point => [
    from[0] + way[0] * t,
    from[1] + way[1] * t,
    from[2] + way[2] * t,
  ];
  const above = (t: number) => {
    const [x, y, z] = at(t);
    return z - topAt(land, x, y);
  };
  const looks = Math.max(2, Math.ceil(((far - near) * Math.hypot(...way)) / (0.5 * land.cell)));
  if (above(near) < 0) return at(near);
  for (let n = 1; n <= looks; n++) {
    const t = near + ((far - near) * n) / looks;
    if (above(t) <= 0) return at(halved(above, near + ((far - near) * (n - 1)) / looks, t));
  }
  return null;
}

function halved(above: (t: number) => number, over: number, under: number): number {
  for (let round = 0; round < 24; round++) {
    const middle = (over + under) / 2;
    if (above(middle) > 0) over = middle;
    else under = middle;
  }
  return under;
}

function topAt(land: Heights, x: number, y: number): number {
  const ground = elevationAt(land, x, y);
  if (!land.levels) return ground;
  const { levels, rows, cols, cell } = land;
  return Math.max(
    ground,
    between(levels, rows, cols, x / cell + cols / 2 - 0.5, rows / 2 - 0.5 - y / cell),
  );
}

function between(
  values: Float32Array,
  rows: number,
  cols: number,
  col: number,
  row: number,
): number {
  const clamp = (n: number, most: number) => Math.min(Math.max(n, 0), most);
  const [x, y] = [clamp(col, cols - 1), clamp(row, rows - 1)];
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [x1, y1] = [Math.min(x0 + 1, cols - 1), Math.min(y0 + 1, rows - 1)];
  const at = (r: number, c: number) => values[r * cols + c] as number;
  const [s, t] = [x - x0, y - y0];
  return (
    (at(y0, x0) * (1 - s) + at(y0, x1) * s) * (1 - t) + (at(y1, x0) * (1 - s) + at(y1, x1) * s) * t
  );
}
