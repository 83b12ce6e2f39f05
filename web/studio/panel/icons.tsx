/** Small line drawings for buttons, each in a square of 20. Whoever hears the page hears the button. */

const DRAWN = {
  undo: "M7 4 3.5 7.5 7 11M3.5 7.5H12a4.5 4.5 0 0 1 0 9H8",
  redo: "M13 4l3.5 3.5L13 11m3.5-3.5H8a4.5 4.5 0 0 0 0 9h4",
  dice: "M4 4h12v12H4zM7.3 7.3h.01M12.7 7.3h.01M10 10h.01M7.3 12.7h.01M12.7 12.7h.01",
  presets: "M3 4.5h14v11H3zM3 13l4-4.2 3.2 3.2 2.4-2 4.4 3.6M12.8 7.6h.01",
  open: "M3 15.5v-11h4.6l1.6 2H17v9z",
  save: "M10 3v9m0 0 3.5-3.5M10 12 6.5 8.5M3.5 13v3.5h13V13",
  link: "M8.5 11.5a3 3 0 0 0 4.3 0l2.9-2.9a3 3 0 0 0-4.3-4.3l-1 1m1.1 3.2a3 3 0 0 0-4.3 0l-2.9 2.9a3 3 0 0 0 4.3 4.3l1-1",
  camera: "M3 6.5h3.2L7.7 4.5h4.6l1.5 2H17v9H3zM12.6 10.8a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0z",
  walk: "M10.600 3.600h.01M6.800 9.800l1.400-2.600 2.300-.900 1.700 2.500 2.300.700M10.500 6.300l-.600 4.800 2.700 2.200.500 3.700M9.900 11.100l-1 3.100L6.500 17",
  export: "M10 12.5V3m0 0L6.5 6.5M10 3l3.5 3.5M4.5 10v6.5h11V10",
  help: "M7.4 7.6a2.6 2.6 0 1 1 3.7 2.4c-.8.4-1.1.9-1.1 1.8M10 14.6h.01M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  system: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 1 1 0 14",
  light:
    "M13.2 10a3.2 3.2 0 1 1-6.4 0 3.2 3.2 0 0 1 6.4 0zM10 2.6v1.6m0 11.6v1.6M2.6 10h1.6m11.6 0h1.6M4.8 4.8l1.1 1.1m8.2 8.2 1.1 1.1m0-10.4-1.1 1.1m-8.2 8.2-1.1 1.1",
  dark: "M16.4 12A7 7 0 0 1 8 3.6 7 7 0 1 0 16.4 12z",
  close: "M5 5l10 10M15 5 5 15",
  plus: "M10 4v12M4 10h12",
  copy: "M7 7h9v9H7zM13 7V4H4v9h3",
  bin: "M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5l.8 11h7.4l.8-11M8.6 8.5v5m2.8-5v5",
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12m5-5-5 5-5-5",
  reset: "M4 4v4h4M4.4 8A6.5 6.5 0 1 1 3.8 12",
  grip: "M7.5 5h.01M12.5 5h.01M7.5 10h.01M12.5 10h.01M7.5 15h.01M12.5 15h.01",
  fold: "M7 4.5 12.5 10 7 15.5",
  left: "M12.5 4.5 7 10l5.5 5.5",
  play: "M6 4.2v11.6L15.8 10z",
  pause: "M6.5 4.5v11M13.5 4.5v11",
  next: "M5 4.5v11l7-5.5zM15 4.5v11",
  end: "M4.5 4.5 10 10l-5.5 5.5M10.5 4.5 16 10l-5.5 5.5",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  recipe: "M6.5 5H17M6.5 10H17M6.5 15H17M3 5h.01M3 10h.01M3 15h.01",
  look: "M2.5 10S5.2 5 10 5s7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5zM12.2 10a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0z",
  watch: "M10 3s4.8 5.2 4.8 8.8a4.8 4.8 0 1 1-9.6 0C5.2 8.2 10 3 10 3z",
  measure: "M3 16.500h14M5 16.500V10m3.4 6.500V6m3.4 10.500V8.500m3.4 8V4",
  compass: "M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM13 7l-1.700 4.300L7 13l1.700-4.300z",
  search: "M13.5 8.800a4.7 4.7 0 1 1-9.4 0 4.7 4.7 0 0 1 9.4 0zM12.3 12.3 16.5 16.5",
} as const;

export type Drawn = keyof typeof DRAWN;

export function Icon({ name }: { name: Drawn }) {
  return (
    <svg class="drawn" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={DRAWN[name]} />
    </svg>
  );
}

interface ButtonProps {
  readonly icon: Drawn;
  /** What it does; shown beside the icon where `wide`. */
  readonly words: string;
  readonly wide?: boolean;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly class?: string;
  /** Key that does the same. */
  readonly keys?: string;
  onClick(): void;
}

export function IconButton(props: ButtonProps) {
  const { icon, words, wide = false, disabled = false, pressed, keys, onClick } = props;
  return (
    <button
      type="button"
      class={`${wide ? "" : "icon"} ${props.class ?? ""}`}
      disabled={disabled}
      title={keys ? `${words} (${keys})` : words}
      aria-label={words}
      aria-keyshortcuts={keys?.replace(/Ctrl/g, "Control")}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon name={icon} />
      {wide && <span>{words}</span>}
    </button>
  );
}
