"""What a page may ask without a key: what recipes, layers, targets and presets there are."""

from functools import cache
from importlib.resources import files
from typing import Any

import psutil
from fastapi import APIRouter, HTTPException
from starlette.responses import Response

from downcut import __version__
from downcut import presets as shipped
from downcut.export import formats, targets
from downcut.export.options import KINDS, Choice, choices_of
from downcut.export.targets.target import Option
from downcut.layers import LAYERS
from downcut.recipe import Recipe
from downcut.run import all_threads
from downcut.server.studio import LARGEST
from downcut.shading import BIOMES

router = APIRouter(prefix="/api", tags=["describing"])


@router.get("/about")
def about() -> dict[str, Any]:
    """Say which version this is, and what this machine can do."""
    return {
        "version": __version__,
        "threads": all_threads(),
        "memory": psutil.virtual_memory().total,
        "largest": LARGEST,
    }


@router.get("/schema")
def schema() -> dict[str, Any]:
    """Return the JSON Schema of recipes, the vocabulary of layers, the targets and formats."""
    return _schema()


@cache
def _schema() -> dict[str, Any]:
    layers: dict[str, dict[str, Any]] = {
        name: {"unit": each.unit, "meaning": each.meaning, "colours": each.colours}
        for name, each in LAYERS.items()
    }
    tones = [
        {"name": tone.name, "colour": "#{:02x}{:02x}{:02x}".format(*tone.rgb)} for tone in BIOMES
    ]
    layers["biome"] |= {"legend": tones}
    return {
        "recipe": Recipe.model_json_schema(),
        "layers": layers,
        "targets": [_target(name) for name in targets.NAMES],
        "formats": [_format(suffix) for suffix in sorted(formats.FORMATS)],
    }


def _format(suffix: str) -> dict[str, Any]:
    format_ = formats.FORMATS[suffix]
    holds = ("tables" if format_.by_stem else "layers") if "layer" in format_.options else ""
    options = {
        c.name: _option(c.kind, c) | {"unit": c.unit}
        for c in choices_of(format_.write)
        if c.name != "layer"
    }
    return {"suffix": suffix, "holds": holds, "options": options}


def _option(kind: str, option: Choice | Option) -> dict[str, Any]:
    least, most = option.bounds or (None, None)
    return {
        "kind": kind,
        "default": option.default,
        "meaning": option.meaning,
        "choices": list(option.choices),
        "least": least,
        "most": most,
    }


def _target(name: str) -> dict[str, Any]:
    target = targets.by_name(name)
    options = {key: _option(KINDS[type(o.default)], o) for key, o in target.options.items()}
    return {
        "name": target.name,
        "program": target.program,
        "sizes": target.sizes.words,
        "tiles": target.most_tiles,
        "placed": target.placed,
        "layers": list(target.layers),
        "options": options,
    }


@router.get("/presets")
def presets() -> list[dict[str, Any]]:
    """List the recipes that ship, each with its picture."""
    return [
        {
            "name": name,
            "title": recipe.get("title", name),
            "description": recipe.get("description", ""),
            "recipe": recipe,
            "picture": f"api/presets/{name}.jpg",
        }
        for name, recipe in ((name, shipped.load(name)) for name in shipped.names())
    ]


@router.get("/first")
def first() -> Response:
    """Return a finished land to show at once: blocks in a row, which ship with downcut."""
    headers = {"content-encoding": "gzip", "cache-control": "no-cache"}
    return Response(shipped.first_land(), media_type="application/octet-stream", headers=headers)


@router.get("/presets/{name}.jpg")
def picture(name: str) -> Response:
    """Return a preset's picture."""
    if name not in shipped.names():
        raise HTTPException(404, f"no preset is called {name[:40]!r}")
    place = files("downcut.presets") / f"{name}.jpg"
    if not place.is_file():
        raise HTTPException(404, f"{name} has no picture")
    return Response(place.read_bytes(), media_type="image/jpeg")
