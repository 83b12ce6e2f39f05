/** Every word the page says, in one table, so that another language takes one more table. */

export const ENGLISH = {
  name: "downcut",
  page: "downcut studio",
  stage: "The landscape: drag to turn it, scroll to come nearer, click to let a droplet fall",
  loading: "Loading …",
  title: "What the land is called",
  untitled: "A land without a name",
  undo: "Undo",
  redo: "Redo",
  presets: "Presets",
  choosePreset: "Begin with a land",
  choosePresetHint:
    "Choose one and change whatever you like: nothing can break, and all can be undone.",
  open: "Open a recipe or a heightmap",
  opening: "Reading {file}",
  openedFile: "{file} is open",
  dropHere: "Let go to open this file",
  download: "Save the recipe",
  copyLink: "Copy a link to this land",
  copied: "The link is copied",
  screenshot: "Take a picture",
  walk: "Walk in this land, from where it was clicked",
  more: "More",
  themeSystem: "Light or dark, as the system has it",
  themeLight: "Light",
  themeDark: "Dark",
  frame: "{frames} frames a second, {calls} draw calls, {triangles} triangles",
  help: "Keys",
  close: "Close",
  cancel: "Cancel",
  fold: "Fold away: {side}",
  unfold: "Unfold: {side}",
  tools: "Look, watch, measure",
  sheets: "Parts of the page",
  view: "View",
  recipe: "Recipe",
  look: "Look",
  watch: "Watch",
  measure: "Measure",
  seed: "Seed",
  dice: "Another seed, by chance",
  finalSize: "Cells",
  finalSizeHint:
    "Cells along the longer edge of the finished land: the same forms, drawn more finely",
  ownSize: "{size}, its own",
  ownSizeShort: "as the recipe",
  ground: "Ground and sea",
  steps: "Steps",
  addStep: "Add a step",
  addStepHere: "Add a step in here",
  addInside: "What is in “{step}”?",
  search: "Search",
  nothingFound: "No step says that.",
  together: "together",
  added: "{step} is added",
  remove: "Remove",
  duplicate: "Duplicate",
  up: "Move up",
  down: "Move down",
  moved: "{step} is now at place {place}",
  dragStep: "Drag to another place",
  on: "Switched on",
  off: "Switched off",
  stepOn: "{step} is switched on",
  extras: "More settings ({count})",
  none: "none",
  given: "Give {parameter}",
  reset: "Reset {parameter} to {value}",
  outOf: "{least} to {most}",
  from: "at least {least}",
  upTo: "at most {most}",
  otherLayer: "Another name …",
  layerName: "name_of_the_layer",
  colourOf: "Colour of row {row}",
  addRow: "Add a row",
  removeRow: "Remove row {row}",
  scene: "3-D",
  map: "Map",
  compare: "Compare",
  before: "before",
  now: "now",
  layer: "Layer",
  ownColours: "The land's own colours",
  contours: "Contours",
  interval: "From one contour to the next: {metres}",
  logarithmic: "by powers of ten",
  light: "Light and air",
  sunAround: "Sun, direction",
  sunHeight: "Sun, height",
  haze: "Haze",
  exaggeration: "Heights exaggerated",
  watchHint: "See the land being made, just as the engine makes it.",
  watchWhat: "What to watch",
  wholeRecipe: "The whole recipe",
  watchSettings: "Settings of {step}",
  watchedStep: "Step {step}",
  watching: "Playing",
  play: "Play",
  pause: "Pause",
  next: "One field further",
  again: "From the start",
  end: "Finish",
  speed: "Fields a second",
  flow: "Let the noise flow",
  seconds: "s",
  compareStart: "Compare with the start",
  changes: "Colour what was eroded and deposited",
  eroded: "eroded",
  deposited: "deposited",
  carriedOut: "carried out",
  uplifted: "uplifted",
  drop: "Click the land to let one droplet fall.",
  droplet: "One droplet",
  dropletSaid: "{steps} steps, {way} m long, {fall} m down",
  readWidth: "Wider: more water",
  readColour: "From clear water to laden with earth",
  readDashes: "Longer dashes: faster",
  dropletWay: "way [m]",
  dropletWater: "Water and speed",
  dropletSediment: "Earth that it carries",
  water: "water",
  dropletSpeed: "speed",
  metres: "m",
  measureHint: "Figures that tell real land from noise, and rivers from one end to the other.",
  measureNow: "Measure this land",
  measuring: "Measuring …",
  measuredNow: "The land is measured",
  measuredBefore: "The land has changed since it was measured.",
  measured: "Beside real land",
  figure: "Figure",
  here: "Here",
  realLand: "Real land",
  inside: "inside",
  outside: "outside",
  noRange: "no range",
  curves: "Curves",
  slopeArea: "Rivers flatten as they grow",
  drainageArea: "drainage area [km²]",
  slopeAxis: "slope [m/m]",
  hypsometry: "How much lies how high",
  landAbove: "land above [%]",
  ofRelief: "% of the relief",
  mainRivers: "How the main rivers fall",
  fromMouth: "from the mouth [km]",
  spectrum: "How relief fades with size",
  wavelength: "wavelength [m]",
  power: "power",
  noRivers: "A recipe with a step that makes rivers lets you look at each of them here.",
  profile: "Rivers",
  profileHint: "Click a river, or choose one",
  riverNamed: "River {number}, {length} km",
  profileOf: "Long profile of river {number}",
  fromSource: "from the source [km]",
  riverSurface: "water",
  riverBed: "bed",
  earth: "Earth moved",
  export: "Export",
  exportFor: "What for",
  exportChoose: "Choose a program or a file",
  exportPrograms: "Programs",
  exportFile: "Single files",
  exportSize: "Samples along the longer edge",
  exportSizes: "It takes {sizes}.",
  exportPlanned: "{ny} × {nx} will be grown.",
  exportCut: "Only the middle of it, {wide} × {deep} km: tiles can keep its shape.",
  exportTable: "Table",
  exportUsual: "as usual",
  exportTiles: "Tiles, rows by columns",
  tileRows: "Rows of tiles",
  tileColumns: "Columns of tiles",
  exportPlace: "Where its middle lies: longitude, latitude",
  exportUsualLayer: "As usual for this file",
  exportStart: "Export",
  exporting: "At work …",
  exportReady: "Save {file} ({size})",
  exportHow: "What to do there",
  exportNumbers: "Numbers to type in",
  growing: "Growing",
  gettingReady: "Getting ready, this first time only.",
  left: "{time} left",
  grown: "{ny} × {nx} cells, grown in {time}",
  kept: "{ny} × {nx} cells",
  shownAs: ", {ny} × {nx} of them shown here",
  offline:
    "The engine does not answer. Is “downcut studio” still running? If it was started again, open the link that it printed.",
  position: "{x} m east, {y} m north",
  elevation: "{z} m high",
  slope: "{slope}° steep",
  drains: "{area} drain here",
  keyPresets: "Show or hide the presets",
  keyRooms: "Recipe, look, watch, measure",
  keyModes: "3-D, map, compare",
  keyPlay: "Play or pause what is watched",
  keyMove: "Move the step that has the focus",
  keyTab: "From one control to the next",
  keyStage: "On the land: move along; on a slider: less and more",
  keyFly: "Fly, while the mouse button is held on the land or Tab has led to it",
  keyNearer: "On the land: nearer, farther, all of it",
  keyEscape: "Close what lies over the land, give up a drag",
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
  const size = Math.abs(value);
  if (value !== 0 && (size >= 1e7 || size < 1e-4)) return power(value);
  const most = Math.max(digits, wholeDigits(value));
  return value.toLocaleString("en", { maximumSignificantDigits: most }).replace("-", "−");
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** "2 × 10⁻⁵", "10⁸". */
function power(value: number): string {
  const [times = "", exponent = ""] = Number(value.toPrecision(3)).toExponential().split("e");
  const raised = exponent
    .replace("+", "")
    .replace("-", "⁻")
    .replace(/\d/g, (digit) => RAISED[Number(digit)] ?? "");
  const ten = `10${raised}`;
  if (times === "1") return ten;
  return times === "-1" ? `−${ten}` : `${times.replace("-", "−")} × ${ten}`;
}

const wholeDigits = (value: number) => Math.trunc(Math.abs(value)).toString().length;

/** Seconds in words: "0.4 s", "12 s", "3 min". */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** Square metres in words: "420 m²", "3.1 km²". */
export const area = (squareMetres: number): string =>
  Math.abs(squareMetres) < 1e5 ? `${figure(squareMetres)} m²` : `${figure(squareMetres / 1e6)} km²`;

/** Cubic metres in words: "420 m³", "3.1 km³". */
export const volume = (cubicMetres: number): string =>
  Math.abs(cubicMetres) < 1e7 ? `${figure(cubicMetres)} m³` : `${figure(cubicMetres / 1e9)} km³`;

/** Bytes in words: "420 kB", "3.1 MB". */
export const bytes = (count: number): string =>
  count < 1e6 ? `${figure(count / 1e3)} kB` : `${figure(count / 1e6)} MB`;

const SECONDS_A_YEAR = 31_557_600;

/** A value in its unit, or in one that people can imagine. */
export function quantity(value: number, unit: string): string {
  if (unit === "m²") return area(value);
  if (unit === "m³") return volume(value);
  if (unit === "m³/yr") return `${figure(value / SECONDS_A_YEAR)} m³/s`;
  return `${figure(value)} ${unit}`.trim();
}
