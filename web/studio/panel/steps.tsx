/** The recipe's steps as a list: added, removed, moved, switched off, opened for their values. */

import { useState } from "preact/hooks";
import type { JsonObject } from "../api/client.ts";
import { insert, move, type Path, remove, stepsOf, toggle } from "../state/draft.ts";
import { change } from "../state/history.ts";
import { type RecipeSchema, words } from "../state/schema.ts";
import { type Draft, draft } from "../state/store.ts";
import { say } from "../texts.ts";
import { ParameterField } from "./parameter.tsx";

interface Props {
  readonly schema: RecipeSchema;
  readonly holder: JsonObject;
  /** Where the list stands: ["steps"], or a repeat's. */
  readonly at: Path;
}

function edit(how: (now: Draft) => Draft): void {
  const now = draft.peek();
  if (now) change(how(now), "");
}

export function Steps({ schema, holder, at }: Props) {
  const steps = stepsOf(holder);
  return (
    <div class="steps">
      <ol aria-label={say("steps")}>
        {steps.map((step, index) => (
          <StepItem
            key={`${index}.${String(step.op)}`}
            {...{ schema, step, at, index, count: steps.length }}
          />
        ))}
      </ol>
      <AddStep schema={schema} at={at} count={steps.length} />
    </div>
  );
}

interface ItemProps {
  readonly schema: RecipeSchema;
  readonly step: JsonObject;
  readonly at: Path;
  readonly index: number;
  readonly count: number;
}

function StepItem({ schema, step, at, index, count }: ItemProps) {
  const [open, setOpen] = useState(false);
  const kind = schema.kinds.get(String(step.op));
  const here = [...at, index];
  const isTop = at.length === 1;
  const off = isTop && draft.value?.off.includes(index) === true;
  return (
    <li class={`step ${off ? "off" : ""}`} data-family={kind?.family ?? ""}>
      <div class="head">
        <button type="button" class="name" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class="dot" aria-hidden="true" />
          <span>{kind?.label ?? String(step.op)}</span>
          <small>{summary(step, schema)}</small>
        </button>
        {isTop && (
          <input
            type="checkbox"
            role="switch"
            checked={!off}
            aria-label={`${kind?.label}: ${off ? say("off") : say("on")}`}
            onChange={() => edit((now) => toggle(now, index))}
          />
        )}
      </div>
      {open && (
        <div class="body">
          <p class="about">{kind?.sentence}</p>
          {kind?.parameters.map((parameter) =>
            parameter.kind === "steps" ? (
              <Steps
                key={parameter.name}
                schema={schema}
                holder={step}
                at={[...here, parameter.name]}
              />
            ) : (
              <ParameterField key={parameter.name} parameter={parameter} holder={step} at={here} />
            ),
          )}
          <div class="row">
            <button
              type="button"
              disabled={index === 0}
              onClick={() => edit((now) => move(now, at, index, index - 1))}
            >
              ↑ {say("up")}
            </button>
            <button
              type="button"
              disabled={index === count - 1}
              onClick={() => edit((now) => move(now, at, index, index + 1))}
            >
              ↓ {say("down")}
            </button>
            <button
              type="button"
              disabled={count === 1}
              onClick={() => edit((now) => remove(now, at, index))}
            >
              ✕ {say("remove")}
            </button>
          </div>
        </div>
      )}
    </li>
  );
}

/** What a closed step says of itself: the layer it makes, or the steps that it repeats. */
function summary(step: JsonObject, schema: RecipeSchema): string {
  const inner = stepsOf(step).map(({ op }) => schema.kinds.get(String(op))?.label ?? "");
  if (inner.length > 0) return `${step.times ?? 10} × ${inner.join(", ")}`;
  return typeof step.into === "string" ? words(step.into) : "";
}

function AddStep({ schema, at, count }: { schema: RecipeSchema; at: Path; count: number }) {
  const families = Map.groupBy([...schema.kinds.values()], ({ family }) => family || "repeat");
  return (
    <select
      class="add"
      aria-label={say(at.length === 1 ? "addStep" : "addStepHere")}
      value=""
      onChange={(e) => {
        const op = e.currentTarget.value;
        if (op) edit((now) => insert(now, at, count, schema.fresh(op)));
        e.currentTarget.value = "";
      }}
    >
      <option value="">+ {say(at.length === 1 ? "addStep" : "addStepHere")}</option>
      {[...families].map(([family, kinds]) => (
        <optgroup key={family} label={family}>
          {kinds.map(({ op, label, sentence }) => (
            <option key={op} value={op} title={sentence}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
