/** A dialog over the page: closed by its button, Escape, or a click beside it. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { say } from "../texts.ts";
import { IconButton } from "./icons.tsx";

interface Props {
  readonly open: boolean;
  readonly title: string;
  readonly class: string;
  readonly children: ComponentChildren;
  /** Called when a person closes it. */
  close(): void;
}

export function Modal({ open, title, children, close, class: kind }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    if (!open || !dialog) return;
    const beside = (event: MouseEvent) => event.target === dialog && dialog.close();
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-first]")?.focus();
    dialog.addEventListener("click", beside);
    return () => {
      dialog.removeEventListener("click", beside);
      dialog.close();
    };
  }, [open]);
  return (
    <dialog ref={box} class={kind} aria-labelledby={id} onClose={close}>
      {open && (
        <>
          <header>
            <h2 id={id}>{title}</h2>
            <IconButton icon="close" class="plain" words={say("close")} onClick={close} />
          </header>
          {children}
        </>
      )}
    </dialog>
  );
}
