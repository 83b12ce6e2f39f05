/** Measuring: the land's figures beside real land's, the curves behind them, a river, moved earth. */

import { signal } from "@preact/signals";
import { work } from "../api/client.ts";
import { land, wanted } from "../state/store.ts";
import { duration, figure, say } from "../texts.ts";
import { Earth } from "./earth.tsx";
import { trying } from "./handing.ts";
import { Plot, type Points } from "./plot.tsx";
import { Profile } from "./profile.tsx";
import { announced } from "./rooms.ts";

interface Figure {
  readonly name: string;
  readonly title: string;
  readonly value: number | null;
  readonly unit: string;
  readonly real: readonly [number, number] | null;
  readonly meaning: string;
}

interface Curves {
  readonly hypsometry: Points;
  readonly slope_area: Points;
  readonly profiles: readonly Points[];
  readonly spectrum: Points;
}

interface Report {
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
  readonly curves: Curves | null;
  /** Of the land that was measured. */
  readonly digest: string;
}

const report = signal<Report | null>(null);
const under = signal<{ share: number; left: number | null } | null>(null);

/** Measures the land that is shown. */
async function measure(): Promise<void> {
  const { grown } = land.peek();
  const recipe = wanted.peek();
  if (!grown || !recipe) return;
  under.value = { share: 0, left: null };
  await trying(async () => {
    const asked = { kind: "measure", recipe, size: grown.size };
    const found = await work(asked, ({ share, left }) => {
      under.value = { share, left: left ?? null };
    });
    report.value = { ...(found as unknown as Report), digest: grown.digest };
    announced.value = say("measuredNow");
  });
  under.value = null;
}

export function Measuring() {
  const now = report.value;
  const busy = under.value;
  const { grown } = land.value;
  return (
    <>
      <p class="hint">{say("measureHint")}</p>
      <button
        type="button"
        class="main"
        disabled={busy !== null || !grown}
        onClick={() => void measure()}
      >
        {say("measureNow")}
      </button>
      {busy && (
        <label class="going">
          <progress value={busy.share || undefined} max={1} />
          <span>{busy.left ? say("left", { time: duration(busy.left) }) : say("measuring")}</span>
        </label>
      )}
      {now && grown && now.digest !== grown.digest && <p class="hint">{say("measuredBefore")}</p>}
      {now && <Figures figures={now.figures} notes={now.notes} />}
      {now?.curves && <CurvePlots curves={now.curves} />}
      <Profile />
      <Earth />
    </>
  );
}

function Figures({ figures, notes }: Pick<Report, "figures" | "notes">) {
  return (
    <table class="figures">
      <caption>{say("measured")}</caption>
      <thead>
        <tr>
          <th scope="col">{say("figure")}</th>
          <th scope="col">{say("here")}</th>
          <th scope="col">{say("realLand")}</th>
        </tr>
      </thead>
      <tbody>
        {figures.map((one) => (
          <FigureRow key={one.name} {...one} />
        ))}
      </tbody>
      {notes.length > 0 && (
        <tfoot>
          <tr>
            <td colSpan={3}>{notes.join(" ")}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Whether a value is one that real land has. */
const isReal = (value: number, [low, high]: readonly [number, number]) =>
  value >= low && value <= high;

function FigureRow({ title, value, unit, real, meaning }: Figure) {
  const shown = unit === "1" ? "" : unit;
  const verdict = value === null || !real ? "noRange" : isReal(value, real) ? "inside" : "outside";
  return (
    <tr class={verdict} title={meaning}>
      <th scope="row">{title}</th>
      <td>
        {value === null ? "–" : figure(value)} <small>{shown}</small>
      </td>
      <td>
        {real && <Range real={real} value={value} />}
        <small>{say(verdict)}</small>
      </td>
    </tr>
  );
}

/** Where a value lies beside the range of real land, which is the middle half of the bar. */
function Range({
  real: [low, high],
  value,
}: {
  real: readonly [number, number];
  value: number | null;
}) {
  const reach = high - low || 1;
  const at =
    value === null ? null : Math.min(Math.max((value - low + reach / 2) / (2 * reach), 0), 1);
  return (
    <svg
      class="range"
      viewBox="0 0 60 10"
      role="img"
      aria-label={say("outOf", { least: figure(low), most: figure(high) })}
    >
      <rect class="all" x="0" y="4" width="60" height="2" rx="1" />
      <rect class="real" x="15" y="3" width="30" height="4" rx="2" />
      {at !== null && <circle cx={3 + at * 54} cy="5" r="3" />}
    </svg>
  );
}

function CurvePlots({ curves }: { curves: Curves }) {
  const { slope_area: slopes, hypsometry, profiles, spectrum } = curves;
  return (
    <section class="plots" aria-label={say("curves")}>
      {slopes.length > 1 && (
        <Plot
          title={say("slopeArea")}
          x={{ label: say("drainageArea"), log: true }}
          y={{ label: say("slopeAxis"), log: true }}
          series={[{ points: slopes, as: "dots" }]}
        />
      )}
      {hypsometry.length > 1 && (
        <Plot
          title={say("hypsometry")}
          x={{ label: say("landAbove") }}
          y={{ label: say("ofRelief") }}
          series={[{ points: hypsometry, as: "area", colour: "leaf" }]}
        />
      )}
      {profiles.length > 0 && (
        <Plot
          title={say("mainRivers")}
          x={{ label: say("fromMouth") }}
          y={{ label: say("metres") }}
          series={profiles.map((points) => ({ points }))}
        />
      )}
      {spectrum.length > 1 && (
        <Plot
          title={say("spectrum")}
          x={{ label: say("wavelength"), log: true }}
          y={{ label: say("power"), log: true }}
          series={[{ points: spectrum, as: "dots", colour: "earth" }]}
        />
      )}
    </section>
  );
}
