"""What computes or writes: jobs, the lands they made, uploads and exports."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, HTTPException, Query, Request
from starlette.responses import Response

from downcut.export.blocks import block
from downcut.export.painting import TINT, tinted
from downcut.layers import layer
from downcut.measuring.land import measure
from downcut.recipe import Recipe
from downcut.run import Run
from downcut.server.asking import Asked, studio_of
from downcut.server.exporting import exported
from downcut.server.jobs import Job
from downcut.server.showing import step_of, thinned
from downcut.server.studio import Studio, asked_recipe, compacted
from downcut.terrain import Terrain

router = APIRouter(prefix="/api", tags=["working"])


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
    digest: str,
    name: str,
    request: Request,
    step: Annotated[int | None, Query(ge=1, le=256)] = None,
) -> Response:
    """Return a layer as a block: every `step`th cell, by default as many as a page can show."""
    terrain = _land(request, digest)
    terrain = thinned(terrain, step or step_of(terrain.grid.shape))
    if name not in (TINT, *terrain.layers):
        raise HTTPException(404, f"no layer {name[:40]!r}; there are {', '.join(terrain.layers)}")
    array = tinted(terrain) if name == TINT else terrain[name]
    facts = {"digest": digest, "size": max(array.shape[:2])}
    content = block(name, array, cell_size=terrain.grid.cell_size, **facts)
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
