"""What building in tiles costs beside growing in memory, and what a second worker brings.

    python benchmarks/huge.py [--size 4096] [--tile 1024] [--rounds 3]

Rounds are interleaved, and what is compared runs one after the other, so that a machine with other
work slows both alike. Processor time is that of all processes, their start included.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MEMORY = """
import sys
import downcut as dc
dc.save(dc.generate(dc.preset("alpine", size=int(sys.argv[1]))), sys.argv[2])
"""
LOCAL = {
    "grid": {"ny": 512, "nx": 512, "cell_size": 8},
    "steps": [
        {"op": "fields.fbm", "wavelength": 3000, "amplitude": 400, "octaves": 9},
        {"op": "erosion.droplets", "droplets_per_cell": 0.5},
        {"op": "erosion.thermal", "passes": 20},
        {"op": "surface.hillshade"},
    ],
}
"""Local erosion alone: what tiles can do side by side."""
EROSION = ("fields.", "erosion.", "surface.")


def build(what: str, size: int, tile: int, workers: int, folder: Path) -> "subprocess.Popen[str]":
    line = ["build", what, "--size", str(size), "--tile", str(tile), "--workers", str(workers)]
    place = ["-o", str(folder / "land.zarr"), "--json", "--quiet"]
    return subprocess.Popen(
        [sys.executable, "-m", "downcut", *line, *place], stdout=subprocess.PIPE, text=True
    )


def told(running: "subprocess.Popen[str]") -> dict[str, Any]:
    """Wait for a build and return what it said."""
    out, _ = running.communicate()
    if running.returncode:
        sys.exit(f"a build failed: {running.args}")
    found: dict[str, Any] = json.loads(out)
    return found


def spent(act: Any) -> tuple[float, float]:
    """Return the processor time of all processes [s] that `act` starts, and how long it took."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    act()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = time.perf_counter() - start
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def in_memory(size: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        line = [sys.executable, "-c", MEMORY, str(size), f"{folder}/land.zarr"]
        return spent(lambda: subprocess.run(line, check=True))


def in_tiles(size: int, tile: int, workers: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        return spent(lambda: told(build("alpine", size, tile, workers, Path(folder))))


def erosion(said: dict[str, Any]) -> float:
    """Return how long a build's passes of local erosion took [s]."""
    return sum(s["seconds"] for s in said["steps"] if s["title"].startswith(EROSION))


def side_by_side(size: int, tile: int) -> float:
    """Return the lands an hour of two builds of one worker, over that of one build of two."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recipe = folder / "local.json"
        recipe.write_text(json.dumps(LOCAL))
        for each in ("a", "b", "c"):
            (folder / each).mkdir()
        one = erosion(told(build(str(recipe), size, tile, 2, folder / "a")))
        pair = [build(str(recipe), size, tile, 1, folder / each) for each in ("b", "c")]
        two = statistics.mean(erosion(told(each)) for each in pair)
    return (1 / one) / (2 / two)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("--size", 4096), ("--tile", 1024), ("--rounds", 3)):
        asked.add_argument(name, type=int, default=usual)
    args = asked.parse_args()
    rows: dict[str, list[float]] = {}
    for _ in range(args.rounds):
        base = in_memory(args.size)
        for workers in (0, 2):
            made = in_tiles(args.size, args.tile, workers)
            for what, mine, its in zip(("processor time", "time"), made, base, strict=True):
                rows.setdefault(f"{what}, {workers} workers, over memory", []).append(mine / its)
        throughput = side_by_side(args.size // 2, args.tile // 4)
        rows.setdefault("two workers over two builds side by side", []).append(throughput)
    for what, ratios in rows.items():
        print(f"{what:45} {statistics.median(ratios):5.2f}  ({min(ratios):.2f}-{max(ratios):.2f})")


if __name__ == "__main__":
    main()
