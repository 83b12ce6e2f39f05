/** The page round the stage: recipe on the left, ways of looking on the right, lands below. */

import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Engine } from "../engine.ts";
import { clicked } from "../state/store.ts";
import { say } from "../texts.ts";
import { Bar } from "./bar.tsx";
import { Dropping } from "./dropping.tsx";
import { Exporting } from "./exporting.tsx";
import { Gallery } from "./gallery.tsx";
import { Help } from "./help.tsx";
import { Icon } from "./icons.tsx";
import { listenToKeys } from "./keys.ts";
import { Nav } from "./nav.tsx";
import { Recipe } from "./recipe.tsx";
import { announced, galleryOpen, leftOpen, lightThePage, rightOpen, sheet, tab } from "./rooms.ts";
import { Status } from "./status.tsx";
import { Tabs } from "./tabs.tsx";

export function App({ engine }: { engine: Engine }) {
  useEffect(() => {
    lightThePage(document.documentElement);
    document.title = say("page");
    document.querySelector("#stage")?.setAttribute("aria-label", say("stage"));
  }, []);
  useEffect(() => listenToKeys(engine), [engine]);
  useSignalEffect(() => {
    const place = clicked.value;
    if (place && tab.peek() !== "measure") engine.drop(place.x, place.y);
  });
  return (
    <div class="page" data-sheet={sheet.value} data-gallery={galleryOpen.value ? "" : undefined}>
      <Bar />
      <Side side="left" open={leftOpen} name={say("recipe")}>
        <Recipe />
      </Side>
      <Side side="right" open={rightOpen} name={say("tools")}>
        <Tabs engine={engine} />
      </Side>
      <Gallery />
      <Status engine={engine} />
      <Nav />
      <Exporting />
      <Help />
      <Dropping />
      <p class="unseen" aria-live="polite">
        {announced.value}
      </p>
    </div>
  );
}

interface SideProps {
  readonly side: "left" | "right";
  readonly open: typeof leftOpen;
  readonly name: string;
  readonly children: ComponentChildren;
}

/** A side of the page, which folds away to its edge. */
function Side({ side, open, name, children }: SideProps) {
  const words = say(open.value ? "fold" : "unfold", { side: name });
  return (
    <aside class={`side ${side} ${open.value ? "" : "folded"}`} aria-label={name}>
      <button
        type="button"
        class="folder"
        aria-expanded={open.value}
        aria-label={words}
        title={words}
        onClick={() => {
          open.value = !open.peek();
        }}
      >
        <Icon name="fold" />
      </button>
      <div class="inside">{children}</div>
    </aside>
  );
}
