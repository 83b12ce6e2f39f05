/** What of the panel is open: sides, tabs, the gallery, dialogs, and which light it is seen in. */

import { effect, signal } from "@preact/signals-core";

export const TABS = ["look", "watch", "measure"] as const;
export type Tab = (typeof TABS)[number];
/** What a telephone shows over the land: one of them at a time, or nothing. */
export type Sheet = "" | "presets" | "recipe" | Tab;
export type Theme = "system" | "light" | "dark";

/** Below so many pixels the gallery would hide the land. */
const LOW = 600;

export const leftOpen = signal(true);
export const rightOpen = signal(true);
/** Open for a newcomer; who opens a link has chosen a land, and a low window has no room. */
export const galleryOpen = signal(
  (globalThis.location?.hash ?? "").length < 2 && (globalThis.innerHeight ?? 0) >= LOW,
);
export const tab = signal<Tab>("look");
export const sheet = signal<Sheet>("");
export const dialog = signal<"" | "export" | "help" | "step">("");
/** Spoken to people who hear the page. */
export const announced = signal("");

const KEPT = "downcut-theme";
const THEMES: readonly Theme[] = ["system", "light", "dark"];

const kept = globalThis.localStorage?.getItem(KEPT) as Theme | null;
export const theme = signal<Theme>(kept && THEMES.includes(kept) ? kept : "system");

/** Keeps the page in the light that was chosen. */
export function lightThePage(root: HTMLElement): void {
  effect(() => {
    root.dataset.theme = theme.value;
    if (theme.value === "system") localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, theme.value);
  });
}

/** The next of system, light, dark. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.peek()) + 1) % THEMES.length] ?? "system";
}

/** Shows a tab, on whatever screen this is. */
export function show(which: Tab): void {
  tab.value = which;
  sheet.value = which;
  rightOpen.value = true;
}

export function showRecipe(): void {
  leftOpen.value = true;
  sheet.value = "recipe";
}

export function toggleGallery(): void {
  const open = !galleryOpen.peek();
  galleryOpen.value = open;
  sheet.value = open ? "presets" : "";
}

/** Puts away what lies over the land. */
export function putAway(): void {
  sheet.value = "";
  galleryOpen.value = false;
}
