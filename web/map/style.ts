// The MapLibre style: a block of land on a table, its colours, its light, its water.

import type { Feature, FeatureCollection, Position } from "geojson";
import type {
  DataDrivenPropertyValueSpecification,
  ExpressionSpecification,
  LayerSpecification,
  SkySpecification,
  SourceSpecification,
  StyleSpecification,
} from "maplibre-gl";
import type { Description, Tiles } from "./description";
import { cosine, foot, ring, shape } from "./shape";
import { type Theme, TINTS } from "./theme";
import { SCHEME } from "./tiles";

/** Metres of the equator that a pixel shows at zoom 0, where the world is 512 pixels wide. */
const METRES_AT_ZOOM_0 = 40_075_016.686 / 512;

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
    ...(map.start ? [] : [edge(look)]),
  ];
  return { version: 8, sources: sources(map), layers, sky: sky(look) };
}

function edge(look: Theme): LayerSpecification {
  return { id: "around", type: "fill", source: "around", paint: { "fill-color": around(look) } };
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
  const heights = (kind: string, bounds = map.bounds): SourceSpecification => ({
    type: "raster-dem",
    tiles: [`${SCHEME}://${kind}/{z}/{x}/{y}`],
    encoding: "terrarium",
    ...pyramid(map.elevation),
    bounds,
  });
  return {
    surface: heights("surface", map.start ? map.bounds : foot(map)),
    shade: heights("shade"),
    ground: heights("ground"),
    ...(map.start ? {} : { around: { type: "geojson", data: surroundings(map) } }),
    ...(map.colour && {
      colour: { type: "raster", ...where(map.colour), ...pyramid(map.colour), bounds: map.bounds },
    }),
    ...(map.rivers && { rivers: { type: "geojson", data: map.rivers } }),
    ...(map.lakes && { lakes: { type: "geojson", data: map.lakes } }),
  };
}

function pyramid({ tileSize, minzoom, maxzoom }: Tiles) {
  return { tileSize, minzoom, maxzoom };
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

/** Light from the north-west, strong enough to shape the land and too weak to hide its colours. */
function shade(look: Theme): LayerSpecification {
  return {
    id: "shade",
    type: "hillshade",
    source: "shade",
    paint: {
      "hillshade-method": "standard",
      "hillshade-illumination-direction": 315,
      "hillshade-illumination-anchor": "map",
      "hillshade-exaggeration": 0.42,
      "hillshade-shadow-color": look.shadow,
      "hillshade-highlight-color": look.light,
      "hillshade-accent-color": look.accent,
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

/** The four walls, each in its own light, and all that is not land. */
function surroundings(map: Description): FeatureCollection {
  const top = ring(map.bounds);
  const base = ring(foot(map));
  const walls = SIDES.map((side, i) =>
    polygon({ side }, [[top[i], top[i + 1], base[i + 1], base[i], top[i]] as Position[]]),
  );
  const table = polygon({ side: "table" }, [ring([-180, -85, 180, 85]), base]);
  return { type: "FeatureCollection", features: [table, ...walls] };
}

/** In the order of the corners of `ring`. */
const SIDES = ["west", "north", "east", "south"] as const;

export function around(look: Theme): DataDrivenPropertyValueSpecification<string> {
  const walls = SIDES.flatMap((side) => [side, look.walls[side]]);
  return ["match", ["get", "side"], ...walls, look.table] as unknown as ExpressionSpecification;
}

function polygon(properties: Record<string, string>, coordinates: Position[][]): Feature {
  return { type: "Feature", properties, geometry: { type: "Polygon", coordinates } };
}
