/** A small plot: lines, areas or dots over two axes. */

import { figure } from "../texts.ts";
import { type Axis, along, type Span, spanOf, ticks } from "./ticks.ts";

export type Points = readonly (readonly [number, number])[];

export interface Series {
  readonly points: Points;
  readonly as?: "line" | "dots" | "area";
  /** Which of the page's colours it has: "water", "earth", "leaf", "dim". */
  readonly colour?: string;
  readonly name?: string;
}

interface Props {
  readonly title: string;
  readonly series: readonly Series[];
  readonly x: Axis;
  readonly y: Axis;
}

const WIDTH = 260;
const HEIGHT = 128;
const LEFT = 38;
const BOTTOM = 30;
const TOP = 6;
const RIGHT = 8;

export function Plot({ title, series, x, y }: Props) {
  const all = series.flatMap(({ points }) => points);
  const across = spanOf(
    all.map(([each]) => each),
    x.log,
  );
  const up = spanOf(
    all.map(([, each]) => each),
    y.log,
  );
  const at = ([a, b]: readonly [number, number]): [number, number] => [
    LEFT + along(across, a) * (WIDTH - LEFT - RIGHT),
    HEIGHT - BOTTOM - along(up, b) * (HEIGHT - BOTTOM - TOP),
  ];
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}: ${y.label}, ${x.label}`}
      >
        <Grid across={across} up={up} at={at} />
        {series.map((one, index) => (
          <Drawn key={index} {...one} at={at} floor={HEIGHT - BOTTOM} />
        ))}
        <text class="axis" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 3} text-anchor="middle">
          {x.label}
        </text>
        <text
          class="axis"
          transform={`translate(8 ${(HEIGHT - BOTTOM + TOP) / 2}) rotate(-90)`}
          text-anchor="middle"
        >
          {y.label}
        </text>
      </svg>
      <Legend series={series} />
    </figure>
  );
}

type Place = (point: readonly [number, number]) => [number, number];

function Grid({ across, up, at }: { across: Span; up: Span; at: Place }) {
  return (
    <g class="grid">
      {ticks(up, 3).map((value) => {
        const [, place] = at([across.low, value]);
        return (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={place} y2={place} />
            <text x={LEFT - 4} y={place + 3} text-anchor="end">
              {figure(value, 2)}
            </text>
          </g>
        );
      })}
      {ticks(across, 4).map((value) => {
        const [place] = at([value, up.low]);
        return (
          <g key={value}>
            <line x1={place} x2={place} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM + 3} />
            <text
              x={place}
              y={HEIGHT - BOTTOM + 12}
              text-anchor={place > WIDTH - RIGHT - 8 ? "end" : "middle"}
            >
              {figure(value, 2)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function Drawn({
  points,
  as = "line",
  colour = "water",
  at,
  floor,
}: Series & { at: Place; floor: number }) {
  const places = points.map(at).filter((place) => place.every(Number.isFinite));
  if (as === "dots") {
    return (
      <g class={`dots ${colour}`}>
        {places.map(([px, py]) => (
          <circle key={`${px},${py}`} cx={px} cy={py} r="2.4" />
        ))}
      </g>
    );
  }
  const way = places.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join("L");
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return null;
  return (
    <g class={colour}>
      {as === "area" && (
        <path class="area" d={`M${first[0]},${floor}L${way}L${last[0]},${floor}Z`} />
      )}
      <path class="line" d={`M${way}`} />
    </g>
  );
}

function Legend({ series }: { series: readonly Series[] }) {
  const named = series.filter(({ name }) => name);
  if (named.length === 0) return null;
  return (
    <ul class="legend">
      {named.map(({ name, colour = "water" }) => (
        <li key={name}>
          <span class={`swatch ${colour}`} aria-hidden="true" /> {name}
        </li>
      ))}
    </ul>
  );
}
