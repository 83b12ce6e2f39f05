/** One parameter: its words, a slider, a number field; or a choice, a switch, parts of a record. */

import { useId } from "preact/hooks";
import type { Json, JsonObject } from "../api/client.ts";
import { dragging } from "../engine.ts";
import { type Path, set } from "../state/draft.ts";
import { change } from "../state/history.ts";
import type { Parameter } from "../state/schema.ts";
import { draft } from "../state/store.ts";
import { figure, say } from "../texts.ts";
import { scaleOf } from "./scale.ts";

interface Props {
  readonly parameter: Parameter;
  readonly holder: JsonObject;
  /** Where the holder stands in the recipe. */
  readonly at: Path;
}

/** Changes a value of the recipe; the default is left out, so that links stay short. */
export function put(parameter: Parameter, at: Path, value: Json): void {
  const now = draft.peek();
  if (!now) return;
  const plain = JSON.stringify(value) === JSON.stringify(parameter.fallback) ? undefined : value;
  const path = [...at, parameter.name];
  change(set(now, path, plain), path.join("."));
}

export function ParameterField(props: Props) {
  const { parameter, holder, at } = props;
  const value = holder[parameter.name] ?? (parameter.name in holder ? null : parameter.fallback);
  const id = useId();
  const changed = parameter.name in holder;
  return (
    <div class={`parameter ${changed ? "changed" : ""}`} title={parameter.sentence}>
      <div class="words">
        <label for={id}>{parameter.label}</label>
        {changed && (
          <button
            type="button"
            class="plain"
            title={say("reset")}
            aria-label={`${say("reset")}: ${parameter.label}`}
            onClick={() => put(parameter, at, parameter.fallback)}
          >
            ↺
          </button>
        )}
      </div>
      <Value {...props} value={value} id={id} />
      <p class="sentence">{parameter.sentence}</p>
    </div>
  );
}

type ValueProps = Props & { readonly value: Json; readonly id: string };

function Value(props: ValueProps) {
  const { parameter, value, at, id } = props;
  if (parameter.optional && value === null) {
    return (
      <button
        type="button"
        id={id}
        class="quiet"
        onClick={() => put(parameter, at, first(parameter))}
      >
        {say("none")}
      </button>
    );
  }
  switch (parameter.kind) {
    case "number":
    case "count":
      return <NumberValue {...props} />;
    case "choice":
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
    case "switch":
      return (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={(e) => put(parameter, at, e.currentTarget.checked)}
        />
      );
    case "record":
      return (
        <fieldset id={id}>
          {parameter.parts.map((part) => (
            <ParameterField
              key={part.name}
              parameter={part}
              holder={(value ?? {}) as JsonObject}
              at={[...at, parameter.name]}
            />
          ))}
          {parameter.optional && <None {...props} />}
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

/** What a value begins with where none is the default. */
function first(parameter: Parameter): Json {
  if (parameter.kind === "record") return {};
  if (parameter.kind === "text") return "";
  const { least, most } = parameter;
  return least !== null && least > 0 ? Math.min(Math.max(least, 100), most ?? 100) : (least ?? 0);
}

function None({ parameter, at }: ValueProps) {
  return (
    <button type="button" class="quiet" onClick={() => put(parameter, at, null)}>
      {say("none")}
    </button>
  );
}

function NumberValue({ parameter, value, at, id, holder }: ValueProps) {
  const scale = scaleOf(parameter);
  const number = typeof value === "number" ? value : 0;
  const range = rangeWords(parameter);
  return (
    <div class="number">
      <input
        class="slide"
        type="range"
        min="0"
        max="1"
        step={parameter.kind === "count" ? 1 / Math.max(scale.most - scale.least, 1) : 0.002}
        value={scale.way(number)}
        aria-label={parameter.label}
        aria-valuetext={`${figure(number)} ${parameter.unit}`}
        onInput={(e) => {
          dragging.value = true;
          put(parameter, at, scale.value(e.currentTarget.valueAsNumber));
        }}
        onChange={() => {
          dragging.value = false;
        }}
      />
      <input
        id={id}
        type="number"
        step="any"
        min={parameter.least ?? undefined}
        max={parameter.most ?? undefined}
        value={number}
        title={range}
        onChange={(e) => {
          const typed = e.currentTarget.valueAsNumber;
          if (Number.isFinite(typed)) put(parameter, at, inBounds(parameter, typed));
        }}
      />
      <span class="unit">{parameter.unit}</span>
      {parameter.optional && <None {...{ parameter, value, at, id, holder }} />}
    </div>
  );
}

function inBounds({ least, most, kind }: Parameter, value: number): number {
  const inside = Math.min(Math.max(value, least ?? value), most ?? value);
  return kind === "count" ? Math.round(inside) : inside;
}

export function rangeWords({ least, most, unit }: Parameter): string {
  const [low, high] = [least === null ? "" : figure(least), most === null ? "" : figure(most)];
  const words =
    low && high
      ? say("outOf", { least: low, most: high })
      : low
        ? say("from", { least: low })
        : high
          ? say("upTo", { most: high })
          : "";
  return words && unit ? `${words} ${unit}` : words;
}

function ListValue({ parameter, value, at, id }: ValueProps) {
  const rows = Array.isArray(value) ? value : [];
  return (
    <ol id={id} class="rows">
      {rows.map((row, index) => (
        <li key={index}>
          {parameter.parts.map((part) => (
            <input
              key={part.name}
              type="number"
              step="any"
              aria-label={`${parameter.label} ${index + 1}, ${part.label}`}
              title={`${part.label} ${part.unit}`}
              value={Number((row as JsonObject)[part.name] ?? part.fallback ?? 0)}
              onChange={(e) => {
                const copy = rows.map((each) => ({ ...(each as JsonObject) }));
                const target = copy[index];
                if (target) target[part.name] = e.currentTarget.valueAsNumber;
                put(parameter, at, copy);
              }}
            />
          ))}
        </li>
      ))}
    </ol>
  );
}
