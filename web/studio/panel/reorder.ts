/** Dragging a step to another place of its list, by mouse, pen or finger. */

/** Follows the pointer from a grip on, and tells where the step was let go. */
export function dragStep(event: PointerEvent, drop: (to: number) => void): void {
  const grip = event.currentTarget as HTMLElement;
  const item = grip.closest("li");
  const list = item?.parentElement;
  if (!item || !list || event.button !== 0) return;
  event.preventDefault();
  const items = [...list.children] as HTMLElement[];
  const from = items.indexOf(item);
  const middles = items.map((each) => middle(each));
  const height = item.offsetHeight;
  const begun = event.clientY - list.getBoundingClientRect().top;
  let to = from;
  const ended = new AbortController();
  const follow = (moved: PointerEvent) => {
    const way = moved.clientY - list.getBoundingClientRect().top - begun;
    to = placeOf((middles[from] ?? 0) + way, middles, from);
    for (const [index, each] of items.entries())
      each.style.transform = `translateY(${index === from ? way : shiftOf(index, from, to, height)}px)`;
  };
  const end = (drops: boolean) => {
    ended.abort();
    item.classList.remove("moving");
    for (const each of items) each.style.transform = "";
    if (drops && to !== from) drop(to);
  };
  grip.setPointerCapture(event.pointerId);
  item.classList.add("moving");
  const { signal } = ended;
  grip.addEventListener("pointermove", follow, { signal });
  grip.addEventListener("pointerup", () => end(true), { signal });
  grip.addEventListener("pointercancel", () => end(false), { signal });
  addEventListener("keydown", (key) => key.key === "Escape" && end(false), { signal });
}

const middle = (each: HTMLElement) => each.offsetTop + each.offsetHeight / 2;

/** How many of the other steps lie above a height. */
export function placeOf(height: number, middles: readonly number[], from: number): number {
  return middles.filter((each, index) => index !== from && each < height).length;
}

/** How far another step makes room. */
function shiftOf(index: number, from: number, to: number, height: number): number {
  if (index > from && index <= to) return -height;
  return index < from && index >= to ? height : 0;
}
