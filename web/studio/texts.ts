/** Every word the page says, in one table, so that another language takes one more table. */

export const ENGLISH = {
  studio: "downcut studio",
  stage: "The landscape. Drag to turn it, scroll to come nearer, arrow keys to move.",
  presets: "Presets",
  choosePreset: "Begin with",
  recipe: "Recipe",
  steps: "Steps",
  addStep: "Add a step",
  addStepHere: "Add a step to this repeat",
  remove: "Remove",
  up: "Move up",
  down: "Move down",
  on: "On",
  off: "Switched off",
  none: "none",
  set: "Set",
  seed: "Seed",
  dice: "Another seed",
  ground: "Ground",
  finalSize: "Cells",
  undo: "Undo",
  redo: "Redo",
  open: "Open a recipe or heightmap",
  download: "Download the recipe",
  copyLink: "Copy link",
  copied: "Copied",
  screenshot: "Picture",
  reset: "Back to the default",
  outOf: "{least} to {most}",
  from: "at least {least}",
  upTo: "at most {most}",
  scene: "3-D",
  map: "Map",
  compare: "Before and after",
  layer: "Layer",
  ownColours: "The land's own colours",
  contours: "Contours",
  sunAround: "Sun, direction",
  sunHeight: "Sun, height",
  haze: "Haze",
  exaggeration: "Heights exaggerated",
  fly: "Fly",
  turnAround: "Turn around",
  watch: "Watch it happen",
  watchHint: "See this land being made as the engine makes it",
  play: "Play",
  pause: "Pause",
  next: "One field further",
  speed: "Fields a second",
  end: "Finish",
  changes: "Show what was eroded and deposited",
  eroded: "eroded",
  deposited: "deposited",
  drop: "Click the land to let one droplet fall",
  droplet: "Droplet",
  water: "water",
  dropletSpeed: "speed",
  sediment: "sediment",
  measure: "Measure",
  measured: "Beside real land",
  profile: "Long profile of the river",
  profileHint: "Click a river on the map",
  export: "Export",
  exportFor: "For",
  exportFile: "A file",
  exportStart: "Export",
  exportReady: "Save {file}",
  cancel: "Cancel",
  growing: "Growing",
  left: "{time} left",
  grown: "{ny} × {nx} cells in {time}",
  offline: "The engine does not answer. Is downcut studio still running?",
  earth: "Earth moved",
  close: "Close",
  help: "Keys",
  frame: "{frames} frames a second, {calls} draw calls, {triangles} triangles",
  noWebgl:
    "This browser cannot draw in 3-D (WebGL 2 is missing); the recipe can still be edited and exported.",
  position: "{x} m east, {y} m north",
  elevation: "{z} m high",
  slope: "{slope}° steep",
  drains: "{area} drain here",
} as const;

export type Word = keyof typeof ENGLISH;

let table: Readonly<Record<Word, string>> = ENGLISH;

/** Takes another language's table. */
export function speak(words: Readonly<Record<Word, string>>): void {
  table = words;
}

/** A text with its {gaps} filled. */
export function say(word: Word, gaps: Readonly<Record<string, string | number>> = {}): string {
  return table[word].replace(/\{(\w+)\}/g, (gap, name: string) => String(gaps[name] ?? gap));
}

/** A number as people read it: three digits that count, thousands apart. */
export function figure(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value !== 0 && (Math.abs(value) >= 1e7 || Math.abs(value) < 1e-4))
    return value.toExponential(1);
  return value.toLocaleString("en", {
    maximumSignificantDigits: Math.max(digits, wholeDigits(value)),
  });
}

const wholeDigits = (value: number) => Math.trunc(Math.abs(value)).toString().length;

/** Seconds in words: "0.4 s", "12 s", "3 min". */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
