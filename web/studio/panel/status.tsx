/** The line below: what the engine does, how long it takes, what went wrong. */

import { doing, land, online, trouble } from "../state/store.ts";
import { duration, say } from "../texts.ts";

export function Status() {
  const { what, share, op, left } = doing.value;
  const { grown } = land.value;
  return (
    <footer class="status" aria-live="polite">
      {what === "grow" && (
        <>
          <progress value={share} max={1} aria-label={say("growing")} />
          <span>
            {op} {left !== null && left > 0.5 ? say("left", { time: duration(left) }) : ""}
          </span>
        </>
      )}
      {what === "" && grown && (
        <span>
          {say("grown", {
            ny: grown.shape[0],
            nx: grown.shape[1],
            time: duration(grown.seconds),
          })}
        </span>
      )}
      {!online.value && <span class="trouble">{say("offline")}</span>}
      {trouble.value && (
        <span class="trouble" role="alert">
          {trouble.value}
          <button
            type="button"
            class="plain"
            aria-label={say("close")}
            onClick={() => {
              trouble.value = "";
            }}
          >
            ✕
          </button>
        </span>
      )}
    </footer>
  );
}
