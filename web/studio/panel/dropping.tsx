/** A file that is dragged onto the page is opened. */

import { useEffect, useState } from "preact/hooks";
import { say } from "../texts.ts";
import { openFile } from "./handing.ts";

export function Dropping() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const brings = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (!brings(event)) return;
      event.preventDefault();
      setOver(true);
    };
    addEventListener("dragenter", enter, { signal });
    addEventListener("dragover", enter, { signal });
    addEventListener("dragleave", (e) => e.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      "drop",
      (event) => {
        if (!brings(event)) return;
        event.preventDefault();
        setOver(false);
        void openFile(event.dataTransfer?.files[0]);
      },
      { signal },
    );
    return () => ended.abort();
  }, []);
  return over ? <div class="dropping">{say("dropHere")}</div> : null;
}
