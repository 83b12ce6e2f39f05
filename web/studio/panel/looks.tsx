/** Ways of looking: scene, map or both states; sun, haze, exaggeration; the map's layer. */

import { land, type Mode, schema, type View, view } from "../state/store.ts";
import { figure, say, type Word } from "../texts.ts";

const MODES: readonly Mode[] = ["scene", "map", "compare"];

interface Dial {
  readonly key: "azimuth" | "height" | "fog" | "exaggeration";
  readonly word: Word;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly unit: string;
}

const DIALS: readonly Dial[] = [
  { key: "azimuth", word: "sunAround", least: 0, most: 360, step: 1, unit: "°" },
  { key: "height", word: "sunHeight", least: 3, most: 88, step: 1, unit: "°" },
  { key: "fog", word: "haze", least: 0, most: 1, step: 0.01, unit: "" },
  { key: "exaggeration", word: "exaggeration", least: 0.25, most: 5, step: 0.05, unit: "×" },
];

const look = (change: Partial<View>) => {
  view.value = { ...view.peek(), ...change };
};

export function Looks() {
  const now = view.value;
  return (
    <section>
      <div class="modes" role="group">
        {MODES.map((mode) => (
          <button
            key={mode}
            type="button"
            aria-pressed={now.mode === mode}
            onClick={() => look({ mode })}
          >
            {say(mode)}
          </button>
        ))}
      </div>
      {DIALS.map(({ key, word, least, most, step, unit }) => (
        <label key={key} class="dial">
          <span>{say(word)}</span>
          <input
            type="range"
            min={least}
            max={most}
            step={step}
            value={now[key]}
            onInput={(e) => look({ [key]: e.currentTarget.valueAsNumber })}
          />
          <output>
            {figure(now[key], 2)} {unit}
          </output>
        </label>
      ))}
      <label class="dial">
        <span>{say("layer")}</span>
        <select value={now.layer} onChange={(e) => look({ layer: e.currentTarget.value })}>
          <option value="">{say("ownColours")}</option>
          {(land.value.grown?.layers ?? []).map((name) => (
            <option key={name} value={name} title={schema.value?.layers[name]?.meaning}>
              {name.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={now.contours}
          onChange={(e) => look({ contours: e.currentTarget.checked })}
        />
        {say("contours")}
      </label>
    </section>
  );
}
