/** The address bar and the landscape, kept in step: back and forward are lands seen before. */

import { effect } from "@preact/signals-core";
import { begin, change } from "./history.ts";
import { type Draft, draft, dragging, view } from "./store.ts";
import { fromFragment, toFragment } from "./url.ts";

/** The address follows after this time [ms] without a change. */
const AFTER = 300;

export class Link {
  private timer = 0;
  /** What the address bar holds. */
  private written = "";
  private of: Draft | null = null;

  private readonly page: Window;

  constructor(page: Window) {
    this.page = page;
  }

  follow(): void {
    effect(() => {
      const [now, look, moving] = [draft.value, view.value, dragging.value];
      this.page.clearTimeout(this.timer);
      if (!now || moving) return;
      this.timer = this.page.setTimeout(() => void this.write(now, look), AFTER);
    });
    this.page.addEventListener("popstate", () => void this.read());
  }

  /** A change of the recipe is a page of the browser's history; another look is none. */
  private async write(now: Draft, look: typeof view.value): Promise<void> {
    const fragment = `#${await toFragment({ draft: now, view: look })}`;
    const other = this.of !== null && this.of !== now;
    this.of = now;
    if (fragment === this.written) return;
    this.written = fragment;
    if (other) this.page.history.pushState(null, "", fragment);
    else this.page.history.replaceState(null, "", fragment);
  }

  /** Takes the landscape that the address bar holds now. */
  private async read(): Promise<void> {
    const fragment = this.page.location.hash;
    if (fragment === this.written) return;
    const linked = await fromFragment(fragment);
    if (!linked) return;
    this.written = fragment;
    this.of = linked.draft;
    view.value = linked.view;
    if (draft.peek()) change(linked.draft, "");
    else begin(linked.draft);
  }
}
