// The page around the map: title, figures, switches, and where the land comes from.

import type { Description } from "./description";
import { EXAGGERATION } from "./description";
import { sides } from "./shape";
import { TINTS } from "./theme";

/** What the person at the page can ask of the map. */
export interface Wishes {
  exaggerate(factor: number): void;
  showWater(yes: boolean): void;
  tintHeights(yes: boolean): void;
  showWhole(): void;
}

/** Fills the page in; `open` tells whether there is room for the switches from the start. */
export function fillIn(map: Description, wishes: Wishes, open: boolean): void {
  find<HTMLDetailsElement>("view").open = open;
  document.title = `${map.title} · downcut`;
  find("title").textContent = map.title;
  const large = map.start ? "without an edge" : extent(map);
  find("facts").textContent = `${large} · ${map.range.map(metres).join(" to ")}`;
  document.documentElement.toggleAttribute("data-endless", map.start !== null);
  if (map.start) find("whole").textContent = "Where it begins";
  find("low").textContent = metres(map.seaLevel ?? map.range[0]);
  find("high").textContent = metres(map.range[1]);
  const stops = TINTS.map(([share, colour]) => `${colour} ${share * 100}%`);
  find("ramp").style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
  origin(map);
  slider(map, wishes);
  switches(map, wishes);
  find("whole").addEventListener("click", wishes.showWhole);
}

/** Shows an elevation [m], and whose it is. */
export function read(elevation: number | null, seaLevel: number | null, where: string): void {
  const sea = elevation !== null && seaLevel !== null && elevation < seaLevel;
  const depth = sea ? seaLevel - elevation : 0;
  find("elevation").textContent =
    elevation === null ? "–" : sea ? `${metres(depth)} deep` : metres(elevation);
  find("where").textContent = elevation === null ? "beside the land" : where;
}

export function complain(message: string): void {
  const place = find("trouble");
  place.textContent = message;
  place.hidden = false;
}

/** A length as people write it: 312 m, 12 cm. */
export function metres(length: number): string {
  const digits = Math.abs(length) < 10 ? 2 : 0;
  const rounded = Number(length.toFixed(digits)) || 0; // never −0
  return `${String(rounded).replace("-", "−")}\u00a0m`;
}

function extent(map: Description): string {
  const lengths = map.extent ?? sides(map);
  const [unit, name, digits]: [number, string, number] =
    Math.max(...lengths) >= 3000 ? [1000, "km", 1] : [1, "m", 0];
  return `${lengths.map((side) => (side / unit).toFixed(digits)).join(" × ")}\u00a0${name}`;
}

function origin(map: Description): void {
  const recipe = document.createElement("code");
  recipe.textContent = map.recipe;
  const link = document.createElement("a");
  link.href = "https://maplibre.org/";
  link.rel = "noopener noreferrer";
  link.textContent = "MapLibre";
  find("origin").append(
    `Grown by ${map.madeBy}`,
    ...(map.recipe ? [" from recipe ", recipe] : []),
    " · drawn by ",
    link,
  );
}

function slider(map: Description, wishes: Wishes): void {
  const input = find<HTMLInputElement>("exaggeration");
  [input.min, input.max] = EXAGGERATION.map(String) as [string, string];
  input.value = String(map.exaggeration);
  const show = (): void => {
    find("factor").textContent = `× ${Number(input.value).toFixed(1)}`;
  };
  input.addEventListener("input", () => {
    show();
    wishes.exaggerate(Number(input.value));
  });
  show();
}

function switches(map: Description, wishes: Wishes): void {
  const water = find<HTMLInputElement>("water");
  const tinted = find<HTMLInputElement>("tinted");
  water.addEventListener("change", () => wishes.showWater(water.checked));
  (water.parentElement as HTMLElement).hidden = !(map.rivers || map.lakes);
  const legend = find("legend");
  legend.hidden = map.colour !== null;
  tinted.checked = map.colour === null;
  tinted.addEventListener("change", () => {
    legend.hidden = !tinted.checked;
    wishes.tintHeights(tinted.checked);
  });
  (tinted.parentElement as HTMLElement).hidden = map.colour === null;
}

function find<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}
