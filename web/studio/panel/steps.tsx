/** The recipe's steps as a list: added, moved, copied, removed, switched off, opened for their values. */

import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { JsonObject } from "../api/client.ts";
import { namesOf, newName, type Path, stepsOf } from "../state/draft.ts";
import type { RecipeSchema } from "../state/schema.ts";
import { say } from "../texts.ts";
import { Adding } from "./adding.tsx";
import { StepItem } from "./step.tsx";

/** Names (see `namesOf`) of the steps that are open. */
export const opened = signal<ReadonlySet<number>>(new Set());
const named = new WeakMap<JsonObject, number>();

/** Opens a step that is new to the list. */
export function openNew(step: JsonObject): void {
  const name = newName();
  named.set(step, name);
  opened.value = new Set([...opened.peek(), name]);
}

interface Props {
  readonly schema: RecipeSchema;
  readonly holder: JsonObject;
  /** Where the list stands: ["steps"], or a repeat's. */
  readonly at: Path;
  /** Layers that were made before the list. */
  readonly layers?: readonly string[];
}

export function Steps({ schema, holder, at, layers = [] }: Props) {
  const steps = stepsOf(holder);
  const before = useRef<readonly JsonObject[]>([]);
  const names = namesOf(steps, before.current, named);
  before.current = steps;
  return (
    <div class="steps">
      <ol aria-label={say("steps")}>
        {steps.map((step, index) => (
          <StepItem
            key={names[index]}
            name={names[index] ?? 0}
            schema={schema}
            step={step}
            at={at}
            index={index}
            count={steps.length}
            layers={[...layers, ...schema.layersMade(steps.slice(0, index))]}
          />
        ))}
      </ol>
      <Adding schema={schema} at={at} count={steps.length} />
    </div>
  );
}
