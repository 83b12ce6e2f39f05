// Colours of the map in light and dark; the panels' own are in map.css.

export interface Theme {
  table: string;
  walls: Record<"west" | "north" | "east" | "south", string>;
  sky: string;
  horizon: string;
  shadow: string;
  light: string;
  /** Darkens steep ground, whatever way it faces. */
  accent: string;
  river: string;
  lake: string;
  shore: string;
  /** Sea by depth, as shares of the deepest: shore first. */
  sea: [share: number, colour: string][];
}

const DAY: Theme = {
  table: "#e9e4da",
  walls: { west: "#a8937f", north: "#9c8875", east: "#6f5e51", south: "#80705f" },
  sky: "#a9c4d8",
  horizon: "#f3ece0",
  shadow: "rgba(38, 38, 66, 0.8)",
  light: "rgba(255, 240, 212, 0.55)",
  accent: "rgba(60, 48, 44, 0.35)",
  river: "#4f86a8",
  lake: "#5f95b4",
  shore: "#3d6f8f",
  sea: [
    [0, "#8fc3c9"],
    [0.06, "#62a5b8"],
    [0.3, "#3b7d9e"],
    [1, "#1d4a73"],
  ],
};

const NIGHT: Theme = {
  ...DAY,
  table: "#171a20",
  walls: { west: "#6b5c50", north: "#625449", east: "#3d342e", south: "#4a4038" },
  sky: "#0d1420",
  horizon: "#2b3340",
};

/** Tints of heights where a land brings no colours, as shares of its relief above the sea. */
export const TINTS: [share: number, colour: string][] = [
  [0, "#6f8d5e"],
  [0.18, "#93a56c"],
  [0.38, "#c5b87e"],
  [0.58, "#a98a64"],
  [0.78, "#8f8279"],
  [0.92, "#d9d8d6"],
  [1, "#f6f7f9"],
];

export function theme(dark: boolean): Theme {
  return dark ? NIGHT : DAY;
}
