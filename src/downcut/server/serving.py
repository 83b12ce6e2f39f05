"""Running the server: a socket, a link, a browser, and a quiet end."""

import socket
import sys
import webbrowser
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from downcut.errors import DowncutError
from downcut.recipe import Recipe
from downcut.server.app import create_app
from downcut.server.guard import new_token, opening_link
from downcut.server.studio import Studio
from downcut.stopping import Stopped

DISK = 1 << 30
"""Bytes of a world's tiles that are kept on the disk, about."""
LARGEST_MESSAGE = 1 << 20
"""What a client may say on the live line at once [bytes]."""


def serve(
    recipe: dict[str, Any] | None,
    files: list[Path],
    *,
    host: str,
    port: int,
    threads: int,
    browser: bool,
    walk: bool = False,
) -> None:
    """Serve the studio until Ctrl-C; with `walk`, the link opens the page to walk in.

    Raises
    ------
    DowncutError
        If the address or the port cannot be had.
    """
    from downcut.server.walking import FIRST

    listening = _listen(host, port)
    port = listening.getsockname()[1]
    token = new_token()
    studio = Studio(threads=threads)
    studio.source = studio.opened_with(recipe, files) if recipe else None
    link = opening_link(host, port, token)
    print(f"the studio is open at {link}\nCtrl-C closes it", file=sys.stderr, flush=True)
    opens = FIRST if walk else "/"
    app = create_app(studio, port=port, token=token, host=host, warm=True, opens=opens)
    _run(app, listening, link if browser else None)


def serve_world(recipe: Recipe, *, host: str, port: int, threads: int, browser: bool) -> None:
    """Serve the tiles of an endless world, and a page that shows them, until Ctrl-C.

    Raises
    ------
    DowncutError
        If the recipe makes no world, or the address or the port cannot be had.
    """
    from downcut.server.atlas import Atlas
    from downcut.server.globe import create_globe
    from downcut.world.cache import Disk, default_folder
    from downcut.world.tiles import Tiles
    from downcut.world.world import World

    tiles = Tiles(World(recipe, threads=threads))
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    link = opening_link(host, port, "").partition("?")[0]
    print(f"the world is open at {link}\nCtrl-C closes it", file=sys.stderr, flush=True)
    atlas = Atlas(tiles, Disk.of(recipe.digest, default_folder(), DISK))
    _run(create_globe(atlas, port=port, host=host), listening, link if browser else None)


def _run(app: ASGIApp, listening: socket.socket, opened: str | None) -> None:
    """Answer until Ctrl-C, with a browser opened at a link."""
    import uvicorn

    from downcut.server.line import Line

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws=Line,
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,  # layers hardly shrink, and it takes half the speed
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    if opened:
        webbrowser.open(opened)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except Stopped:  # uvicorn has ended by then, and passes on the signal that it heard
        print("closed", file=sys.stderr)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would share a port that is taken
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
    except OSError as error:
        listening.close()
        raise DowncutError(
            f"the studio cannot listen at {host}, port {port} ({error.strerror}): "
            "choose another with --port, or --port 0 for any that is free"
        ) from error
    return listening
