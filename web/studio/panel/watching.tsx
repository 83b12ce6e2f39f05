/** Watching the land being made: what, play, pause, one field further, how fast; one droplet's way. */

import { useComputed } from "@preact/signals";
import { useState } from "preact/hooks";
import type { JsonObject } from "../api/client.ts";
import { type Engine, watched } from "../engine.ts";
import { drawnAs, type Path, seenAs, stepsOf, valueAt } from "../state/draft.ts";
import { RecipeSchema } from "../state/schema.ts";
import { before, doing, draft, drift, schema, view } from "../state/store.ts";
import { say } from "../texts.ts";
import { Dial } from "./dial.tsx";
import { Droplet } from "./droplet.tsx";
import { IconButton } from "./icons.tsx";
import { look } from "./looks.tsx";
import { ParameterField } from "./parameter.tsx";

const FIRST_SPEED = 30;
const FASTEST = 120;
/** How long noise may flow [s]. */
const LONGEST_FLOW = 60;

export function Watching({ engine }: { engine: Engine }) {
  const read = useComputed(() => (schema.value ? new RecipeSchema(schema.value.recipe) : null));
  /** Place of the watched step in the draft; "" for the whole recipe. */
  const [place, setPlace] = useState("");
  const [speed, setSpeed] = useState(FIRST_SPEED);
  const now = draft.value;
  if (!now || !read.value) return null;
  const index = place === "" ? null : Number(place);
  const path: Path | null = index === null ? null : ["steps", index];
  const begin = (to: Path | null) =>
    engine.watch(to === null ? null : seenAs(now, to).join("."), speed);
  return (
    <>
      <p class="hint">{say("watchHint")}</p>
      <label class="field">
        <span>{say("watchWhat")}</span>
        <select
          value={place}
          onChange={(e) => {
            const chosen = e.currentTarget.value;
            setPlace(chosen);
            if (watched.peek()) begin(chosen === "" ? null : ["steps", Number(chosen)]);
          }}
        >
          <option value="">{say("wholeRecipe")}</option>
          {stepsOf(now.recipe).map((step, at) => (
            <option key={at} value={at} disabled={now.off.includes(at)}>
              {at + 1}. {read.value?.kinds.get(String(step.op))?.label ?? String(step.op)}
            </option>
          ))}
        </select>
      </label>
      <Controls engine={engine} begin={() => begin(path)} />
      <Dial
        words={say("speed")}
        least={1}
        most={FASTEST}
        step={1}
        value={speed}
        change={(next) => {
          setSpeed(next);
          engine.speed(next);
        }}
      />
      <Changes />
      <Dial
        words={say("flow")}
        least={0}
        most={LONGEST_FLOW}
        step={0.1}
        value={drift.value}
        unit={say("seconds")}
        change={(seconds) => {
          drift.value = seconds;
        }}
      />
      <Droplet />
      {path && <Settings schema={read.value} path={path} />}
    </>
  );
}

function Controls({ engine, begin }: { engine: Engine; begin(): void }) {
  const { what, paused, share, path } = doing.value;
  const running = what === "watch";
  return (
    <>
      <div class="group">
        {running ? (
          <>
            <IconButton
              wide
              class="main"
              icon={paused ? "play" : "pause"}
              words={say(paused ? "play" : "pause")}
              onClick={() => (paused ? engine.play() : engine.pause())}
            />
            <IconButton icon="next" words={say("next")} onClick={() => engine.next()} />
            <IconButton icon="reset" words={say("again")} onClick={begin} />
            <IconButton icon="end" words={say("end")} onClick={() => engine.end()} />
          </>
        ) : (
          <IconButton wide class="main" icon="play" words={say("play")} onClick={begin} />
        )}
      </div>
      {running && (
        <label class="going">
          <progress value={share} max={1} />
          <span>{stepWords(path)}</span>
        </label>
      )}
    </>
  );
}

/** "steps.2.steps.0" as a person counts: "3, 1". */
function stepWords(path: string): string {
  const now = draft.peek();
  const keys = path.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const numbers = (now ? drawnAs(now, keys) : keys).filter((key) => typeof key === "number");
  return numbers.length > 0
    ? say("watchedStep", { step: numbers.map((n) => n + 1).join(", ") })
    : "";
}

function Changes() {
  const { changes: shown, mode } = view.value;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={mode === "compare"}
          disabled={!before.value.layers.elevation}
          onChange={(e) => look({ mode: e.currentTarget.checked ? "compare" : "scene" })}
        />
        {say("compareStart")}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={shown}
          onChange={(e) => look({ changes: e.currentTarget.checked })}
        />
        {say("changes")}
      </label>
      {shown && (
        <ul class="legend">
          <li>
            <span class="swatch eroded" aria-hidden="true" /> {say("eroded")}
          </li>
          <li>
            <span class="swatch deposited" aria-hidden="true" /> {say("deposited")}
          </li>
        </ul>
      )}
    </>
  );
}

/** The numbers of the watched step: a change of them plays it anew. */
function Settings({ schema: read, path }: { schema: RecipeSchema; path: Path }) {
  const step = valueAt(draft.value?.recipe ?? null, path) as JsonObject | undefined;
  const kind = step && read.kinds.get(String(step.op));
  if (!step || !kind) return null;
  const numbers = kind.parameters.filter(
    (one) => (one.kind === "number" || one.kind === "count") && !one.optional,
  );
  if (numbers.length === 0) return null;
  return (
    <details class="settings" open>
      <summary>{say("watchSettings", { step: kind.label })}</summary>
      {numbers.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          holder={step}
          at={path}
          layers={[]}
        />
      ))}
    </details>
  );
}
