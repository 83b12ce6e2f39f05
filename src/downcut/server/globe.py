"""An endless world on a web map: tiles, what describes them, and a page that shows them."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from downcut import __version__
from downcut.errors import DowncutError
from downcut.export.height_codes import CODINGS
from downcut.export.tile_grid import EDGE
from downcut.pages import page
from downcut.server.app import explain_errors
from downcut.server.atlas import Atlas
from downcut.server.guard import Guard, new_token
from downcut.world.tiles import KINDS, Tiles

EDGES = (-180.0, -85.0, 180.0, 85.0)
"""West, south, east, north of the map [°]: beyond these Web Mercator has nothing."""
NEARER = 1.3
"""The page begins so many zooms above the nearest."""


def create_globe(atlas: Atlas, *, port: int, host: str = "127.0.0.1") -> Guard:
    """Return the server of a world's tiles as an ASGI application.

    It answers `/{kind}/{z}/{x}/{y}.png` and `/{kind}/tiles.json` for terrarium, terrain-rgb and
    colour, and the page at `/` with its `/map.json`. It needs no key: it only shows.

    Parameters
    ----------
    atlas : Atlas
    port, host
        As for `Guard`.
    """

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        yield
        atlas.close()

    app = FastAPI(
        title="downcut world", version=__version__, lifespan=life, docs_url=None, redoc_url=None
    )
    explain_errors(app)

    @app.get("/map.json")
    def described() -> dict[str, Any]:
        """Say what the page shows, and where it begins."""
        return description(atlas.tiles)

    @app.get("/{kind}/tiles.json")
    def listed(kind: str, request: Request) -> dict[str, Any]:
        """Return the TileJSON of a kind of tiles."""
        return tilejson(atlas.tiles, _kind(kind), str(request.base_url))

    @app.get("/{kind}/{z}/{x}/{y}.png")
    async def tile(kind: str, z: int, x: int, y: int, request: Request) -> Response:
        """Return a tile; its name names its bytes, so one that is known is not sent again."""
        named = f'"{atlas.name}-{_kind(kind)}-{z}-{x}-{y}"'
        headers = {"etag": named, "cache-control": "no-cache"}
        _there(atlas.tiles, z, x, y)
        if request.headers.get("if-none-match") == named:
            return Response(status_code=304, headers=headers)
        content = await atlas.tile(kind, (z, x, y))
        return Response(content, media_type="image/png", headers=headers)

    app.mount("/", StaticFiles(directory=str(page("map")), html=True), name="map")
    return Guard(app, port=port, token=new_token(), host=host)


def _kind(kind: str) -> str:
    if kind not in KINDS:
        raise HTTPException(404, f"no tiles are called {kind[:40]!r}: there are {', '.join(KINDS)}")
    return kind


def _there(tiles: Tiles, *place: int) -> None:
    try:
        tiles.window(*place)
    except DowncutError as error:
        raise HTTPException(404, str(error)) from None


def description(tiles: Tiles) -> dict[str, Any]:
    """Return what the map page reads: the world's tiles, and a place worth seeing first."""
    recipe = tiles.world.recipe

    def tile_set(name: str) -> dict[str, Any]:
        zooms = {"minzoom": tiles.minzoom, "maxzoom": tiles.maxzoom}
        return {"tiles": f"{name}/{{z}}/{{x}}/{{y}}.png", "tile_size": EDGE, **zooms}

    return {
        "format": "downcut-map",
        "version": 1,
        "title": recipe.title or "A world",
        "bounds": EDGES,
        "start": {"at": _worth_seeing(tiles), "zoom": tiles.maxzoom - NEARER},
        "range": list(tiles.looks.relief),
        "sea_level": recipe.sea_level,
        "exaggeration": round(min(max(tiles.stretch, 0.5), 5.0), 2),
        "elevation": {**tile_set("terrarium"), "encoding": "terrarium"},
        "colour": tile_set("colour"),
        "recipe": recipe.digest,
        "made_by": f"downcut {__version__}",
    }


def tilejson(tiles: Tiles, kind: str, base: str) -> dict[str, Any]:
    """Return the TileJSON of one kind; `base` is the server's own address."""
    coding = {"encoding": CODINGS[kind].encoding} if kind in CODINGS else {}
    return {
        "tilejson": "3.0.0",
        "name": tiles.world.recipe.title or "A world",
        "attribution": f"downcut {tiles.world.recipe.digest}",
        "scheme": "xyz",
        "tiles": [f"{base}{kind}/{{z}}/{{x}}/{{y}}.png"],
        "format": "png",
        "tileSize": EDGE,
        "bounds": EDGES,
        "center": [*_worth_seeing(tiles), tiles.maxzoom - 1],
        "minzoom": tiles.minzoom,
        "maxzoom": tiles.maxzoom,
        **coding,
    }


def _worth_seeing(tiles: Tiles) -> tuple[float, float]:
    """Return longitude and latitude [°] of a high place near the origin."""
    around = EDGE * 2**tiles.maxzoom * tiles.world.cell_size()  # the map's width, in its own metres
    east, north = tiles.looks.home
    latitude = math.degrees(math.atan(math.sinh(2 * math.pi * north / around)))
    return round(360 * east / around, 6), round(latitude, 6)
