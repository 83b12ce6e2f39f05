/** The recipe: what it makes, its seed and size, its steps, its ground. */

import { useComputed } from "@preact/signals";
import { placeIn, set } from "../state/draft.ts";
import { change } from "../state/history.ts";
import { RecipeSchema } from "../state/schema.ts";
import { draft, finalSize, largest, schema, trouble, view } from "../state/store.ts";
import { say } from "../texts.ts";
import { anySeed } from "./handing.ts";
import { IconButton } from "./icons.tsx";
import { ParameterField } from "./parameter.tsx";
import { Steps } from "./steps.tsx";

/** Parameters of the recipe that have a place of their own on the page. */
const ELSEWHERE = ["seed", "title", "description"];
const SIZES = [128, 256, 512, 1024, 2048, 4096];

export function Recipe() {
  const read = useComputed(() => (schema.value ? new RecipeSchema(schema.value.recipe) : null));
  const now = draft.value;
  if (!read.value || !now) return <p class="hint">{say("loading")}</p>;
  const { recipe } = now;
  const rest = read.value.parameters.filter(({ name }) => !ELSEWHERE.includes(name));
  const faulty = trouble.value ? placeIn(trouble.value)?.[0] : undefined;
  return (
    <>
      {recipe.description ? <p class="about">{String(recipe.description)}</p> : null}
      <div class="seeds">
        <Seed />
        <Size />
      </div>
      <h2>{say("steps")}</h2>
      <Steps schema={read.value} holder={recipe} at={["steps"]} />
      <details class="ground" open={rest.some(({ name }) => name === faulty)}>
        <summary>{say("ground")}</summary>
        {rest.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            holder={recipe}
            at={[]}
            layers={[]}
          />
        ))}
      </details>
    </>
  );
}

function Seed() {
  const now = draft.value;
  if (!now) return null;
  return (
    <label class="seed">
      <span>{say("seed")}</span>
      <span class="joined">
        <input
          type="text"
          maxLength={200}
          value={String(now.recipe.seed ?? "0")}
          onChange={(e) => change(set(now, ["seed"], e.currentTarget.value.trim() || "0"), "seed")}
        />
        <IconButton
          icon="dice"
          words={say("dice")}
          keys="N"
          onClick={() => change(set(now, ["seed"], anySeed()), "")}
        />
      </span>
    </label>
  );
}

function Size() {
  const own = view.value.size === 0;
  const sizes = SIZES.filter((size) => size <= largest.value);
  return (
    <label class="size" title={say("finalSizeHint")}>
      <span>{say("finalSize")}</span>
      <select
        value={view.value.size}
        onChange={(e) => {
          view.value = { ...view.peek(), size: Number(e.currentTarget.value) };
        }}
      >
        <option value={0}>
          {own ? say("ownSize", { size: finalSize.value }) : say("ownSizeShort")}
        </option>
        {sizes.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
    </label>
  );
}
