// The MapLibre style: a block of land on a table, its colours, its light, its water.

import type { Feature, Polygon } from "geojson";
import type {
  ExpressionSpecification,
  LayerSpecification,
  SkySpecification,
  SourceSpecification,
  StyleSpecification,
} from "maplibre-gl";
import type { Description, Tiles } from "./description";
import type { Shape } from "./heights";
import { type Theme, TINTS } from "./theme";
import { SCHEME } from "./tiles";

/** Metres of the equator that a pixel shows at zoom 0, where the world is 512 pixels wide. */
const METRES_AT_ZOOM_0 = 40_075_016.686 / 512;

/** How far the block's walls go down below the lowest ground, as a share of relief and width. */
const PLINTH_OF_RELIEF = 0.12;
const PLINTH_OF_WIDTH = 0.012;

/** Returns how the land stands: its sea, and the height of the table below it. */
export function shape(map: Description): Shape {
  const sea = map.seaLevel !== null && map.seaLevel > map.range[0] ? map.seaLevel : null;
  const lowest = sea ?? map.range[0];
  const relief = Math.max(map.range[1] - lowest, 0);
  const plinth = PLINTH_OF_RELIEF * relief + PLINTH_OF_WIDTH * width(map);
  return { sea, floor: lowest - plinth };
}

/** Returns the land's extent from west to east [m]. */
export function width({ bounds: [west, south, east, north] }: Description): number {
  return ((east - west) / 360) * METRES_AT_ZOOM_0 * 512 * cosine((south + north) / 2);
}

export function style(map: Description, look: Theme): StyleSpecification {
  const { sea } = shape(map);
  const layers: LayerSpecification[] = [
    { id: "table", type: "background", paint: { "background-color": look.table } },
    tint(map),
    ...(map.colour ? [COLOUR] : []),
    shade(look),
    ...(sea === null ? [] : [seaLayer(map, sea, look)]),
    ...(map.lakes ? lakes(look) : []),
    ...(map.rivers ? [rivers(map, look)] : []),
    { id: "around", type: "fill", source: "around", paint: { "fill-color": look.table } },
    wall(map, look),
  ];
  return { version: 8, sources: sources(map), layers, sky: sky(look) };
}

export function sky(look: Theme): SkySpecification {
  return {
    "sky-color": look.sky,
    "horizon-color": look.horizon,
    "fog-color": look.table,
    "sky-horizon-blend": 0.7,
    "horizon-fog-blend": 0.6,
    "fog-ground-blend": 0.75,
    "atmosphere-blend": 0,
  };
}

function sources(map: Description): Record<string, SourceSpecification> {
  const heights = (kind: string): SourceSpecification => ({
    type: "raster-dem",
    tiles: [`${SCHEME}://${kind}/{z}/{x}/{y}`],
    encoding: "terrarium",
    ...pyramid(map, map.elevation),
  });
  return {
    surface: heights("surface"),
    shade: heights("shade"),
    ground: heights("ground"),
    around: { type: "geojson", data: around(map) },
    edge: { type: "geojson", data: edge(map) },
    ...(map.colour && {
      colour: { type: "raster", ...where(map.colour), ...pyramid(map, map.colour) },
    }),
    ...(map.rivers && { rivers: { type: "geojson", data: map.rivers } }),
    ...(map.lakes && { lakes: { type: "geojson", data: map.lakes } }),
  };
}

function pyramid(map: Description, { tileSize, minzoom, maxzoom }: Tiles) {
  return { tileSize, minzoom, maxzoom, bounds: map.bounds };
}

function where({ tiles, archive }: Tiles): { tiles: string[] } | { url: string } {
  return tiles ? { tiles: [tiles] } : { url: `pmtiles://${archive}` };
}

const COLOUR: LayerSpecification = {
  id: "colour",
  type: "raster",
  source: "colour",
  paint: { "raster-fade-duration": 150 },
};

function tint(map: Description): LayerSpecification {
  const [, highest] = map.range;
  const lowest = shape(map).sea ?? map.range[0];
  const relief = Math.max(highest - lowest, 1e-3);
  const stops = TINTS.flatMap(([share, colour]) => [lowest + share * relief, colour]);
  return {
    id: "tint",
    type: "color-relief",
    source: "ground",
    layout: { visibility: map.colour ? "none" : "visible" },
    paint: { "color-relief-color": ramp(stops) },
  };
}

function seaLayer(map: Description, sea: number, look: Theme): LayerSpecification {
  const depth = sea - map.range[0];
  const stops = look.sea.toReversed().flatMap(([share, colour]) => [sea - share * depth, colour]);
  const dry = Math.max(depth * 1e-4, 1 / 256);
  stops.push(sea + dry, "rgba(143, 195, 201, 0)");
  return {
    id: "sea",
    type: "color-relief",
    source: "ground",
    paint: { "color-relief-color": ramp(stops) },
  };
}

function ramp(stops: (number | string)[]): ExpressionSpecification {
  return ["interpolate", ["linear"], ["elevation"], ...stops] as unknown as ExpressionSpecification;
}

function shade(look: Theme): LayerSpecification {
  return {
    id: "shade",
    type: "hillshade",
    source: "shade",
    paint: {
      "hillshade-method": "standard",
      "hillshade-illumination-direction": 315,
      "hillshade-illumination-anchor": "map",
      "hillshade-exaggeration": 0.55,
      "hillshade-shadow-color": look.shadow,
      "hillshade-highlight-color": look.light,
      "hillshade-accent-color": look.shadow,
    },
  };
}

function lakes(look: Theme): LayerSpecification[] {
  return [
    { id: "lakes", type: "fill", source: "lakes", paint: { "fill-color": look.lake } },
    {
      id: "shores",
      type: "line",
      source: "lakes",
      paint: { "line-color": look.shore, "line-width": 0.8, "line-opacity": 0.7 },
    },
  ];
}

/** Rivers as wide as they are, but never so thin that a brook is lost. */
function rivers(map: Description, look: Theme): LayerSpecification {
  const [, south, , north] = map.bounds;
  const metres = METRES_AT_ZOOM_0 * cosine((south + north) / 2);
  const wide = ["number", ["get", "width"], 5];
  const thin = ["interpolate", ["linear"], wide, 1, 0.5, 10, 1, 100, 2.2];
  const pixels = (zoom: number) => ["max", thin, ["*", wide, 2 ** zoom / metres]];
  const zooms = [0, 4, 8, 10, 12, 14, 16, 18, 20, 22, 24];
  return {
    id: "rivers",
    type: "line",
    source: "rivers",
    layout: { "line-cap": "round", "line-join": "round" },
    paint: {
      "line-color": look.river,
      "line-width": [
        "interpolate",
        ["exponential", 2],
        ["zoom"],
        ...zooms.flatMap((zoom) => [zoom, pixels(zoom)]),
      ] as unknown as ExpressionSpecification,
    },
  };
}

/** The walls of the block hang from a line around the land, as wide as a few of its samples. */
function wall(map: Description, look: Theme): LayerSpecification {
  const { maxzoom, tileSize } = map.elevation;
  const sample = 512 / tileSize;
  return {
    id: "wall",
    type: "line",
    source: "edge",
    layout: { "line-join": "miter" },
    paint: {
      "line-color": look.wall,
      "line-width": [
        "interpolate",
        ["exponential", 2],
        ["zoom"],
        maxzoom,
        5 * sample,
        maxzoom + 6,
        5 * sample * 2 ** 6,
      ],
      "line-offset": [
        "interpolate",
        ["exponential", 2],
        ["zoom"],
        maxzoom,
        -2 * sample,
        maxzoom + 6,
        -2 * sample * 2 ** 6,
      ],
    },
  };
}

function edge({ bounds: [west, south, east, north] }: Description): Feature {
  const ring = [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
  return { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } };
}

/** Everything but the land. */
function around(map: Description): Feature {
  const whole = [
    [-180, -85],
    [180, -85],
    [180, 85],
    [-180, 85],
    [-180, -85],
  ];
  const { coordinates } = edge(map).geometry as Polygon;
  return {
    type: "Feature",
    properties: {},
    geometry: { type: "Polygon", coordinates: [whole, ...coordinates] },
  };
}

function cosine(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}
