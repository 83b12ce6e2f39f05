/** What an export for a program asks: size, tiles, a place on the Earth, the program's own options. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { type Planned, planned, type TargetWords } from "../api/client.ts";
import { finalSize, largest } from "../state/store.ts";
import { figure, say } from "../texts.ts";
import { OptionFields } from "./option_fields.tsx";
import { order, place, size, tiles } from "./shipping.ts";

/** What would be made is asked for so long after the last key [ms]. */
const AFTER_TYPING = 150;

export function TargetForm({ target }: { target: TargetWords }) {
  const plan = usePlan();
  return (
    <>
      <label class="field">
        <span>{say("exportSize")}</span>
        <input
          type="number"
          min={1}
          max={largest.value}
          placeholder={String(plan ? Math.max(plan.ny, plan.nx) : finalSize.value)}
          value={size.value}
          onInput={(e) => {
            size.value = e.currentTarget.value;
          }}
        />
      </label>
      <p class="hint">
        {say("exportSizes", { sizes: target.sizes })}{" "}
        <output>
          {plan && say("exportPlanned", { ny: plan.ny, nx: plan.nx })}{" "}
          {plan && !plan.whole && say("exportCut", { wide: km(plan.wide), deep: km(plan.deep) })}
        </output>
      </p>
      {target.tiles > 1 && <Tiles most={target.tiles} />}
      {target.placed && (
        <label class="field">
          <span>{say("exportPlace")}</span>
          <input
            type="text"
            inputMode="decimal"
            placeholder="8.55, 47.37"
            value={place.value}
            onInput={(e) => {
              place.value = e.currentTarget.value;
            }}
          />
        </label>
      )}
      <OptionFields of={target.name} options={target.options} />
    </>
  );
}

const km = (metres: number): string => figure(metres / 1000);

/** What will be grown, as the server says; null while it is not known. */
function usePlan() {
  const plan = useSignal<Planned | null>(null);
  useSignalEffect(() => {
    const asked = order();
    const timer = setTimeout(async () => {
      plan.value = asked && (await planned(asked).catch(() => null));
    }, AFTER_TYPING);
    return () => clearTimeout(timer);
  });
  return plan.value;
}

function Tiles({ most }: { most: number }) {
  return (
    <fieldset class="field pair">
      <legend>{say("exportTiles")}</legend>
      {([0, 1] as const).map((which) => (
        <input
          key={which}
          type="number"
          min={1}
          max={most}
          aria-label={say(which === 0 ? "tileRows" : "tileColumns")}
          value={tiles.value[which]}
          onChange={(e) => {
            const count = Math.min(
              Math.max(Math.round(e.currentTarget.valueAsNumber || 1), 1),
              most,
            );
            tiles.value = which === 0 ? [count, tiles.peek()[1]] : [tiles.peek()[0], count];
          }}
        />
      ))}
    </fieldset>
  );
}
