/** Watching the land being made: what, play, pause, one field further, how fast; one droplet's way. */

import { signal, useComputed } from "@preact/signals";
import type { JsonObject } from "../api/client.ts";
import { type Engine, watched } from "../engine.ts";
import { drawnAs, type Path, seenAs, stepsOf, valueAt } from "../state/draft.ts";
import { RecipeSchema } from "../state/schema.ts";
import { before, doing, draft, schema, view } from "../state/store.ts";
import { say } from "../texts.ts";
import { Dial } from "./dial.tsx";
import { Droplet } from "./droplet.tsx";
import { Flow } from "./flow.tsx";
import { IconButton } from "./icons.tsx";
import { look } from "./looks.tsx";
import { ParameterField } from "./parameter.tsx";

const FIRST_SPEED = 30;
const FASTEST = 120;
/** Place of the watched step in the draft; "" for the whole recipe. */
const place = signal("");
const speed = signal(FIRST_SPEED);

/** The step that is chosen, as long as the recipe has it; null for the whole recipe. */
function chosenPath(): Path | null {
  const now = draft.value;
  const index = Number(place.value);
  const isThere = now && index < stepsOf(now.recipe).length && !now.off.includes(index);
  return place.value !== "" && isThere ? ["steps", index] : null;
}

/** Plays what is chosen, from its start. */
function begin(engine: Engine): void {
  const now = draft.peek();
  const path = chosenPath();
  if (now) engine.watch(path && seenAs(now, path).join("."), speed.peek());
}

/** What the space bar does: plays, pauses, or goes on. */
export function playOrPause(engine: Engine): void {
  const { what, paused } = doing.peek();
  if (what !== "watch") begin(engine);
  else if (paused) engine.play();
  else engine.pause();
}

export function Watching({ engine }: { engine: Engine }) {
  const read = useComputed(() => (schema.value ? new RecipeSchema(schema.value.recipe) : null));
  const now = draft.value;
  if (!now || !read.value) return null;
  const path = chosenPath();
  return (
    <>
      <p class="hint">{say("watchHint")}</p>
      <label class="field">
        <span>{say("watchWhat")}</span>
        <select
          value={String(path?.[1] ?? "")}
          onChange={(e) => {
            place.value = e.currentTarget.value;
            if (watched.peek()) begin(engine);
          }}
        >
          <option value="">{say("wholeRecipe")}</option>
          {stepsOf(now.recipe).map((step, at) => (
            <option key={at} value={at} disabled={now.off.includes(at)}>
              {at + 1}. {read.value?.label(String(step.op))} {read.value?.summary(step)}
            </option>
          ))}
        </select>
      </label>
      <Controls engine={engine} />
      <Dial
        words={say("speed")}
        least={1}
        most={FASTEST}
        step={1}
        value={speed.value}
        change={(next) => {
          speed.value = next;
          engine.speed(next);
        }}
      />
      <Changes />
      <Flow />
      <Droplet />
      {path && <Settings schema={read.value} path={path} />}
    </>
  );
}

function Controls({ engine }: { engine: Engine }) {
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
            <IconButton icon="reset" words={say("again")} onClick={() => begin(engine)} />
            <IconButton icon="end" words={say("end")} onClick={() => engine.end()} />
          </>
        ) : (
          <IconButton
            wide
            class="main"
            icon="play"
            words={say("play")}
            onClick={() => begin(engine)}
          />
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
