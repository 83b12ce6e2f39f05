/** The keys, in a dialog. */

import { cost } from "../state/store.ts";
import { figure, say } from "../texts.ts";
import { KEYS } from "./keys.ts";
import { Modal } from "./modal.tsx";
import { dialog } from "./rooms.ts";

export function Help() {
  const close = () => {
    if (dialog.peek() === "help") dialog.value = "";
  };
  return (
    <Modal class="helping" title={say("help")} open={dialog.value === "help"} close={close}>
      <dl class="keys">
        {KEYS.map(({ keys, word }) => (
          <div key={keys}>
            <dt>
              {keys.split(" / ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{say(word)}</dd>
          </div>
        ))}
      </dl>
      <Cost />
    </Modal>
  );
}

/** How fast the picture is drawn on this machine, and how much there is to draw. */
function Cost() {
  const { frames, calls, triangles } = cost.value;
  const rate = frames > 0 ? frames : "–";
  return <p class="hint">{say("frame", { frames: rate, calls, triangles: figure(triangles) })}</p>;
}
