/** Letting noise flow, where the land is made of noise that the page can draw. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { waves } from "../api/client.ts";
import { dragging, drift, wanted } from "../state/store.ts";
import { say } from "../texts.ts";
import { Dial } from "./dial.tsx";

/** How long it may flow [s]. */
const LONGEST = 60;
/** Cells that are asked about: whether it flows does not depend on how many. */
const FEW = 16;

export function Flow() {
  const flows = useSignal(false);
  useSignalEffect(() => {
    const recipe = wanted.value;
    if (!recipe || dragging.value) return;
    void waves<{ steps: unknown }>(recipe, FEW)
      .catch(() => ({ steps: null }))
      .then(({ steps }) => {
        if (recipe !== wanted.peek()) return;
        flows.value = steps !== null;
        if (!flows.value) drift.value = 0;
      });
  });
  if (!flows.value) return null;
  return (
    <Dial
      words={say("flow")}
      least={0}
      most={LONGEST}
      step={0.1}
      value={drift.value}
      unit={say("seconds")}
      change={(seconds) => {
        drift.value = seconds;
      }}
    />
  );
}
