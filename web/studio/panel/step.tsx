/** One step of the list: closed a line, open its parameters. */

import type { JsonObject } from "../api/client.ts";
import { drawnAs, duplicate, move, type Path, placeIn, remove, toggle } from "../state/draft.ts";
import { change } from "../state/history.ts";
import type { Parameter, RecipeSchema, StepKind } from "../state/schema.ts";
import { type Draft, draft, trouble } from "../state/store.ts";
import { say } from "../texts.ts";
import { Icon, IconButton } from "./icons.tsx";
import { ParameterField } from "./parameter.tsx";
import { dragStep } from "./reorder.ts";
import { announced, galleryOpen } from "./rooms.ts";
import { opened, Steps } from "./steps.tsx";

interface ItemProps {
  readonly name: number;
  readonly schema: RecipeSchema;
  readonly step: JsonObject;
  readonly at: Path;
  readonly index: number;
  readonly count: number;
  readonly layers: readonly string[];
}

export function edit(how: (now: Draft) => Draft): void {
  const now = draft.peek();
  if (now) change(how(now), "");
}

export function StepItem(props: ItemProps) {
  const { name, schema, step, at, index } = props;
  const kind = schema.kinds.get(String(step.op));
  const here = [...at, index];
  const isOpen = opened.value.has(name);
  const off = at.length === 1 && draft.value?.off.includes(index) === true;
  const wrong = troubleAt(here);
  const label = kind?.label ?? String(step.op);
  return (
    <li
      class={`step ${off ? "off" : ""} ${wrong ? "wrong" : ""}`}
      data-family={kind?.family ?? ""}
      data-place={here.join(".")}
    >
      <div class="head">
        <span
          class="grip"
          title={say("dragStep")}
          onPointerDown={(e) => dragStep(e, (to) => moveTo(at, index, to, label))}
        >
          <Icon name="grip" />
        </span>
        <button
          type="button"
          class="name"
          aria-expanded={isOpen}
          title={kind?.sentence}
          onClick={() => flip(name)}
          onKeyDown={(e) => moveByKey(e, props, label)}
        >
          <span class="dot" aria-hidden="true" />
          <span class="label">{label}</span>
          <small>{schema.summary(step)}</small>
        </button>
        {at.length === 1 && (
          <button
            type="button"
            role="switch"
            class="switch"
            aria-checked={!off}
            aria-label={say("stepOn", { step: label })}
            title={say(off ? "off" : "on")}
            onClick={() => edit((now) => toggle(now, index))}
          />
        )}
      </div>
      {wrong && (
        <p class="wrongly" role="alert">
          {wrong}
        </p>
      )}
      {isOpen && <Body {...props} kind={kind} label={label} />}
    </li>
  );
}

function Body(props: ItemProps & { kind: StepKind | undefined; label: string }) {
  const { kind, label, schema, step, at, index, count, layers } = props;
  const here = [...at, index];
  const all = kind?.parameters ?? [];
  const isExtra = (one: Parameter) => one.optional && !(one.name in step);
  const field = (parameter: Parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      holder={step}
      at={here}
      layers={layers}
    />
  );
  const holds = schema.holds(String(step.op));
  const extras = all.filter(isExtra);
  return (
    <div class="body">
      <p class="about">{kind?.sentence}</p>
      {all.filter((one) => one !== holds && !isExtra(one)).map(field)}
      {holds && <Steps schema={schema} holder={step} at={[...here, holds.name]} layers={layers} />}
      {extras.length > 0 && (
        <details>
          <summary>{say("extras", { count: extras.length })}</summary>
          {extras.map(field)}
        </details>
      )}
      <div class="group tools">
        <IconButton
          icon="up"
          words={say("up")}
          keys="Alt+ArrowUp"
          disabled={index === 0}
          onClick={() => moveTo(at, index, index - 1, label)}
        />
        <IconButton
          icon="down"
          words={say("down")}
          keys="Alt+ArrowDown"
          disabled={index === count - 1}
          onClick={() => moveTo(at, index, index + 1, label)}
        />
        <IconButton
          icon="copy"
          words={say("duplicate")}
          onClick={() => edit((now) => duplicate(now, at, index))}
        />
        <IconButton
          icon="bin"
          words={say("remove")}
          disabled={count === 1}
          onClick={() => edit((now) => remove(now, at, index))}
        />
      </div>
    </div>
  );
}

function flip(name: number): void {
  const next = new Set(opened.peek());
  if (!next.delete(name)) next.add(name);
  opened.value = next;
  galleryOpen.value = false;
}

function moveTo(at: Path, from: number, to: number, label: string): void {
  edit((now) => move(now, at, from, to));
  announced.value = say("moved", { step: label, place: to + 1 });
  const place = [...at, to].join(".");
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-place="${place}"] .name`)?.focus(),
  );
}

function moveByKey(event: KeyboardEvent, { at, index, count }: ItemProps, label: string): void {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!by || !event.altKey) return;
  event.preventDefault();
  const to = index + by;
  if (to >= 0 && to < count) moveTo(at, index, to, label);
}

/** The engine's sentence about this step, unless it is about a step inside. */
function troubleAt(here: Path): string {
  const now = draft.value;
  const place = trouble.value && now ? placeIn(trouble.value) : null;
  if (!place || !now) return "";
  const drawn = drawnAs(now, place);
  const steps = here.length;
  const inside = drawn[steps] === "steps" && typeof drawn[steps + 1] === "number";
  const isHere = here.every((key, index) => drawn[index] === key);
  return isHere && !inside ? trouble.value : "";
}
