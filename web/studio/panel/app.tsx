/** The page round the stage: recipe on the left, ways of looking on the right, work below. */

import { useComputed } from "@preact/signals";
import { type Engine, finalSize } from "../engine.ts";
import { set } from "../state/draft.ts";
import { canRedo, canUndo, change, redo, undo } from "../state/history.ts";
import { RecipeSchema } from "../state/schema.ts";
import { draft, schema } from "../state/store.ts";
import { say } from "../texts.ts";
import { Files } from "./files.tsx";
import { Gallery } from "./gallery.tsx";
import { Looks } from "./looks.tsx";
import { ParameterField } from "./parameter.tsx";
import { Status } from "./status.tsx";
import { Steps } from "./steps.tsx";
import { Watching } from "./watching.tsx";

/** Parameters of the recipe that have a place of their own on the page. */
const ELSEWHERE = ["seed", "grid", "title", "description"];
const SIZES = [128, 256, 512, 1024, 2048];

export function App({ engine }: { engine: Engine }) {
  return (
    <>
      <aside class="side left" aria-label={say("recipe")}>
        <Head />
        <Gallery />
        <Recipe />
      </aside>
      <aside class="side right" aria-label={say("layer")}>
        <Looks />
        <Watching engine={engine} />
        <Files />
      </aside>
      <Status />
    </>
  );
}

function Head() {
  return (
    <header>
      <h1>downcut</h1>
      <div class="row">
        <button
          type="button"
          class="icon"
          disabled={!canUndo.value}
          onClick={undo}
          aria-label={say("undo")}
          title={say("undo")}
        >
          ↶
        </button>
        <button
          type="button"
          class="icon"
          disabled={!canRedo.value}
          onClick={redo}
          aria-label={say("redo")}
          title={say("redo")}
        >
          ↷
        </button>
      </div>
    </header>
  );
}

function Recipe() {
  const read = useComputed(() => (schema.value ? new RecipeSchema(schema.value.recipe) : null));
  const now = draft.value;
  if (!read.value || !now) return null;
  const { recipe } = now;
  return (
    <section>
      <h2>{String(recipe.title || say("recipe"))}</h2>
      {recipe.description ? <p class="about">{String(recipe.description)}</p> : null}
      <div class="row seed">
        <label>
          {say("seed")}
          <input
            type="text"
            maxLength={200}
            value={String(recipe.seed ?? "0")}
            onChange={(e) => change(set(now, ["seed"], e.currentTarget.value || "0"), "seed")}
          />
        </label>
        <button
          type="button"
          class="icon"
          title={say("dice")}
          aria-label={say("dice")}
          onClick={() => change(set(now, ["seed"], String(Math.floor(Math.random() * 1e6))), "")}
        >
          ⚄
        </button>
        <label>
          {say("finalSize")}
          <select
            value={finalSize.value}
            onChange={(e) => {
              finalSize.value = Number(e.currentTarget.value);
            }}
          >
            {SIZES.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
      </div>
      <h3>{say("steps")}</h3>
      <Steps schema={read.value} holder={recipe} at={["steps"]} />
      <details>
        <summary>{say("ground")}</summary>
        {read.value.parameters
          .filter(({ name }) => !ELSEWHERE.includes(name))
          .map((parameter) => (
            <ParameterField key={parameter.name} parameter={parameter} holder={recipe} at={[]} />
          ))}
      </details>
    </section>
  );
}
