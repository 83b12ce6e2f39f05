"""The application: routes, errors as sentences, the pages, and the guard before them all."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from downcut import __version__
from downcut.errors import DowncutError
from downcut.server import describing, exploring, exporting, manual, walking, waves, working
from downcut.server.guard import Guard
from downcut.server.jobs import BusyError
from downcut.server.live import Live
from downcut.server.studio import Studio


def create_app(
    studio: Studio | None = None,
    *,
    port: int,
    token: str,
    host: str = "127.0.0.1",
    pages: Path | None = None,
    warm: bool = False,
    opens: str = "/",
) -> Guard:
    """Return the studio's server as an ASGI application.

    Parameters
    ----------
    studio : Studio, optional
        The state behind it; a new one by default.
    port, token, host
        As for `Guard`.
    pages : path, optional
        The built pages; by default those that ship.
    warm : bool
        Whether to compile the presets' kernels beside the first requests.
    opens : str
        Where the opening link leads.
    """
    state = studio or Studio()

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        if warm:
            state.warmth.begin()
        yield
        state.close()

    app = FastAPI(
        title="downcut studio",
        version=__version__,
        summary="Recipes in, land out, on this machine alone.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=life,
    )
    app.state.studio = state
    app.include_router(describing.router)
    app.include_router(working.router)
    app.include_router(exporting.router)
    app.include_router(manual.router)
    app.include_router(waves.router)
    app.include_router(exploring.router)
    app.include_router(walking.router)
    app.add_api_websocket_route("/api/live", live)
    explain_errors(app)
    place = pages or Path(str(files("downcut") / "pages" / "studio"))
    for path, folder in (("/walk", place.parent / "walk"), ("/", place)):
        if folder.is_dir():
            app.mount(path, StaticFiles(directory=folder, html=True), name=folder.name)
    return Guard(app, port=port, token=token, host=host, opens=opens)


def explain_errors(app: FastAPI) -> None:
    """Let what goes wrong be told in one sentence."""
    app.add_exception_handler(DowncutError, _mendable)
    app.add_exception_handler(RequestValidationError, _misshapen)
    app.add_exception_handler(HTTPException, _not_here)


async def live(socket: WebSocket) -> None:
    """Serve one page's live line."""
    await Live(socket, socket.app.state.studio).run()


async def _mendable(_request: Request, error: Exception) -> JSONResponse:
    status = 429 if isinstance(error, BusyError) else 422
    headers = {"retry-after": "1"} if status == 429 else None
    return JSONResponse({"error": str(error)}, status, headers=headers)


async def _not_here(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail)}, error.status_code, headers=error.headers)


async def _misshapen(_request: Request, error: Exception) -> JSONResponse:
    """Say the first thing that is wrong with a request, in one sentence."""
    first: dict[str, Any] = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    place = ".".join(str(part) for part in first.get("loc", ())[1:]) or "the body"
    return JSONResponse({"error": f"{place}: {first.get('msg', 'is not as expected')}"}, 422)
