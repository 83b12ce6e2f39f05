/** The presets as pictures to begin with. */

import { begin, change } from "../state/history.ts";
import { draft, presets } from "../state/store.ts";
import { say } from "../texts.ts";

export function Gallery() {
  const current = String(draft.value?.recipe.title ?? "");
  return (
    <details class="gallery">
      <summary>{say("presets")}</summary>
      <ul>
        {presets.value.map(({ name, title, description, picture, recipe }) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={title === current}
              title={description}
              onClick={() => {
                const next = { recipe, off: [] };
                if (draft.peek()) change(next, "");
                else begin(next);
              }}
            >
              <img src={picture} alt="" loading="lazy" width="150" height="100" />
              <span>{title || name}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
