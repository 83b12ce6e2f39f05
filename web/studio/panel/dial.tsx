/** A slider with its words and its number. */

import { useId } from "preact/hooks";
import { figure } from "../texts.ts";

interface Props {
  readonly words: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly value: number;
  readonly unit?: string;
  change(value: number): void;
}

export function Dial({ words, least, most, step, value, unit = "", change }: Props) {
  const read = `${figure(value, 2)} ${unit}`.trim();
  const id = useId();
  return (
    <div class="dial">
      <label for={id}>{words}</label>
      <span class="read">{read}</span>
      <input
        id={id}
        class="slide"
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        style={{ "--way": (value - least) / (most - least) }}
        aria-valuetext={read}
        onInput={(e) => change(e.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
