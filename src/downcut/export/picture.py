"""The picture: the land from above, in natural colours and soft light."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from downcut.export.origin import about, png_note
from downcut.export.tints import Scene, blend, tints
from downcut.export.water import rivers, standing, water_level
from downcut.run import Run
from downcut.shading import (
    Plane,
    Tone,
    gradient,
    lambert,
    legend_light,
    several_suns,
    smoothstep,
    sun_vector,
    to_srgb,
)
from downcut.terrain import Terrain

NOTEBOOK_EDGE = 768
"""Longest edge of the picture a notebook shows [pixels]."""

AZIMUTH, ALTITUDE = 315.0, 40.0
"""Where the sun stands: in the north-west, where maps have it, since light from below the map
turns valleys into ridges for the eye."""

SUNLIGHT = np.array([0.98, 0.90, 0.77], np.float32)
SKYLIGHT = np.array([0.25, 0.31, 0.40], np.float32)
RIVER = Tone("river", 62, 94, 118)
SHALLOW = Tone("shallow", 82, 142, 152)
DEEP = Tone("deep", 24, 58, 94)

KNEE = np.float32(0.6)
"""Light above this is compressed towards white, so that sunny snow keeps its form."""

REACH = (1, 2, 4, 8, 16, 32)
"""Distances [cells] at which the horizon is looked for."""
SUN_REACH = (1, 2, 3, 4, 6, 8, 11, 16, 22, 32)
WAYS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
PAD = 32

SLICE = 32
"""Rows painted at a time: dozens of temporaries of that size fit in a core's cache."""

READABLE_SLOPE = 0.45
"""The typical slope [m/m] that gives light and shade their full range."""


def preview(terrain: Terrain) -> NDArray[np.uint8]:
    """Paint the land as seen from above, one pixel a cell.

    Colours by `colour` or `biome` where there is such a layer, else by height, slope and what
    else there is; a warm sun from the north-west with cast shadows, a cool sky that valleys see
    less of; rivers and standing water. Heights are exaggerated so that gentle land shows its
    form. For looking at: what it shows is relative to this land.

    Returns
    -------
    (ny, nx, 3) uint8, sRGB

    Raises
    ------
    DowncutError
        If the land has no elevation, or some of it is not finite.
    """
    scene = Scene.of(terrain)
    picture = np.empty((*scene.grid.shape, 3), np.uint8)
    streams = rivers(scene)
    scale = np.float32(exaggeration(scene) / scene.grid.cell_size)
    level = water_level(scene, 0, scene.grid.ny)
    relief = np.pad(scene.elevation if level is None else level, PAD, mode="edge")
    relief -= np.float32(scene.low)
    relief *= scale

    def work(start: int, stop: int) -> None:
        picture[start:stop] = _paint(scene, relief, streams, start, stop)

    Run().slices(work, scene.grid.ny, SLICE)
    return picture


def exaggeration(scene: Scene) -> float:
    """Return how many times steeper the land is lit than it is."""
    return float(np.clip(READABLE_SLOPE / scene.slope, 0.6, 12.0)) if scene.slope > 1e-5 else 1.0


def _paint(scene: Scene, relief: Plane, streams: Plane | None, start: int, stop: int) -> Any:
    """Paint some rows; `relief` is the ground in cells, exaggerated and padded."""
    cell = scene.grid.cell_size
    east, north = gradient(scene.elevation, cell, start, stop)
    colour, cover = _coloured(scene, streams, east, north, start, stop)
    lift = np.float32(exaggeration(scene))
    if cover is not None:
        calm = 1 - cover * np.float32(0.96)  # the bed shows through a little
        east, north = east * calm, north * calm
    return to_srgb(_tone(colour * _light(relief, east * lift, north * lift, start, stop)))


def bare_colours(scene: Scene, streams: Plane | None, start: int, stop: int) -> Plane:
    """Return the colours of ground and water in some rows without light on them, linear."""
    east, north = gradient(scene.elevation, scene.grid.cell_size, start, stop)
    return _coloured(scene, streams, east, north, start, stop)[0]


def _coloured(
    scene: Scene, streams: Plane | None, east: Plane, north: Plane, start: int, stop: int
) -> tuple[Plane, Plane | None]:
    """Return the colours of some rows, and how much standing water covers each cell."""
    colour = tints(scene, start, stop)
    if streams is not None:
        colour = blend(colour, RIVER, streams[start:stop] * np.float32(0.9))
    water = standing(scene, start, stop, np.sqrt(east * east + north * north))
    if water is None:
        return colour, None
    cover, depth = water
    return _flood(scene, colour, cover, depth), cover


def _flood(scene: Scene, colour: Plane, cover: Plane, depth: Plane) -> Plane:
    """Lay water over the ground: clear in the shallows, dark where it is deep."""
    reach = np.float32(min(max(0.06 * scene.relief, 0.3), 150.0))
    clear = 1 / (1 + depth / reach)
    clear *= clear
    body = blend(legend_light((DEEP,)), SHALLOW, clear)
    return blend(colour, body, cover * (1 - np.float32(0.4) * clear * clear))


def _light(relief: Plane, east: Plane, north: Plane, start: int, stop: int) -> Plane:
    """Return the light on some rows, (rows, nx, 3): about 1 on flat, open ground."""
    flat = sun_vector(AZIMUTH, ALTITUDE)[2]
    sun = lambert(east, north, AZIMUTH, ALTITUDE) / flat
    sun *= _in_sun(relief, start, stop)
    several = several_suns(east, north, AZIMUTH, 50) / sun_vector(AZIMUTH, 50)[2]
    sky = _open_sky(relief, start, stop) * (np.float32(0.3) + np.float32(0.7) * several)
    light: Plane = sun[..., None] * SUNLIGHT
    light += sky[..., None] * SKYLIGHT
    return light


def _horizon(relief: Plane, start: int, stop: int, way: tuple[int, int], reach: Any) -> Plane:
    """Return the tangent of the horizon's height in one direction, at least 0."""
    nx = relief.shape[1] - 2 * PAD
    here = relief[PAD + start : PAD + stop, PAD : PAD + nx]
    length = float(np.hypot(*way))
    highest = np.zeros(here.shape, np.float32)
    rise = np.empty_like(highest)
    for cells in reach:
        top, left = PAD + way[0] * cells, PAD + way[1] * cells
        np.subtract(relief[top + start : top + stop, left : left + nx], here, out=rise)
        rise *= np.float32(1 / (cells * length))
        np.maximum(highest, rise, out=highest)
    return highest


def _open_sky(relief: Plane, start: int, stop: int) -> Plane:
    """Return the share of the sky's light that reaches the ground: 1 / (1 + tan²) each way."""
    total = np.zeros((stop - start, relief.shape[1] - 2 * PAD), np.float32)
    for way in WAYS:
        horizon = _horizon(relief, start, stop, way, REACH)
        total += 1 / (1 + horizon * horizon)
    total /= len(WAYS)
    return total


def _in_sun(relief: Plane, start: int, stop: int) -> Plane:
    """Return 1 in the sun and 0 in a cast shadow, with a soft edge."""
    horizon = _horizon(relief, start, stop, (-1, -1), SUN_REACH)
    height = np.tan(np.radians(ALTITUDE))
    return 1 - np.float32(0.68) * smoothstep(0.75 * height, 1.25 * height, horizon)


def _tone(light: Plane) -> Plane:
    """Hold the highlights: linear up to the knee, then ever slower towards 1."""
    over = np.maximum(light - KNEE, 0)
    over /= 1 - KNEE
    held: Plane = np.minimum(light, KNEE) + (1 - KNEE) * over / (1 + over)
    return held


def hillshade(terrain: Terrain) -> NDArray[np.uint8]:
    """Return the plain grey hillshade of the land, (ny, nx) uint8: 255 × light, flat 180."""
    scene = Scene.of(terrain)
    grey = np.empty(scene.grid.shape, np.uint8)

    def work(start: int, stop: int) -> None:
        east, north = gradient(scene.elevation, scene.grid.cell_size, start, stop)
        grey[start:stop] = lambert(east, north, AZIMUTH, 45.0) * 255 + np.float32(0.5)

    Run().slices(work, scene.grid.ny, SLICE)
    return grey


def png_bytes(picture: NDArray[np.uint8], terrain: Terrain | None = None) -> bytes:
    """Return an 8-bit picture, (ny, nx) grey or (ny, nx, 3) sRGB, as a PNG.

    With `terrain`, the recipe and its names are in the text chunk "downcut", so that the
    picture can be made again.
    """
    note = png_note({"kind": "downcut picture", **about(terrain)}) if terrain else None
    data = io.BytesIO()
    Image.fromarray(picture).save(data, "PNG", compress_level=3, pnginfo=note)
    return data.getvalue()


def preview_png(terrain: Terrain) -> bytes:
    """Return `preview` as a PNG that carries its recipe."""
    return png_bytes(preview(terrain), terrain)


def hillshade_png(terrain: Terrain) -> bytes:
    """Return `hillshade` as a PNG that carries its recipe."""
    return png_bytes(hillshade(terrain), terrain)


def notebook_png(terrain: Terrain) -> bytes:
    """Return the preview as a PNG of at most 768 pixels along its longer edge."""
    picture = Image.fromarray(preview(terrain))
    picture.thumbnail((NOTEBOOK_EDGE, NOTEBOOK_EDGE), Image.Resampling.LANCZOS)
    return png_bytes(np.asarray(picture), terrain)
