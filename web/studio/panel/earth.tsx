/** How much earth each step moved, as bars. */

import type { Report } from "../api/live.ts";
import { land } from "../state/store.ts";
import { say, volume } from "../texts.ts";

const MOVED = ["eroded", "deposited", "carried_out", "uplifted"] as const;
const WORDS = {
  eroded: "eroded",
  deposited: "deposited",
  carried_out: "carriedOut",
  uplifted: "uplifted",
} as const;

export function Earth() {
  const reports = merged(land.value.grown?.reports ?? []);
  const most = Math.max(...reports.flatMap((one) => MOVED.map((key) => one[key])), 0);
  if (most === 0) return null;
  return (
    <section aria-label={say("earth")}>
      <h2>{say("earth")}</h2>
      <table class="moves">
        <tbody>
          {reports.map((one) => (
            <tr key={one.op}>
              <th scope="row">{one.op.replace(/^\w+\./, "").replaceAll("_", " ")}</th>
              <td>
                {MOVED.filter((key) => one[key] > 0).map((key) => (
                  <div key={key} class={`moved ${key}`} title={say(WORDS[key])}>
                    <i style={{ width: `${Math.max(2, (60 * one[key]) / most)}%` }} />
                    <span>
                      {volume(one[key])} <small>{say(WORDS[key])}</small>
                    </span>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** One report for each kind of step that moved earth. */
export function merged(reports: readonly Report[]): Report[] {
  const found = new Map<string, Report>();
  for (const one of reports) {
    const sum = found.get(one.op);
    found.set(one.op, sum ? added(sum, one) : one);
  }
  return [...found.values()].filter((one) => MOVED.some((key) => one[key] > 0));
}

const added = (a: Report, b: Report): Report => ({
  ...a,
  seconds: a.seconds + b.seconds,
  eroded: a.eroded + b.eroded,
  deposited: a.deposited + b.deposited,
  carried_out: a.carried_out + b.carried_out,
  uplifted: a.uplifted + b.uplifted,
});
