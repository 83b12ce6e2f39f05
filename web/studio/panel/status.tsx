/** The line below: what the engine does, how long it takes, what lies under the pointer, what is wrong. */

import type { Engine } from "../engine.ts";
import { placeIn } from "../state/draft.ts";
import { cursor, doing, land, online, schema, trouble, warm } from "../state/store.ts";
import { area, duration, figure, say } from "../texts.ts";
import { IconButton } from "./icons.tsx";

/** Steps that take longer than this [s] tell how long. */
const LONG = 0.7;
/** What came faster [s] had been grown before. */
const KEPT = 0.05;

export function Status({ engine }: { engine: Engine }) {
  const { grown } = land.value;
  return (
    <footer
      class="status"
      data-doing={doing.value.what}
      data-size={grown?.size}
      data-checksum={grown?.checksum}
    >
      {!online.value && schema.value && (
        <p class="trouble" role="alert">
          {say("offline")}
        </p>
      )}
      {trouble.value && !isShownAtItsPlace() && <Trouble />}
      <div class="pill">
        <Cursor />
        <Work engine={engine} />
      </div>
    </footer>
  );
}

/** Whether the trouble stands beside the step that it is about. */
const isShownAtItsPlace = () => placeIn(trouble.value)?.[0] === "steps";

function Trouble() {
  return (
    <p class="trouble" role="alert">
      <span>{trouble.value}</span>
      <IconButton
        icon="close"
        class="plain"
        words={say("close")}
        onClick={() => {
          trouble.value = "";
        }}
      />
    </p>
  );
}

function Cursor() {
  const at = cursor.value;
  if (!at) return null;
  return (
    <span class="cursor">
      {say("position", { x: figure(at.x, 4), y: figure(at.y, 4) })} ·{" "}
      {say("elevation", { z: figure(at.elevation, 4) })} ·{" "}
      {say("slope", { slope: figure(at.slope, 2) })}
      {at.drains !== null && ` · ${say("drains", { area: area(at.drains) })}`}
    </span>
  );
}

function Work({ engine }: { engine: Engine }) {
  const { what, share, op, left } = doing.value;
  const { grown } = land.value;
  if (what === "grow") {
    return (
      <>
        <progress value={share} max={1} aria-label={say("growing")} />
        <span>
          {!warm.value && `${say("gettingReady")} `}
          {op.replace(/^\w+\./, "").replaceAll("_", " ")}{" "}
          {left !== null && left > LONG ? say("left", { time: duration(left) }) : ""}
        </span>
        {left !== null && left > 4 * LONG && (
          <IconButton
            icon="close"
            class="plain"
            words={say("cancel")}
            onClick={() => engine.stop()}
          />
        )}
      </>
    );
  }
  if (what === "watch") return <span>{say("watching")}</span>;
  if (!grown) return null;
  const [ny, nx] = grown.shape;
  const time = duration(grown.seconds);
  const words = say(grown.seconds < KEPT ? "kept" : "grown", { ny, nx, time });
  return <span>{words + shownOf(ny)}</span>;
}

/** What is shown of a land with so many rows: a large one comes to the page with fewer. */
function shownOf(rows: number): string {
  const [ny = rows, nx = 0] = land.value.layers.elevation?.shape ?? [];
  return ny < rows ? say("shownAs", { ny, nx }) : "";
}
