/** A list of records: a row each, with a colour to pick where a row holds red, green and blue. */

import type { JsonObject } from "../api/client.ts";
import { isObject } from "../state/draft.ts";
import type { Parameter } from "../state/schema.ts";
import { say } from "../texts.ts";
import { fromHex, LIGHTS, toHex } from "./colour.ts";
import { Icon, IconButton } from "./icons.tsx";
import { inBounds } from "./number.tsx";
import { put, type ValueProps } from "./parameter.tsx";

export function ListValue({ parameter, value, at, id }: ValueProps) {
  const rows = (Array.isArray(value) ? value : []).filter(isObject);
  const coloured = LIGHTS.every((light) => parameter.parts.some(({ name }) => name === light));
  const plain = parameter.parts.filter(
    ({ name }) => !(coloured && (LIGHTS as readonly string[]).includes(name)),
  );
  const putRow = (index: number, row: JsonObject | null) =>
    put(
      parameter,
      at,
      rows.flatMap((each, place) => (place === index ? (row ? [row] : []) : [each])),
    );
  return (
    <fieldset id={id} class="rows" aria-label={parameter.label}>
      {rows.map((row, index) => (
        <div key={index} class="row">
          {coloured && (
            <input
              type="color"
              aria-label={say("colourOf", { row: index + 1 })}
              value={toHex(row)}
              onChange={(e) => putRow(index, { ...row, ...fromHex(e.currentTarget.value) })}
            />
          )}
          {plain.map((part) => (
            <NumberCell
              key={part.name}
              part={part}
              row={row}
              words={`${part.label} ${index + 1}`}
              put={(next) => putRow(index, next)}
            />
          ))}
          <IconButton
            icon="close"
            class="plain"
            words={say("removeRow", { row: index + 1 })}
            onClick={() => putRow(index, null)}
          />
        </div>
      ))}
      <button
        type="button"
        class="add"
        onClick={() => put(parameter, at, [...rows, { ...(rows.at(-1) ?? fresh(parameter)) }])}
      >
        <Icon name="plus" /> {say("addRow")}
      </button>
    </fieldset>
  );
}

interface CellProps {
  readonly part: Parameter;
  readonly row: JsonObject;
  readonly words: string;
  put(row: JsonObject): void;
}

function NumberCell({ part, row, words, put: putRow }: CellProps) {
  return (
    <label class="cell">
      <input
        type="number"
        step="any"
        aria-label={words}
        min={part.least ?? undefined}
        max={part.most ?? undefined}
        value={Number(row[part.name] ?? part.fallback ?? 0)}
        onChange={(e) => {
          const typed = e.currentTarget.valueAsNumber;
          if (Number.isFinite(typed)) putRow({ ...row, [part.name]: inBounds(part, typed) });
        }}
      />
      <span class="unit">{part.unit || part.label}</span>
    </label>
  );
}

const fresh = ({ parts }: Parameter): JsonObject =>
  Object.fromEntries(parts.map(({ name, fallback, least }) => [name, fallback ?? least ?? 0]));
