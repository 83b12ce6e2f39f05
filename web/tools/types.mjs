// Types of a recipe, from its JSON Schema on the standard input:
//   downcut schema | node tools/types.mjs > studio/api/recipe.gen.ts
// A test compares the file with what this writes, so that the page and the program never drift apart.

import { text } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";

const schema = JSON.parse(await text(process.stdin));

/** Units, defaults and discriminators are for people and validators: types have no use for them. */
const plain = (value) => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, each]) => !isDressing(key, each));
  return Object.fromEntries(kept.map(([key, each]) => [key, plain(each)]));
};

/** A recipe also has a property that is called title: that is an object here. */
const isDressing = (key, value) =>
  ["unit", "discriminator", "default"].includes(key) ||
  (key === "title" && typeof value === "string");

const named = plain(schema);
for (const [name, definition] of Object.entries(named.$defs)) definition.title = name;

process.stdout.write(
  await compile(named, "Recipe", {
    bannerComment: "/* Made by tools/types.mjs from `downcut schema`: do not edit. */",
    format: true,
    style: { printWidth: 100 },
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
  }),
);
