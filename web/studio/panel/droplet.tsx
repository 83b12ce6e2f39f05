/** The way of the droplet that was let fall last: its water, speed and sediment. */

import { CARRIES, droplet } from "../state/store.ts";
import { figure, say } from "../texts.ts";
import { Plot, type Points } from "./plot.tsx";

/** What each point holds: x, y, elevation, water, speed, sediment. */
const [ELEVATION, WATER, SPEED, SEDIMENT] = [2, 3, 4, 5] as const;

export function Droplet() {
  const points = droplet.value;
  if (points.length < 2) return <p class="hint">{say("drop")}</p>;
  const ways = distances(points);
  const over = (column: number, scale = 1): Points =>
    points.map((point, index) => [ways[index] ?? 0, (point[column] ?? 0) * scale]);
  const fallen = (points[0]?.[ELEVATION] ?? 0) - (points.at(-1)?.[ELEVATION] ?? 0);
  const x = { label: say("dropletWay") };
  return (
    <section class="droplet" aria-label={say("droplet")}>
      <h3>{say("droplet")}</h3>
      <p class="hint">
        {say("dropletSaid", {
          steps: points.length - 1,
          way: figure(ways.at(-1) ?? 0),
          fall: figure(fallen),
        })}
      </p>
      <Reading />
      <Plot
        title={say("dropletWater")}
        x={x}
        y={{ label: "" }}
        series={[
          { points: over(WATER), name: say("water") },
          { points: over(SPEED), colour: "leaf", name: say("dropletSpeed") },
        ]}
      />
      <Plot
        title={say("dropletSediment")}
        x={x}
        y={{ label: say("metres") }}
        series={[{ points: over(SEDIMENT), as: "area", colour: "earth" }]}
      />
    </section>
  );
}

/** How the line on the land is read. */
function Reading() {
  const colours = `linear-gradient(to right, ${CARRIES.nothing}, ${CARRIES.most})`;
  return (
    <ul class="reading">
      <li>
        <i class="wedge" aria-hidden="true" /> {say("readWidth")}
      </li>
      <li>
        <i style={{ background: colours }} aria-hidden="true" /> {say("readColour")}
      </li>
      <li>
        <i class="dashes" aria-hidden="true" /> {say("readDashes")}
      </li>
    </ul>
  );
}

/** Way from the first point to each [m]. */
export function distances(points: readonly (readonly number[])[]): number[] {
  let way = 0;
  return points.map((point, index) => {
    const [x = 0, y = 0] = point;
    const [px = x, py = y] = points[index - 1] ?? point;
    way += Math.hypot(x - px, y - py);
    return way;
  });
}
