"""The page's parts on growth and on threads."""

from typing import Any

from tables import figure, table

PAIRS = """\
The same work with two threads of one process, and done twice by two processes of one thread each
that begin together. *Share* is the throughput of the former over that of the latter, round by
round: 1 means that threads cost nothing. Where other work takes the processors, both suffer alike.
"""
LEAST_SHARE = 0.9
ALPINE_SHARE = 0.75
GROWTH = """\
Each step of `alpine` as the recipe has it, on the land's own cells of one size, one thread, on
what the steps before have made. *Memory* is the high-water mark above what was there before.
"""


def share_wanted(name: str) -> float:
    return ALPINE_SHARE if name.startswith("alpine") else LEAST_SHARE


def pairs(found: dict[str, Any]) -> str:
    head = ["work", "one thread [s]", "two threads [s]", "two processes [s]", "share", "wanted"]
    rows = [
        [name, *[figure(each[k]) for k in ("one", "two", "pair", "share")], share_wanted(name)]
        for name, each in found["pairs"].items()
    ]
    return f"## Two threads against two processes\n\n{PAIRS}\n{table(head, rows)}"


def growth(found: dict[str, Any]) -> str:
    sizes = list(found["growth"])
    rows = []
    for op, first in found["growth"][sizes[0]].items():
        looks = [found["growth"][size][op] for size in sizes]
        times = [each["ns"] for each in looks]
        memory = " / ".join(figure(each["memory"]) for each in looks)
        rows.append([f"`{op}`", *map(figure, times), figure(max(times) / first["ns"]), memory])
    head = ["step, ns a cell", *[f"{n}²" for n in sizes], "most over first", "memory [B a cell]"]
    return f"## Growth\n\n{GROWTH}\n{table(head, rows)}"
