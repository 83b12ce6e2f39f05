/** On a telephone: which part of the panel lies over the land. */

import { say } from "../texts.ts";
import { Icon } from "./icons.tsx";
import { galleryOpen, leftOpen, rightOpen, type Sheet, sheet, TABS, tab } from "./rooms.ts";

const SHEETS = ["presets", "recipe", ...TABS] as const;

function choose(which: Exclude<Sheet, "">): void {
  sheet.value = sheet.peek() === which ? "" : which;
  galleryOpen.value = sheet.peek() === "presets";
  leftOpen.value = true;
  rightOpen.value = true;
  if (which !== "presets" && which !== "recipe") tab.value = which;
}

export function Nav() {
  return (
    <nav class="nav" aria-label={say("sheets")}>
      {SHEETS.map((which) => (
        <button
          key={which}
          type="button"
          aria-expanded={sheet.value === which}
          onClick={() => choose(which)}
        >
          <Icon name={which} />
          <span>{say(which)}</span>
        </button>
      ))}
    </nav>
  );
}
