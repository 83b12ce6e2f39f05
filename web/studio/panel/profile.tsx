/** The long profile of a river that was clicked, or chosen by name. */

import { signal, useSignalEffect } from "@preact/signals";
import { features, type Table } from "../api/client.ts";
import { clicked, land, river } from "../state/store.ts";
import { figure, quantity, say } from "../texts.ts";
import { distances } from "./droplet.tsx";
import { linesOf, nearestLine } from "./lines.ts";
import { Plot, type Points } from "./plot.tsx";

const RIVERS = "rivers";
/** How many rivers can be chosen from the list: the longest come first. */
const LISTED = 60;

const table = signal<{ readonly digest: string; readonly rows: Table } | null>(null);

/** Fetches the rivers of the land that is shown. */
async function fetchRivers(digest: string): Promise<void> {
  try {
    table.value = { digest, rows: await features(digest, RIVERS) };
  } catch {
    table.value = null; // the land was let go: the next one brings its own
  }
}

export function Profile() {
  const { grown } = land.value;
  const has = (grown?.features[RIVERS] ?? 0) > 0;
  useSignalEffect(() => {
    const now = land.value.grown;
    if (!now) return;
    if (table.peek()?.digest === now.digest) return;
    river.value = null;
    table.value = null;
    if ((now.features[RIVERS] ?? 0) > 0) void fetchRivers(now.digest);
  });
  useSignalEffect(() => {
    const place = clicked.value;
    const rows = table.peek()?.rows;
    if (place && rows) river.value = nearestLine(rows, place.x, place.y);
  });
  const rows = table.value?.rows;
  if (!has || !rows) return <p class="hint">{say("noRivers")}</p>;
  const chosen = river.value;
  return (
    <section aria-label={say("profile")}>
      <h2>{say("profile")}</h2>
      <label class="field">
        <span>{say("profileHint")}</span>
        <select
          value={chosen ?? ""}
          onChange={(e) => {
            river.value = e.currentTarget.value === "" ? null : Number(e.currentTarget.value);
          }}
        >
          <option value="">–</option>
          {listed(rows, chosen).map((row) => (
            <option key={row} value={row}>
              {say("riverNamed", {
                number: row + 1,
                length: figure((rows.columns.length?.[row] ?? 0) / 1000),
              })}
            </option>
          ))}
        </select>
      </label>
      {chosen !== null && <River rows={rows} row={chosen} />}
    </section>
  );
}

/** Rows of the list: the longest rivers, and the chosen one. */
function listed(rows: Table, chosen: number | null): number[] {
  const lengths = rows.columns.length ?? [];
  const first = lengths
    .map((length, row) => [length ?? 0, row] as const)
    .sort(([a], [b]) => b - a)
    .slice(0, LISTED)
    .map(([, row]) => row);
  return chosen === null || first.includes(chosen) ? first : [chosen, ...first];
}

function River({ rows, row }: { rows: Table; row: number }) {
  const points = linesOf(rows, row);
  const ways = distances(points.map(({ x, y }) => [x, y]));
  const over = (key: "surface" | "bed"): Points =>
    points.flatMap((point, index) => {
      const height = point[key];
      return height === null ? [] : [[(ways[index] ?? 0) / 1000, height] as const];
    });
  const told = Object.entries(rows.columns).filter(
    ([name]) => rows.units[name] || name === "order",
  );
  return (
    <>
      <Plot
        title={say("profileOf", { number: row + 1 })}
        x={{ label: say("fromSource") }}
        y={{ label: say("metres") }}
        series={[
          { points: over("surface"), name: say("riverSurface") },
          { points: over("bed"), colour: "earth", name: say("riverBed") },
        ]}
      />
      <dl class="told">
        {told.map(([name, column]) => (
          <div key={name}>
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd>{quantity(column[row] ?? Number.NaN, rows.units[name] ?? "")}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
