/** Choosing a step to add: searched by name and sentence, grouped by family. */

import { useState } from "preact/hooks";
import { insert, type Path } from "../state/draft.ts";
import type { RecipeSchema, StepKind } from "../state/schema.ts";
import { say } from "../texts.ts";
import { Icon } from "./icons.tsx";
import { Modal } from "./modal.tsx";
import { announced } from "./rooms.ts";
import { edit } from "./step.tsx";
import { openNew } from "./steps.tsx";

interface Props {
  readonly schema: RecipeSchema;
  readonly at: Path;
  readonly count: number;
}

export function Adding({ schema, at, count }: Props) {
  const [open, setOpen] = useState(false);
  const [asked, ask] = useState("");
  /** The kind that holds steps, while the first of them is chosen. */
  const [around, setAround] = useState<StepKind | null>(null);
  const begin = () => {
    ask("");
    setAround(null);
    setOpen(true);
  };
  const choose = (kind: StepKind) => {
    ask("");
    if (schema.holds(kind.op)) {
      setAround(kind);
      return;
    }
    const step = around ? schema.fresh(around.op, [schema.fresh(kind.op)]) : schema.fresh(kind.op);
    openNew(step);
    edit((now) => insert(now, at, count, step));
    const place = [...at, count].join(".");
    requestAnimationFrame(() =>
      document.querySelector(`[data-place="${place}"]`)?.scrollIntoView({ block: "nearest" }),
    );
    announced.value = say("added", { step: kind.label });
    setOpen(false);
  };
  const kinds = [...schema.kinds.values()].filter(
    (kind) => !(schema.holds(kind.op) && (around || at.length > 1)),
  );
  const words = say(at.length === 1 ? "addStep" : "addStepHere");
  const title = around ? say("addInside", { step: around.label }) : words;
  return (
    <>
      <button type="button" class="add" onClick={begin}>
        <Icon name="plus" /> {words}
      </button>
      <Modal class="choosing" title={title} open={open} close={() => setOpen(false)}>
        <Choices kinds={kinds} asked={asked} ask={ask} choose={choose} />
      </Modal>
    </>
  );
}

interface ChoicesProps {
  readonly kinds: readonly StepKind[];
  readonly asked: string;
  ask(text: string): void;
  choose(kind: StepKind): void;
}

function Choices({ kinds, asked, ask, choose }: ChoicesProps) {
  const found = kinds.filter((kind) => fits(kind, asked));
  return (
    <>
      <input
        data-first
        type="search"
        value={asked}
        placeholder={say("search")}
        aria-label={say("search")}
        onInput={(e) => ask(e.currentTarget.value)}
        onKeyDown={(e) => {
          const [first] = found;
          if (e.key === "Enter" && first) choose(first);
        }}
      />
      <div class="families">
        {[...Map.groupBy(found, ({ family }) => family)].map(([family, members]) => (
          <section key={family} data-family={family}>
            <h3>
              <span class="dot" aria-hidden="true" /> {family || say("together")}
            </h3>
            {members.map((kind) => (
              <button key={kind.op} type="button" class="kind" onClick={() => choose(kind)}>
                <b>{kind.label}</b>
                <span>{kind.sentence}</span>
              </button>
            ))}
          </section>
        ))}
        {found.length === 0 && <p class="hint">{say("nothingFound")}</p>}
      </div>
    </>
  );
}

/** Whether every word that was typed stands in a kind's name or sentence. */
function fits({ op, label, sentence }: StepKind, asked: string): boolean {
  const text = `${op} ${label} ${sentence}`.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
