/** The keys, in a dialog. */

import { say } from "../texts.ts";
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
    </Modal>
  );
}
