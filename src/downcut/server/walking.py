"""Walking: windows of the lands that the studio shows, made when a page comes to walk there."""

import math
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from downcut.errors import DowncutError, shown
from downcut.export.walk import Walk, walk_files
from downcut.recipe import Recipe
from downcut.run import Run
from downcut.server.asking import studio_of
from downcut.server.jobs import Job
from downcut.server.studio import Studio
from downcut.server.walks import Files
from downcut.walking.country import Country
from downcut.walking.endless import Endless, is_endless
from downcut.walking.window import EXTENT, Asked, suited, walk

router = APIRouter(prefix="/api/walk", tags=["walking"])

FIRST = "/walk/?land=/api/walk/opened/start/walk.json"
"""Where a studio that was started to walk leads."""
OPENED, START = "opened", "start"
ONWARD = "../{x},{y}/walk.json"
KINDS = {".json": "application/json", ".bin": "application/octet-stream"}


@router.get("/{land}/{place}/{file:path}")
def walk_file(land: str, place: str, file: str, request: Request) -> Response:
    """Return a file of a walk; asking for walk.json makes it, which takes some seconds.

    `land` is the digest of a land that was grown, or `opened`: the recipe that the studio was
    started with, and without an edge where it can be. `place` is `start`, or EAST,NORTH or
    EAST,NORTH,EXTENT [m]: the window's middle, from the land's, and its edge.
    """
    studio = studio_of(request)
    files = studio.walks.find(land, place)
    if files is None and file == "walk.json":
        files = _made(studio, land, place)
    if files is None or file not in files:
        raise HTTPException(404, "this walk is not kept, or has no such file: ask for walk.json")
    kind = KINDS[file[file.rindex(".") :]]
    return Response(files[file], media_type=kind, headers={"cache-control": "no-store"})


def _made(studio: Studio, land: str, place: str) -> Files:
    """Make a walk when its turn has come, and wait for it."""
    asked, recipe = asked_window(place), _recipe(studio, land)
    endless = land == OPENED and is_endless(recipe)
    if not endless:
        asked.check(recipe.grid.grid)
    make = _endless if endless else _finite

    def work(job: Job) -> Files:
        kept = studio.walks.find(land, place)  # another page may have asked for the same
        files = kept or walk_files(make(studio, recipe, asked, job), onward(asked))
        studio.walks.keep(land, place, files)
        return files

    job = studio.desk.take("walk", work)
    job.ended.wait()
    if job.state != "done":
        raise DowncutError(job.error or "the studio is closing: open it again")
    files: Files = job.result
    return files


def onward(asked: Asked) -> str:
    """Return where windows about other places are found, as large as this one."""
    return ONWARD if asked.extent == EXTENT else f"../{{x}},{{y}},{asked.extent:g}/walk.json"


def _finite(studio: Studio, recipe: Recipe, asked: Asked, job: Job) -> Walk:
    """Return a window of a land with edges."""
    land = studio.land(recipe, job)
    country = studio.walks.country(recipe.digest, lambda: Country.of(land))
    return walk(country, asked, Run(studio.threads))


def _endless(studio: Studio, recipe: Recipe, asked: Asked, _job: Job) -> Walk:
    """Return a window of a world."""
    world: Endless = studio.walks.country(
        f"endless {recipe.digest}", lambda: Endless(recipe, studio.threads)
    )
    return world.walk(asked, Run(studio.threads))


def _recipe(studio: Studio, land: str) -> Recipe:
    """Return the recipe whose land is walked in."""
    if land == OPENED:
        if studio.source is None:
            raise HTTPException(404, "the studio was not started with a land: open one first")
        return suited(Recipe.from_dict(studio.source))
    terrain = studio.lands.find(land)
    if terrain is None:
        raise HTTPException(404, "this land is not kept: let it grow (again) first")
    return suited(terrain.recipe)


def asked_window(place: str) -> Asked:
    """Read a place as pages ask for it.

    Raises
    ------
    DowncutError
        For what is no place.

    Examples
    --------
    >>> asked_window("start").at, asked_window("120,-3.5,500")
    (None, Asked(at=(120.0, -3.5), extent=500.0, cell_size=None))
    """
    if place == START:
        return Asked()
    try:
        numbers = [float(part) for part in place.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or not all(map(math.isfinite, numbers)):
        raise DowncutError(
            f"place is {shown(place)}: give EAST,NORTH or EAST,NORTH,EXTENT, or start"
        )
    more: dict[str, Any] = {"extent": numbers[2]} if len(numbers) == 3 else {}
    return Asked((numbers[0], numbers[1]), **more)
