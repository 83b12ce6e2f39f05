/** A number: a slider over what is likely, and a field for all that is possible. */

import { batch } from "@preact/signals-core";
import { useRef } from "preact/hooks";
import type { Parameter } from "../state/schema.ts";
import { dragging } from "../state/store.ts";
import { figure } from "../texts.ts";
import { put, rangeWords, type ValueProps } from "./parameter.tsx";
import { type Scale, scaleOf } from "./scale.ts";

const letGo = () => {
  dragging.value = false;
};

export function NumberValue({ parameter, value, at, id }: ValueProps) {
  const number = typeof value === "number" ? value : 0;
  const scale = useScale(parameter, number);
  return (
    <div class="number">
      <input
        class="slide"
        type="range"
        min="0"
        max="1"
        step={stepOf(parameter, scale)}
        value={scale.way(number)}
        style={{ "--way": scale.way(number) }}
        aria-label={parameter.label}
        aria-valuetext={`${figure(number)} ${parameter.unit}`.trim()}
        onInput={(e) =>
          batch(() => {
            dragging.value = true;
            put(parameter, at, scale.value(e.currentTarget.valueAsNumber));
          })
        }
        onChange={letGo}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        onBlur={letGo}
      />
      <input
        id={id}
        type="number"
        step="any"
        min={parameter.least ?? undefined}
        max={parameter.most ?? undefined}
        value={number}
        title={rangeWords(parameter)}
        onChange={(e) => {
          const typed = e.currentTarget.valueAsNumber;
          if (Number.isFinite(typed)) put(parameter, at, inBounds(parameter, typed));
          e.currentTarget.value = String(
            Number.isFinite(typed) ? inBounds(parameter, typed) : number,
          );
        }}
      />
      <span class="unit">{parameter.unit}</span>
    </div>
  );
}

/** The slider's scale; it reaches farther once a value lies beyond it, but not in a drag. */
function useScale(parameter: Parameter, value: number): Scale {
  const kept = useRef<Scale | null>(null);
  const now = kept.current;
  if (!now || ((value < now.least || value > now.most) && !dragging.peek()))
    kept.current = scaleOf(parameter, value);
  return kept.current ?? scaleOf(parameter, value);
}

function stepOf({ kind }: Parameter, { least, most, even }: Scale): number {
  return kind === "count" && even && most - least < 500 ? 1 / Math.max(most - least, 1) : 0.002;
}

/** A typed number, as near as the bounds allow. */
export function inBounds({ least, most, kind }: Parameter, value: number): number {
  const inside = Math.min(Math.max(value, least ?? value), most ?? value);
  return kind === "count" ? Math.round(inside) : inside;
}
