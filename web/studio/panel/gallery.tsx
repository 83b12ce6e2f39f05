/** The presets as pictures to begin with: a strip below the land, seen at once. */

import { draft, presets } from "../state/store.ts";
import { say } from "../texts.ts";
import { openRecipe } from "./handing.ts";
import { IconButton } from "./icons.tsx";
import { galleryOpen, toggleGallery } from "./rooms.ts";

export function Gallery() {
  if (!galleryOpen.value) return null;
  const current = String(draft.value?.recipe.title ?? "");
  return (
    <section class="gallery" aria-labelledby="gallery-words">
      <header>
        <h2 id="gallery-words">{say("choosePreset")}</h2>
        <p>{say("choosePresetHint")}</p>
        <IconButton icon="close" words={say("close")} class="plain" onClick={toggleGallery} />
      </header>
      <ul>
        {presets.value.map(({ name, title, description, picture, recipe }) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={title === current}
              title={description}
              onClick={() => openRecipe(recipe)}
            >
              <img src={picture} alt="" width="288" height="192" />
              <span>{title || name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
