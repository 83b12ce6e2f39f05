/** The right side: look, watch, measure. */

import type { Engine } from "../engine.ts";
import { say } from "../texts.ts";
import { Looks } from "./looks.tsx";
import { Measuring } from "./measuring.tsx";
import { show, TABS, tab } from "./rooms.ts";
import { Watching } from "./watching.tsx";

export function Tabs({ engine }: { engine: Engine }) {
  const now = tab.value;
  return (
    <>
      <div class="tabs" role="tablist" aria-label={say("tools")}>
        {TABS.map((which) => (
          <button
            key={which}
            type="button"
            role="tab"
            id={`tab-${which}`}
            aria-selected={now === which}
            aria-controls={`room-${which}`}
            tabIndex={now === which ? 0 : -1}
            onClick={() => show(which)}
            onKeyDown={(e) => step(e, TABS.indexOf(which))}
          >
            {say(which)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`room-${now}`} aria-labelledby={`tab-${now}`} class="room">
        {now === "look" && <Looks />}
        {now === "watch" && <Watching engine={engine} />}
        {now === "measure" && <Measuring />}
      </div>
    </>
  );
}

/** Arrow keys go from tab to tab. */
function step(event: KeyboardEvent, index: number): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = by && TABS[(index + by + TABS.length) % TABS.length];
  if (!next) return;
  event.preventDefault();
  show(next);
  document.getElementById(`tab-${next}`)?.focus();
}
