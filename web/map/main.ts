import "maplibre-gl/dist/maplibre-gl.css";
import "./map.css";
import {
  addProtocol,
  type CameraOptions,
  type LngLat,
  Map as MapLibre,
  Marker,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from "maplibre-gl";
import worker from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { Protocol } from "pmtiles";
import { type Description, describe } from "./description";
import { complain, fillIn, read, type Wishes } from "./panel";
import { foot, shape } from "./shape";
import { around, sky, style } from "./style";
import { theme } from "./theme";
import { HeightTiles } from "./tiles";

const DARK = matchMedia("(prefers-color-scheme: dark)");
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const NARROW = matchMedia("(max-width: 560px)");
/** `?still` shows the land at once, for those who take pictures of it. */
const STILL = new URLSearchParams(location.search).has("still");
const PITCH = 55;
const BEARING = -24;
/** Zooms that a tilted land leaves free: it is measured flat. */
const CLOSER = 0.3;

async function load(): Promise<Description> {
  const address = new URL("map.json", document.baseURI);
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`the server answers ${answer.status} ${answer.statusText}`);
    return describe(await answer.json(), new URL(".", address).href);
  } catch (problem) {
    const hint =
      location.protocol === "file:"
        ? "a browser reads no files beside a page opened from the disk; in this folder run " +
          "python3 -m http.server, and open http://localhost:8000"
        : (problem as Error).message;
    throw new Error(`map.json cannot be read: ${hint}`);
  }
}

function draw(map: Description): MapLibre {
  const linked = location.hash !== ""; // to a view that someone wants to show
  const view = new MapLibre({
    container: "map",
    style: style(map, theme(DARK.matches)),
    bounds: map.bounds,
    maxPitch: 80,
    maxZoom: Math.min(map.elevation.maxzoom + 4, 24),
    minZoom: map.elevation.minzoom + 1, // farther away the far side would lack its heights
    renderWorldCopies: false,
    attributionControl: false,
    hash: true,
    canvasContextAttributes: { antialias: !STILL },
    locale: { "Map.Title": `${map.title}, a map to turn, tilt and zoom` },
  });
  view.addControl(new NavigationControl({ visualizePitch: true }), "top-right");
  view.addControl(new ScaleControl({ maxWidth: 120 }), "bottom-right");
  if (!linked) view.jumpTo(whole(view, map));
  return view;
}

/** The camera that shows a whole land, beside the panel or above it; or a world where it begins. */
function whole(view: MapLibre, map: Description): CameraOptions {
  // MapLibre counts zooms by tiles of 512 pixels
  if (map.start) {
    return { center: map.start.at, zoom: map.start.zoom - 1, pitch: PITCH, bearing: BEARING };
  }
  const wide = !NARROW.matches;
  const padding = wide
    ? { top: 0, bottom: 0.12 * innerHeight, left: 0.11 * innerWidth, right: 16 }
    : { top: 70, bottom: 0.26 * innerHeight, left: 8, right: 8 };
  const flat = view.cameraForBounds(foot(map), { padding, bearing: BEARING });
  if (!flat) return { pitch: PITCH, bearing: BEARING };
  return { ...flat, pitch: PITCH, zoom: (flat.zoom ?? 0) + (wide ? CLOSER : 0) };
}

function wishes(view: MapLibre, map: Description): Wishes {
  const show = (layers: string[], yes: boolean): void => {
    for (const layer of layers.filter((name) => view.getLayer(name))) {
      view.setLayoutProperty(layer, "visibility", yes ? "visible" : "none");
    }
  };
  return {
    exaggerate: (exaggeration) => view.setTerrain({ source: "surface", exaggeration }),
    showWater: (yes) => show(["rivers", "lakes", "shores"], yes),
    tintHeights: (yes) => {
      show(["tint"], yes);
      show(["colour"], !yes);
    },
    showWhole: () => view.easeTo({ ...whole(view, map), animate: !CALM.matches }),
  };
}

/** Names the elevation under the pointer, or in the middle for keys and fingers. */
function readElevation(view: MapLibre, map: Description, tiles: HeightTiles): void {
  let latest = 0;
  const show = async ({ lng, lat }: LngLat, where: string): Promise<void> => {
    const turn = ++latest;
    const elevation = await tiles.at(lng, lat, view.getZoom());
    if (turn === latest) read(elevation, map.seaLevel, where);
  };
  view.on("mousemove", ({ lngLat }) => show(lngLat, "under the pointer"));
  view.on("click", ({ lngLat }) => show(lngLat, "where you pointed"));
  const middle = (): Promise<void> => show(view.getCenter(), "in the middle of the view");
  view.getCanvas().addEventListener("mouseout", middle);
  view.on("moveend", (event) => {
    if (!(event.originalEvent instanceof MouseEvent)) middle();
  });
  middle();
}

function putLabels(view: MapLibre, map: Description): void {
  for (const { text, kind, at } of map.labels) {
    const element = document.createElement("div");
    element.className = `label ${kind}`;
    element.textContent = text;
    new Marker({
      element,
      anchor: kind === "summit" ? "bottom" : "center",
      opacityWhenCovered: "0",
    })
      .setLngLat(at)
      .addTo(view);
  }
}

/** Keeps `data-ready` on the page while nothing is left to draw: who takes pictures waits for it. */
function tellWhenDrawn(view: MapLibre): void {
  const page = document.documentElement;
  view.on("render", () => page.removeAttribute("data-ready"));
  view.on("idle", () => page.setAttribute("data-ready", ""));
}

function followTheme(view: MapLibre): void {
  DARK.addEventListener("change", () => {
    const look = theme(DARK.matches);
    view.setSky(sky(look));
    view.setPaintProperty("table", "background-color", look.table);
    if (view.getLayer("around")) view.setPaintProperty("around", "fill-color", around(look));
  });
}

/** Rises from a flat map into relief, unless the person would rather have things still. */
function arrive(view: MapLibre): void {
  if (STILL || CALM.matches) return;
  const { pitch, bearing, zoom } = {
    pitch: view.getPitch(),
    bearing: view.getBearing(),
    zoom: view.getZoom(),
  };
  view.jumpTo({ pitch: pitch * 0.45, bearing: bearing + 30, zoom: zoom - 0.25 });
  view.easeTo({ pitch, bearing, zoom, duration: 2600 });
}

async function main(): Promise<void> {
  document.documentElement.toggleAttribute("data-still", STILL);
  const map = await load();
  const tiles = new HeightTiles(map, shape(map));
  tiles.serve();
  addProtocol("pmtiles", new Protocol().tile);
  setWorkerUrl(worker);
  const view = draw(map);
  const asked = wishes(view, map);
  fillIn(map, asked, !NARROW.matches);
  view.on("error", ({ error }) => complain(`The map is incomplete: ${error.message}`));
  await view.once("style.load");
  asked.exaggerate(map.exaggeration);
  putLabels(view, map);
  followTheme(view);
  readElevation(view, map, tiles);
  tellWhenDrawn(view);
  await view.once("idle");
  document.documentElement.dataset.shown = "";
  arrive(view);
}

main().catch((problem: Error) => complain(problem.message));
