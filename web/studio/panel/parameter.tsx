/** One parameter: its words, its value in a form that suits its kind, its range, its default. */

import { useId } from "preact/hooks";
import type { Json, JsonObject } from "../api/client.ts";
import { isObject, type Path, set } from "../state/draft.ts";
import { change } from "../state/history.ts";
import type { Parameter } from "../state/schema.ts";
import { draft, known } from "../state/store.ts";
import { figure, say } from "../texts.ts";
import { IconButton } from "./icons.tsx";
import { LayerValue } from "./layer_name.tsx";
import { NumberValue } from "./number.tsx";
import { ListValue } from "./rows.tsx";

/** Edge of a cell [m] of a recipe that does not name it. */
const USUAL_CELL = 30;

export interface FieldProps {
  readonly parameter: Parameter;
  readonly holder: JsonObject;
  /** Where the holder stands in the recipe. */
  readonly at: Path;
  /** Layers that were made before. */
  readonly layers: readonly string[];
}

/** What draws a value: the field's own, and the id that its label names. */
export type ValueProps = FieldProps & { readonly value: Json; readonly id: string };

/** Changes a value of the recipe; the default is left out, so that links stay short. */
export function put(parameter: Parameter, at: Path, value: Json): void {
  const now = draft.peek();
  if (!now) return;
  const plain = JSON.stringify(value) === JSON.stringify(parameter.fallback) ? undefined : value;
  const path = [...at, parameter.name];
  change(set(now, path, plain), path.join("."));
}

export function ParameterField(props: FieldProps) {
  const { parameter, holder, at } = props;
  const { name, label, fallback, optional } = parameter;
  const changed = name in holder;
  const value = holder[name] ?? (changed ? null : fallback);
  const given = value !== null;
  const id = useId();
  return (
    <div class={`parameter ${changed ? "changed" : ""}`}>
      <div class="words">
        <label for={id}>{label}</label>
        {changed && !optional && (
          <IconButton
            icon="reset"
            class="plain"
            words={say("reset", { parameter: label, value: shown(parameter, fallback) })}
            onClick={() => put(parameter, at, fallback)}
          />
        )}
        {optional && (
          <button
            type="button"
            role="switch"
            class="switch"
            id={given ? undefined : id}
            aria-checked={given}
            aria-label={say("given", { parameter: label })}
            onClick={() => put(parameter, at, given ? null : first(parameter))}
          />
        )}
      </div>
      {given && <Value {...props} value={value} id={id} />}
      <p class="sentence">
        {parameter.sentence} <span class="range">{rangeWords(parameter)}</span>
      </p>
    </div>
  );
}

function Value(props: ValueProps) {
  const { parameter, value, at, layers, id } = props;
  switch (parameter.kind) {
    case "number":
    case "count":
      return <NumberValue {...props} />;
    case "choice":
      return <ChoiceValue {...props} />;
    case "layer":
      return <LayerValue {...props} />;
    case "switch":
      return (
        <button
          type="button"
          role="switch"
          class="switch"
          id={id}
          aria-checked={value === true}
          onClick={() => put(parameter, at, value !== true)}
        />
      );
    case "record":
      return (
        <fieldset id={id} aria-label={parameter.label}>
          {parameter.parts.map((part) => (
            <ParameterField
              key={part.name}
              parameter={part}
              holder={isObject(value) ? value : {}}
              at={[...at, parameter.name]}
              layers={layers}
            />
          ))}
        </fieldset>
      );
    case "list":
      return <ListValue {...props} />;
    default:
      return (
        <input
          id={id}
          type="text"
          value={String(value ?? "")}
          pattern={parameter.pattern || undefined}
          onChange={(e) => put(parameter, at, e.currentTarget.value)}
        />
      );
  }
}

function ChoiceValue({ parameter, value, at, id }: ValueProps) {
  return (
    <select
      id={id}
      value={String(value)}
      onChange={(e) => put(parameter, at, e.currentTarget.value)}
    >
      {parameter.choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

/** What a value begins with where none is the default. */
function first(parameter: Parameter): Json {
  const { kind, least, most, choices, unit } = parameter;
  if (kind === "record") return {};
  if (kind === "list") return [];
  if (kind === "switch") return true;
  if (kind === "choice") return choices[0] ?? "";
  if (kind === "text" || kind === "layer") return kind === "layer" ? "elevation" : "";
  const [low, high] = [least ?? Number.NEGATIVE_INFINITY, most ?? Number.POSITIVE_INFINITY];
  if (low <= 0 && high >= 0) return 0;
  const now = draft.peek();
  const cell = (now && known(now.recipe).grid?.cell_size) ?? USUAL_CELL;
  const usual = unit === "m" ? 4 * cell : 1;
  return Math.min(Math.max(usual, low), high);
}

/** A value as words: "33 °", "none". */
export function shown({ unit }: Parameter, value: Json): string {
  if (value === null) return say("none");
  if (typeof value === "number") return `${figure(value)} ${unit}`.trim();
  return typeof value === "object" ? "" : String(value);
}

export function rangeWords({ least, most, unit }: Parameter): string {
  const [low, high] = [least === null ? "" : figure(least), most === null ? "" : figure(most)];
  if (!low && !high) return "";
  const word = low && high ? "outOf" : low ? "from" : "upTo";
  return `${say(word, { least: low, most: high })} ${unit}`.trim();
}
