"""What computes or writes: jobs, the lands they made, uploads and exports."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import FileResponse, Response

from downcut.errors import DowncutError, shown
from downcut.export.blocks import block
from downcut.export.painting import TINT, tinted
from downcut.export.save import save
from downcut.handover.exporting import prepare
from downcut.handover.planning import Order
from downcut.layers import layer
from downcut.measuring.land import measure
from downcut.recipe import Recipe
from downcut.run import Run
from downcut.server.jobs import Job
from downcut.server.studio import Studio, asked_recipe, compacted
from downcut.terrain import Terrain

router = APIRouter(prefix="/api", tags=["working"])
_NAME = re.compile(r"[^A-Za-z0-9_-]+")


class Asked(BaseModel):
    """A piece of work that a page asks for."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["grow", "measure", "export"]
    """What is to be done: grow a land, measure it, or write it to files."""
    recipe: dict[str, Any]
    """The recipe, compact or full."""
    size: int | None = Field(None, ge=1, le=1_000_000)
    """Cells along the longer edge; the recipe's own without it."""
    target: str | None = Field(None, max_length=40)
    """For an export: the program that the land is for …"""
    format: str | None = Field(None, max_length=12, pattern=r"^\.[a-z0-9.]+$")
    """… or the suffix of a single file."""
    layer: str | None = Field(None, max_length=40)
    """For a single file: the layer that it holds."""
    tiles: tuple[Annotated[int, Field(ge=1, le=32)], Annotated[int, Field(ge=1, le=32)]] = (1, 1)
    """For a target: rows and columns of tiles."""
    at: (
        tuple[Annotated[float, Field(ge=-180, le=180)], Annotated[float, Field(ge=-90, le=90)]]
        | None
    ) = None
    """For a target that lies on the Earth: longitude and latitude of the land's middle [°]."""
    options: dict[str, bool | int | float | str] = Field(default_factory=dict, max_length=32)
    """Options of the target or the format."""
    name: str = Field("land", max_length=80)
    """What the files are called."""


def studio_of(request: Request) -> Studio:
    """Return the state of this run."""
    studio: Studio = request.app.state.studio
    return studio


@router.post("/jobs", status_code=202)
def ask(asked: Asked, request: Request) -> dict[str, Any]:
    """Queue a piece of work; GET /api/jobs/{job} says how far it is."""
    studio = studio_of(request)
    recipe = asked_recipe(asked.recipe, asked.size)
    works: dict[str, Callable[[Job], Any]] = {
        "grow": lambda job: describe(studio.land(recipe, job)),
        "measure": lambda job: measured(studio.land(recipe, job), job),
        "export": lambda job: exported(studio, recipe, asked, job),
    }
    return studio.desk.take(asked.kind, works[asked.kind]).told()


@router.get("/jobs/{name}")
def job(name: str, request: Request) -> dict[str, Any]:
    """Say how far a job is, and its result once it is done."""
    return _job(request, name).told()


@router.delete("/jobs/{name}")
def stop(name: str, request: Request) -> dict[str, Any]:
    """Stop a job; it ends within a slice of its work."""
    job = _job(request, name)
    studio_of(request).desk.stop(job)
    return job.told()


def _job(request: Request, name: str) -> Job:
    try:
        return studio_of(request).desk.job(name)
    except KeyError:
        raise HTTPException(404, "no job has this name, or it ended long ago") from None


@router.get("/opened")
def opened(request: Request) -> dict[str, Any]:
    """Return the recipe that the studio was started with, if any."""
    return {"recipe": studio_of(request).source}


# --- lands ---


@router.get("/lands/{digest}")
def land(digest: str, request: Request) -> dict[str, Any]:
    """Describe a land that was grown."""
    return describe(_land(request, digest))


@router.get("/lands/{digest}/layers/{name}")
def land_layer(
    digest: str, name: str, request: Request, step: Annotated[int, Query(ge=1, le=256)] = 1
) -> Response:
    """Return a layer as a block; `step` takes every so manyth cell."""
    terrain = _land(request, digest)
    if name not in (TINT, *terrain.layers):
        raise HTTPException(404, f"no layer {name[:40]!r}; there are {', '.join(terrain.layers)}")
    array = (tinted(terrain) if name == TINT else terrain[name])[::step, ::step]
    facts = {"digest": digest, "size": max(array.shape[:2])}
    content = block(name, array, cell_size=terrain.grid.cell_size * step, **facts)
    return Response(content, media_type="application/octet-stream")


@router.get("/lands/{digest}/features/{name}")
def land_features(digest: str, name: str, request: Request) -> dict[str, Any]:
    """Return a table as columns and, where its rows are lines, their points."""
    terrain = _land(request, digest)
    if name not in terrain.features:
        known = ", ".join(terrain.features) or "none"
        raise HTTPException(404, f"no table {name[:40]!r}; there are {known}")
    table = terrain.features[name]
    return {
        "columns": {key: _plain(column) for key, column in table.columns.items()},
        "units": dict(table.units),
        "offsets": None if table.offsets is None else table.offsets.tolist(),
        "points": {key: _plain(values) for key, values in table.points.items()},
    }


def _plain(values: Any) -> list[Any]:
    """Return a column for JSON, which knows no NaN."""
    if values.dtype.kind != "f":
        return list(values.tolist())
    rounded = np.round(values.astype(np.float64), 3)
    return [v if np.isfinite(v) else None for v in rounded.tolist()]


def _land(request: Request, digest: str) -> Terrain:
    terrain = studio_of(request).lands.find(digest)
    if terrain is None:
        raise HTTPException(404, "this land is not kept: let it grow (again) first")
    return terrain


def describe(terrain: Terrain) -> dict[str, Any]:
    """Return what a page needs to know of a land before it asks for its layers."""
    low, high = terrain.relief
    return {
        "digest": terrain.recipe.digest,
        "checksum": terrain.checksum,
        "grid": {
            "ny": terrain.grid.ny,
            "nx": terrain.grid.nx,
            "cell_size": terrain.grid.cell_size,
        },
        "low": low,
        "high": high,
        "sea_level": terrain.recipe.sea_level,
        "layers": {
            name: {"unit": layer(name).unit, "dtype": array.dtype.name, "shape": array.shape}
            for name, array in terrain.layers.items()
        },
        "features": {name: len(table) for name, table in terrain.features.items()},
        "reports": [{"op": r.op, "seconds": r.seconds, **vars(r.ledger)} for r in terrain.reports],
    }


def measured(terrain: Terrain, job: Job) -> dict[str, Any]:
    """Measure a land beside real ones; the curves are what the page plots."""
    report = measure(terrain, run=Run(stop=job.stop))
    curves = report.curves.to_dict(report.cell_size) if report.curves else None
    return {**report.to_dict(), "curves": curves}


# --- files in and out ---


@router.post("/uploads", status_code=201)
async def upload(request: Request, name: Annotated[str, Query(max_length=200)]) -> dict[str, Any]:
    """Take a heightmap or a recipe of the person's; its content names it from now on."""
    studio = studio_of(request)
    called = await studio.uploads.receive(name, request.stream())
    from starlette.concurrency import run_in_threadpool

    return await run_in_threadpool(_source, studio, called, Path(name).stem)


def _source(studio: Studio, called: str, title: str) -> dict[str, Any]:
    """Return the recipe of an uploaded file, with its upload's name in place of a path."""
    from downcut.request import source

    path = studio.uploads[called]
    _, content = source(str(path))
    recipe = Recipe.from_dict(content) if isinstance(content, dict) else Recipe.from_json(content)
    plain = recipe.model_dump(mode="json")
    text_of = str(path)
    for step in plain["steps"]:
        if step.get("file") == text_of:
            step["file"] = called
    if plain["title"] in ("", path.stem):
        plain["title"] = title[:80]
    return {"id": called, "recipe": compacted(plain)}


def exported(studio: Studio, recipe: Recipe, asked: Asked, job: Job) -> dict[str, Any]:
    """Write a land for a program, or as one file, and return where it can be fetched."""
    if (asked.target is None) == (asked.format is None):
        raise DowncutError("an export names either a target or a format: give one of them")
    name = _NAME.sub("-", asked.name).strip("-")[:40] or "land"
    folder = studio.folder / job.id
    if asked.target is not None:
        order = Order(asked.size, None, asked.tiles, asked.at, dict(asked.options))
        planned = prepare(recipe, asked.target, folder / name, order, name=name)
        shipment = planned.deliver(studio.land(planned.recipe, job))
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
