"""Exploring a world: its land comes in chunks, a stream of them for each batch that a page asks."""

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from downcut.errors import Cancelled
from downcut.run import all_threads
from downcut.server.jobs import Job
from downcut.server.studio import Studio, asked_recipe
from downcut.server.worlds import FARTHEST, Explored
from downcut.world.world import DEEPEST

router = APIRouter(prefix="/api/explore", tags=["exploring"])

BATCH = 32
"""Chunks that one request may ask for."""
WARMING = "warming"
"""What an opening waits for, where it is not the world itself."""
NEWS = 2**31
"""What is added to the length of what is no chunk, but news of one."""
Place = Annotated[int, Field(ge=-FARTHEST, le=FARTHEST)]


class Sought(BaseModel):
    """A recipe whose world is to be explored."""

    model_config = ConfigDict(extra="forbid")

    recipe: dict[str, Any]
    """The recipe, compact or full."""


class Wanted(BaseModel):
    """Chunks of a world, in the order in which they are wanted."""

    model_config = ConfigDict(extra="forbid")

    world: str = Field(max_length=200)
    """What POST /api/explore called it."""
    chunks: list[tuple[Annotated[int, Field(ge=0, le=DEEPEST)], Place, Place]] = Field(
        min_length=1, max_length=BATCH
    )
    """Level, row and column of each: rows southward and columns eastward from the origin, in
    chunks of the level."""


def _studio(request: Request) -> Studio:
    studio: Studio = request.app.state.studio
    return studio


@router.post("", status_code=202)
def explore(sought: Sought, request: Request) -> dict[str, Any]:
    """Open the world of a recipe; the job's result tells what it is called and where to begin.

    While its `op` is WARMING the engine is still being compiled, which happens once.
    """
    studio = _studio(request)
    world = studio.worlds.open(asked_recipe(sought.recipe), studio.threads)

    def look_round(job: Job) -> dict[str, Any]:
        if studio.warmth.is_busy:
            job.op = WARMING
        return world.told()

    return studio.desk.take("explore", look_round).told()


@router.post("/chunks")
async def chunks(wanted: Wanted, request: Request) -> StreamingResponse:
    """Send chunks as they are made, whichever is first: blocks in a row, which say where it lies.

    Before each is its length [bytes, uint32]. Where NEWS is added to it, JSON follows: that a
    province `grows`, in cells of so many metres. Whoever hangs up is not waited for: the rest is
    not made. A batch that breaks off has failed.
    """
    studio = _studio(request)
    world = studio.worlds.find(wanted.world)
    if world is None:
        raise HTTPException(404, "no world of this name is open: open it again")
    loop, made = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

    def put(frame: bytes | None) -> None:
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(made.put_nowait, frame)

    def heard(job: Job) -> None:
        if job.state not in ("waiting", "running"):
            put(None)

    job = studio.desk.take("chunks", lambda job: _make(world, wanted.chunks, job, put), heard)

    async def frames() -> AsyncIterator[bytes]:
        try:
            while (frame := await made.get()) is not None:
                yield frame
        finally:
            studio.desk.stop(job)

    return StreamingResponse(frames(), media_type="application/octet-stream")


def _make(
    world: Explored, places: list[tuple[int, int, int]], job: Job, put: Callable[[bytes], None]
) -> None:
    """Make chunks, several at a time: each waits for provinces of its own."""

    def make(place: tuple[int, int, int]) -> None:
        if job.stop.is_set():
            raise Cancelled
        chunk = world.chunk(*place)
        put(struct.pack("<I", len(chunk)) + chunk)

    def tell(cell: float) -> None:
        news = json.dumps({"grows": cell}).encode()
        put(struct.pack("<I", NEWS + len(news)) + news)

    with world.watched(job.stop, tell), ThreadPoolExecutor(all_threads()) as pool:
        for _ in pool.map(make, places):
            pass
