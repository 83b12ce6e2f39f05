/** Watching the land being made: play, pause, one field further, how fast. */

import { useState } from "preact/hooks";
import type { Engine } from "../engine.ts";
import { doing, view } from "../state/store.ts";
import { say } from "../texts.ts";

export function Watching({ engine }: { engine: Engine }) {
  const [speed, setSpeed] = useState(30);
  const { what, paused, share, path } = doing.value;
  const running = what === "watch";
  return (
    <section aria-label={say("watch")}>
      <h2>{say("watch")}</h2>
      <div class="row">
        {running ? (
          <>
            <button type="button" onClick={() => (paused ? engine.play() : engine.pause())}>
              {paused ? `▶ ${say("play")}` : `❚❚ ${say("pause")}`}
            </button>
            <button type="button" onClick={() => engine.next()} title={say("next")}>
              ▸❘
            </button>
            <button type="button" onClick={() => engine.end()}>
              {say("end")}
            </button>
          </>
        ) : (
          <button type="button" title={say("watchHint")} onClick={() => engine.watch(null, speed)}>
            ▶ {say("play")}
          </button>
        )}
      </div>
      {running && <progress value={share} max={1} aria-label={path} />}
      <label class="dial">
        <span>{say("speed")}</span>
        <input
          type="range"
          min="1"
          max="120"
          value={speed}
          onInput={(e) => {
            setSpeed(e.currentTarget.valueAsNumber);
            if (running) engine.speed(e.currentTarget.valueAsNumber);
          }}
        />
        <output>{speed}</output>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={view.value.changes}
          onChange={(e) => {
            view.value = { ...view.peek(), changes: e.currentTarget.checked };
          }}
        />
        {say("changes")}
      </label>
      <p class="hint">{say("drop")}</p>
    </section>
  );
}
