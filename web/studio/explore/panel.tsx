/** What lies over the picture: the way back, fly or walk, the keys, where one is, the map. */

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Icon, IconButton } from "../panel/icons.tsx";
import { Modal } from "../panel/modal.tsx";
import { figure, say, type Word } from "../texts.ts";
import type { Pose } from "./flight.ts";

export const title = signal("");
/** One sentence in the middle: what is awaited or wrong. */
export const said = signal<{ text: string; bad: boolean } | null>(null);
export const where = signal<Pose | null>(null);
export const walking = signal(false);
/** How many chunks are still to come, and the cells of the province that grew last [m]. */
export const coming = signal(0);
export const grows = signal(0);

const KEYS: readonly (readonly [string, Word])[] = [
  ["W / A / S / D", "exploreKeyMove"],
  ["↑ / ↓ / ← / →", "exploreKeyTurn"],
  ["Q / E", "exploreKeyUp"],
  ["PageUp / PageDown", "exploreKeyTilt"],
  ["Shift", "exploreKeyFast"],
  ["F", "exploreKeyWalk"],
];

interface Props {
  readonly home: string;
  walk(on: boolean): void;
}

export function Panel({ home, walk }: Props) {
  const [help, setHelp] = useState(false);
  return (
    <>
      <header class="above air">
        <a class="button" href={home} aria-label={say("exploreBack")} title={say("exploreBack")}>
          <Icon name="left" /> <span class="words">{say("exploreBack")}</span>
        </a>
        <h1>{title.value}</h1>
        <fieldset class="modes" aria-label={say("explore")}>
          {[false, true].map((on) => (
            <button
              key={String(on)}
              type="button"
              aria-pressed={walking.value === on}
              onClick={() => walk(on)}
            >
              {say(on ? "exploreWalk" : "exploreFly")}
            </button>
          ))}
        </fieldset>
        <IconButton
          icon="help"
          words={say("help")}
          keys="?"
          class="keys-button"
          onClick={() => setHelp(true)}
        />
      </header>
      <div class="below">
        <Coming />
        <Where />
      </div>
      <canvas
        class="minimap air"
        aria-label={say("exploreMap")}
        title={say("exploreMap")}
        role="img"
      />
      {said.value && (
        <p class="said air" role={said.value.bad ? "alert" : "status"}>
          {said.value.text}
        </p>
      )}
      <Modal class="helping" title={say("help")} open={help} close={() => setHelp(false)}>
        <dl class="keys">
          {KEYS.map(([keys, word]) => (
            <div key={keys}>
              <dt>
                {keys.split(" / ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{say(word)}</dd>
            </div>
          ))}
          <div>
            <dt>{say("exploreDrag")}</dt>
            <dd>{say("exploreKeyDrag")}</dd>
          </div>
        </dl>
      </Modal>
    </>
  );
}

function Where() {
  const at = where.value;
  if (!at) return null;
  return (
    <p class="where air">
      {say("explorePlace", {
        east: figure(at.x / 1000),
        north: figure(-at.z / 1000),
        height: figure(at.y),
        heading: Math.round(at.heading) % 360,
      })}
    </p>
  );
}

/** What one waits for, while anything is to come. */
function Coming() {
  if (coming.value === 0) return null;
  const pieces = say("explorePieces", { count: coming.value });
  return (
    <p class="coming air" role="status">
      {grows.value > 0 ? say("exploreGrows", { cell: figure(grows.value), pieces }) : pieces}
    </p>
  );
}
