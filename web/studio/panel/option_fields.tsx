/** The options of an export, in forms that suit their kinds. */

import { useId } from "preact/hooks";
import type { Json, Options, OptionWords } from "../api/client.ts";
import { words } from "../state/schema.ts";
import { say } from "../texts.ts";
import { options } from "./shipping.ts";

/** `of` says whose they are, so that another's are fresh fields. */
export function OptionFields({ of, options: known }: { of: string; options: Options }) {
  return (
    <>
      {Object.entries(known).map(([name, option]) => (
        <Field key={`${of} ${name}`} name={name} option={option} />
      ))}
    </>
  );
}

/** Chooses a value; the usual one is not sent. */
function put(name: string, value: Json | undefined): void {
  const { [name]: _, ...others } = options.peek();
  options.value = value === undefined ? others : { ...others, [name]: value };
}

function Field({ name, option }: { name: string; option: OptionWords }) {
  const id = useId();
  const { kind, choices, meaning, unit } = option;
  const Input = choices.length > 0 ? Choices : kind === "switch" ? Switch : Typed;
  return (
    <div class="field">
      <label for={id}>
        <b>{words(name)}</b> {unit && `[${unit}]`} {meaning && `· ${meaning}`}
      </label>
      <Input id={id} name={name} option={option} />
    </div>
  );
}

interface InputProps {
  readonly id: string;
  readonly name: string;
  readonly option: OptionWords;
}

const USUAL = " ";

function Choices({ id, name, option: { choices, default: usual } }: InputProps) {
  return (
    <select
      id={id}
      value={String(options.value[name] ?? usual ?? USUAL)}
      onChange={({ currentTarget: { value: text } }) =>
        put(
          name,
          choices.find((each) => String(each) === text),
        )
      }
    >
      {usual === null && <option value={USUAL}>{say("exportUsual")}</option>}
      {choices.map((each) => (
        <option key={each} value={String(each)}>
          {each}
        </option>
      ))}
    </select>
  );
}

function Switch({ id, name, option }: InputProps) {
  return (
    <input
      id={id}
      type="checkbox"
      checked={(options.value[name] ?? option.default) === true}
      onChange={(e) => put(name, e.currentTarget.checked)}
    />
  );
}

function Typed({ id, name, option: { kind, default: usual, least, most } }: InputProps) {
  const shown = {
    id,
    placeholder: usual === null ? say("exportUsual") : String(usual),
    value: String(options.value[name] ?? usual ?? ""),
  };
  if (kind === "text")
    return (
      <input
        {...shown}
        type="text"
        onChange={(e) => put(name, e.currentTarget.value.trim() || undefined)}
      />
    );
  return (
    <input
      {...shown}
      type="number"
      step={kind === "count" ? 1 : "any"}
      min={least ?? undefined}
      max={most ?? undefined}
      onChange={({ currentTarget: { valueAsNumber: typed } }) =>
        put(name, Number.isFinite(typed) ? typed : undefined)
      }
    />
  );
}
