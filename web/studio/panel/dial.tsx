/** A slider with its words and its number. */

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
  return (
    <label class="dial">
      <span>{words}</span>
      <output>{read}</output>
      <input
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
    </label>
  );
}
