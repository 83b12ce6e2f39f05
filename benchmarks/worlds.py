"""What windows and tiles of a world cost one processor: `python benchmarks/worlds.py [--quick]`.

All times are processor time on one thread, so other programs count little; the least of some
rounds is told. The tile server is a process of its own, and its processor time is what counts.
"""

import argparse
import asyncio
import http.client
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import psutil
from tables import figure, table

import downcut as dc
from downcut.server.atlas import Atlas
from downcut.server.globe import create_globe
from downcut.world.cache import Disk
from downcut.world.tiles import Tiles

EDGE = 256
DEEPEST = 8
Row = tuple[str, float]


def world(name: str) -> dc.World:
    """Return a world that keeps nothing on the disk and works in one thread."""
    return dc.World(name, disk=0, threads=1)


def spent(work: Callable[[], object]) -> float:
    """Return the processor time that a piece of work takes [s]."""
    start = time.process_time()
    work()
    return time.process_time() - start


def chunks(rounds: int) -> Iterator[Row]:
    """Plain chunks of 65² posts a second, with all layers and with heights alone."""
    hills, count = world("chunks"), 400
    for label, layers in (("heights, normals, colours", None), ("heights alone", ["elevation"])):

        def row(n: int, layers: list[str] | None = layers) -> None:
            for k in range(count):
                hills.window(64 * n, 64 * k, 65, 65, layers=layers)

        row(-1)
        yield (
            f"`chunks`, 65² posts, {label} [a second]",
            count / min(spent(lambda n=n: row(n)) for n in range(rounds)),
        )


def windows(rounds: int) -> Iterator[Row]:
    """Eroded windows of `endless` with their provinces known, and beside known neighbours."""
    cold, shifted, warm, land = [], [], [], []
    for _ in range(rounds):
        for place, found in (((0, -EDGE), cold), ((100, -400), shifted)):
            lands = world("endless")
            grid = dc.Grid(EDGE, EDGE, lands.cell_size(), *place)
            near = lands.provinces.near(grid, 0, 2 * EDGE + lands.halo)
            solved: list[object] = []
            took = spent(lambda near=near, solved=solved: solved.extend(near))
            land.append(took / len(solved))
            found.append(spent(lambda w=lands, at=place: w.window(*at, EDGE, EDGE)))
            half = place[0] - EDGE // 2, place[1]
            warm.append(spent(lambda w=lands, at=half: w.window(*at, EDGE, EDGE)))
    yield "`endless`, halo of an eroded window [cells]", lands.halo
    yield "a province from nothing [s]", min(land)
    yield "an eroded window of 256² that is a chunk, provinces known [s]", min(cold)
    yield "one that touches four chunks, provinces known [s]", min(shifted)
    yield "one half over its neighbour, which is known [s]", min(warm)


def levels(deepest: int) -> Iterator[Row]:
    """Windows of every level from nothing, and the next beside each."""
    for level in range(deepest + 1):
        lands = world("endless")
        first = spent(lambda w=lands, k=level: w.window(0, 0, EDGE, EDGE, k))
        second = spent(lambda w=lands, k=level: w.window(0, EDGE, EDGE, EDGE, k))
        yield f"level {level}, 256² from nothing [s]", first
        yield f"level {level}, the next to it [s]", second


@contextmanager
def serving() -> Iterator[tuple[psutil.Process, int]]:
    """Start `downcut serve` on a free port."""
    command = [sys.executable, "-m", "downcut", "serve", "endless", "--no-browser", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr
    port = int(re.search(r":(\d+)/", server.stderr.readline())[1])  # type: ignore[index]
    try:
        yield psutil.Process(server.pid), port
    finally:
        server.terminate()
        server.wait()


def tiles(count: int) -> Iterator[Row]:
    """Tiles that are kept, out of the server's memory over one connection."""
    with serving() as (server, port):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        top = Tiles(world("endless")).maxzoom
        middle = 2 ** (top - 1)
        paths = [f"/terrarium/{top}/{middle + k % 4}/{middle + k // 4}.png" for k in range(16)]
        took = 0.0
        for number in range(-len(paths), count):
            if number == 0:
                took = sum(server.cpu_times()[:2])
            line.request("GET", paths[number % len(paths)])
            answer = line.getresponse()
            assert (answer.status, answer.read()[1:4]) == (200, b"PNG")
        yield "kept tiles of `endless` [a second]", count / (sum(server.cpu_times()[:2]) - took)


def crowd(size: int) -> Iterator[Row]:
    """Ask for one tile that nobody has seen, so many at once."""
    atlas = Atlas(Tiles(world("endless")), Disk(None, 0))
    middle = 2 ** (atlas.tiles.maxzoom - 1)
    path = f"/terrarium/{atlas.tiles.maxzoom}/{middle}/{middle}.png"

    async def ask() -> list[httpx.Response]:
        door = httpx.ASGITransport(create_globe(atlas, port=8421))
        async with httpx.AsyncClient(
            transport=door, base_url="http://127.0.0.1:8421", timeout=None
        ) as client:
            return await asyncio.gather(*(client.get(path) for _ in range(size)))

    answers = asyncio.run(ask())
    atlas.close()
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    yield f"{size} requests at once for one new tile: drawn [times]", atlas.drawn


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="little: a smoke test")
    quick = parser.parse_args().quick
    world("endless").window(0, 0, 8, 8)  # kernels are compiled
    world("chunks").window(0, 0, 8, 8)
    parts = [
        chunks(1 if quick else 8),
        windows(1 if quick else 3),
        levels(1 if quick else DEEPEST),
        tiles(100 if quick else 3000),
        crowd(100 if quick else 1000),
    ]
    rows = []
    for part in parts:
        for what, value in part:
            rows.append((what, figure(value)))
            print(*rows[-1], file=sys.stderr, flush=True)
    print(table(["what", "one processor"], rows))


if __name__ == "__main__":
    main()
