/** What an export for a program asks: size, tiles, a place on the Earth, the program's own options. */

import { useId } from "preact/hooks";
import type { Json, TargetWords } from "../api/client.ts";
import { words } from "../state/schema.ts";
import { finalSize, largest } from "../state/store.ts";
import { say } from "../texts.ts";
import { options, place, size, tiles } from "./shipping.ts";

export function TargetForm({ target }: { target: TargetWords }) {
  return (
    <>
      <label class="field">
        <span>{say("exportSize")}</span>
        <input
          type="number"
          min={1}
          max={largest.value}
          placeholder={String(finalSize.value)}
          value={size.value}
          onInput={(e) => {
            size.value = e.currentTarget.value;
          }}
        />
      </label>
      <p class="hint">{say("exportSizes", { sizes: target.sizes })}</p>
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
      {Object.entries(target.options).map(([name, option]) => (
        <Option key={`${target.name}.${name}`} name={name} {...option} />
      ))}
    </>
  );
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

type OptionProps = { name: string } & TargetWords["options"][string];

function Option({ name, default: usual, meaning, choices }: OptionProps) {
  const id = useId();
  const value = options.value[name] ?? usual;
  const put = (next: Json) => {
    options.value = { ...options.peek(), [name]: next };
  };
  return (
    <div class="field">
      <label for={id}>
        {words(name)} <small>{meaning}</small>
      </label>
      {choices.length > 0 ? (
        <select
          id={id}
          value={String(value)}
          onChange={({ currentTarget: { value: text } }) =>
            put(choices.find((each) => String(each) === text) ?? usual)
          }
        >
          {choices.map((each) => (
            <option key={String(each)} value={String(each)}>
              {String(each)}
            </option>
          ))}
        </select>
      ) : typeof usual === "boolean" ? (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={(e) => put(e.currentTarget.checked)}
        />
      ) : typeof usual === "number" ? (
        <input
          id={id}
          type="number"
          step="any"
          value={String(value)}
          onChange={(e) => put(e.currentTarget.valueAsNumber || 0)}
        />
      ) : (
        <input
          id={id}
          type="text"
          value={String(value)}
          onChange={(e) => put(e.currentTarget.value)}
        />
      )}
    </div>
  );
}
