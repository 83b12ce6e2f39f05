/** Ways of looking: scene, map or both states; sun, haze, exaggeration; the map's layer. */

import { words } from "../state/schema.ts";
import { land, type Mode, schema, type View, view } from "../state/store.ts";
import { say, type Word } from "../texts.ts";
import { Dial } from "./dial.tsx";
import { MapLegend } from "./legend.tsx";

export const MODES: readonly Mode[] = ["scene", "map", "compare"];

interface Turned {
  readonly key: "azimuth" | "height" | "fog" | "exaggeration";
  readonly word: Word;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly unit: string;
}

const DIALS: readonly Turned[] = [
  { key: "azimuth", word: "sunAround", least: 0, most: 360, step: 1, unit: "°" },
  { key: "height", word: "sunHeight", least: 3, most: 88, step: 1, unit: "°" },
  { key: "fog", word: "haze", least: 0, most: 1, step: 0.01, unit: "" },
  { key: "exaggeration", word: "exaggeration", least: 0.25, most: 12, step: 0.05, unit: "×" },
];

export const look = (change: Partial<View>) => {
  view.value = { ...view.peek(), ...change };
};

/** Layers and contours are the map's: who chooses one wants to see it. */
const lookAtMap = (change: Pick<Partial<View>, "layer" | "contours">) =>
  look(change.layer || change.contours ? { ...change, mode: "map" } : change);

export function Looks() {
  const now = view.value;
  const made = land.value.grown?.layers ?? [];
  const layers = !now.layer || made.includes(now.layer) ? made : [...made, now.layer];
  return (
    <>
      <fieldset class="modes" aria-label={say("view")}>
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
      </fieldset>
      <label class="field">
        <span>{say("layer")}</span>
        <select value={now.layer} onChange={(e) => lookAtMap({ layer: e.currentTarget.value })}>
          <option value="">{say("ownColours")}</option>
          {layers.map((name) => (
            <option key={name} value={name} title={schema.value?.layers[name]?.meaning}>
              {words(name)}
            </option>
          ))}
        </select>
      </label>
      {now.layer && <p class="hint">{schema.value?.layers[now.layer]?.meaning}</p>}
      <label class="check">
        <input
          type="checkbox"
          checked={now.contours}
          onChange={(e) => lookAtMap({ contours: e.currentTarget.checked })}
        />
        {say("contours")}
      </label>
      <MapLegend />
      <h2>{say("light")}</h2>
      {DIALS.map(({ key, word, ...dial }) => (
        <Dial
          key={key}
          {...dial}
          words={say(word)}
          value={now[key]}
          change={(value) => look({ [key]: value })}
        />
      ))}
    </>
  );
}
