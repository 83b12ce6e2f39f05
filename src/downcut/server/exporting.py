"""Exports: what would be made of a land for a program, and the files of one that was made."""

import re
import shutil
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import FileResponse

from downcut.errors import DowncutError, shown
from downcut.export import targets
from downcut.export.save import save
from downcut.handover.exporting import prepare
from downcut.handover.planning import Order, cut, planned
from downcut.recipe import Recipe
from downcut.server.asking import Asked, studio_of
from downcut.server.jobs import Job
from downcut.server.studio import Studio, asked_recipe

router = APIRouter(prefix="/api", tags=["working"])
_NAME = re.compile(r"[^A-Za-z0-9_-]+")


@router.post("/planned")
def plan(asked: Asked) -> dict[str, Any]:
    """Say what an export for a target would hold: its samples, and what is left out of the land."""
    if asked.target is None:
        raise DowncutError("target is missing: name the program that the land is for")
    recipe = asked_recipe(asked.recipe, asked.size)
    order = _order(recipe, asked)
    target = targets.by_name(asked.target)
    ready, _, _ = planned(recipe, target, order, asked.name)
    (ny, nx), cell = ready.grid.grid.shape, ready.grid.cell_size
    wide, deep = ((count - target.posts) * cell for count in (nx, ny))
    whole = not cut(recipe, (ny, nx), target.posts, cell)
    return {"ny": ny, "nx": nx, "wide": wide, "deep": deep, "whole": whole}


def _order(recipe: Recipe, asked: Asked) -> Order:
    """Return the order of a page: the land keeps its shape."""
    return Order((recipe.grid.ny, recipe.grid.nx), None, asked.tiles, asked.at, dict(asked.options))


def exported(studio: Studio, recipe: Recipe, asked: Asked, job: Job) -> dict[str, Any]:
    """Write a land for a program, or as one file, and return where it can be fetched."""
    if (asked.target is None) == (asked.format is None):
        raise DowncutError("an export names either a target or a format: give one of them")
    name = _NAME.sub("-", asked.name).strip("-")[:40] or "land"
    folder = studio.folder / job.id
    if asked.target is not None:
        ready = prepare(recipe, asked.target, folder / name, _order(recipe, asked), name=name)
        shipment = ready.deliver(studio.land(ready.recipe, job))
        files, said = shipment.files, shipment.told()
        whole = Path(
            shutil.make_archive(str(folder / f"{name}-{asked.target}"), "zip", folder, name)
        )
    else:
        place = folder / "files" / f"{name}{asked.format}"
        options: dict[str, Any] = dict(asked.options)
        files = save(studio.land(recipe, job), place, layer=asked.layer, **options)
        said = {"format": asked.format}
        whole = _single(files, folder, name)
    studio.exports[job.id] = whole
    size = whole.stat().st_size
    return {"export": job.id, "file": whole.name, "bytes": size, "files": len(files), **said}


def _single(files: list[Path], folder: Path, name: str) -> Path:
    """Return the one file, or all of them (a side file, a store's folder) in a zip."""
    if len(files) == 1 and files[0].is_file():
        return files[0]
    return Path(shutil.make_archive(str(folder / name), "zip", folder / "files"))


@router.get("/exports/{name}")
def export_file(name: str, request: Request) -> FileResponse:
    """Return the files of an export."""
    path = studio_of(request).exports.get(name)
    if path is None or not path.is_file():
        raise HTTPException(404, f"no export {shown(name)} is here: ask for it again")
    return FileResponse(path, filename=path.name)
