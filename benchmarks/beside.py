"""The page's parts beside peers: what is aimed at, and each comparison."""

from importlib.metadata import PackageNotFoundError, version
from typing import Any

import grown
from peers import node
from tables import figure, table

AIMS = """\
What is aimed at, on one thread unless it says otherwise, and what this run found. Processor time
but for two threads, where both sides are wall time. Ratios are the medians of ratios of works that
ran one after the other, A B A B.
"""
MISSING = "not installed"
PEERS = ("fastscapelib", "opensimplex", "py-richdem", "pyfastnoiselite", "pyflwdir")
Found = dict[str, Any]


def name_of(peer: str) -> str:
    """Return a peer's name and version."""
    try:
        return f"{peer} {version(peer)}"
    except PackageNotFoundError:
        return f"{peer}, {MISSING}"


def ratio(times: Found, ours: str, theirs: str, kind: str = "processor") -> float | None:
    """Return our time over the peer's, None where the peer is not installed."""
    if times[theirs] is None:
        return None
    key = f"{kind}_ratio"  # of the first's time to this one's
    return float(times[theirs][key] / times[ours][key])


def goals(found: Found) -> list[tuple[str, float | None, float, str]]:
    """Return (what, found, at most, unit) for each aim."""
    return [*noise_goals(found), *javascript_goals(found), *flow_goals(found), *river_goals(found)]


def noise_goals(found: Found) -> list[tuple[str, float | None, float, str]]:
    size, times = found["plan"].scaled(4096), found["noise peers"]
    simplex = found["noise"]["simplex"][str(found["plan"].threads[0])]["processor"]
    alone = f"simplex fBm, {size}²"
    return [
        (f"{alone}, per sample and octave", simplex / size**2 / 6 * 1e9, 6, "ns"),
        ("… time over pyfastnoiselite's", ratio(times, "downcut", "pyfastnoiselite"), 1 / 5, ""),
        ("… time over opensimplex's", ratio(times, "downcut", "opensimplex"), 1 / 8, ""),
    ]


def javascript_goals(found: Found) -> list[tuple[str, float | None, float, str]]:
    drops, whole = found["droplets"], found["pipeline"]
    fast, plain = node.FOR_SPEED, node.PLAIN
    meshed, pipeline = "`classic` with its mesh over JavaScript's", "`alpine` over JavaScript's"
    rows = [("droplets over JavaScript's, for speed", drops, "downcut", fast, 0.27, 0.15)]
    rows += [(f"{meshed}, plain", whole, "classic", plain, 1 / 6, 0)]
    rows += [("… over JavaScript's, for speed", whole, "classic", fast, 1 / 6, 0)]
    rows += [(f"{pipeline} pipeline, for speed", whole, "alpine", fast, 1 / 2, 0)]
    made = []
    for words, times, ours, theirs, one, two in rows:
        made.append((words, ratio(times, f"{ours}, 1", theirs), one, ""))
        if two and f"{ours}, 2" in times:
            both = ratio(times, f"{ours}, 2", theirs, "wall")
            made.append(("… on two threads, wall", both, two, ""))
    return made


def flow_goals(found: Found) -> list[tuple[str, float | None, float, str]]:
    size, times = found["plan"].scaled(2048), found["flow peers"]["times"]
    slide = found["thermal"]["all"]["pass"] * 1e3
    return [
        (
            f"fill, D8 and sums of {size}² over py-richdem's",
            ratio(times, "downcut", "py-richdem"),
            1 / 2,
            "",
        ),
        ("… over pyflwdir's", ratio(times, "downcut", "pyflwdir"), 1 / 3, ""),
        (f"thermal pass of {size}²", slide, 25, "ms"),
    ]


def river_goals(found: Found) -> list[tuple[str, float | None, float, str]]:
    size = found["plan"].scaled(4096)
    cell = {name: t["processor"] / size**2 * 1e9 for name, t in found["flow"].items()}
    small, large = found["stream power"].values()
    step = "stream power step"
    return [
        (f"filling {size}², a cell", cell["fill"], 90, "ns"),
        (f"accumulation of {size}², a cell", cell["accumulate"], 20, "ns"),
        (f"{step} of {size}², a cell", cell[step], 170, "ns"),
        (
            "… over fastscapelib's, large",
            ratio(large["times"], "downcut", "fastscapelib"),
            1 / 5,
            "",
        ),
        (
            "… over fastscapelib's, small",
            ratio(small["times"], "downcut", "fastscapelib"),
            1 / 5,
            "",
        ),
        (f"{step}, small", small["times"]["downcut"]["processor"] * 1e3, 40, "ms"),
    ]


def targets(found: Found) -> str:
    rows = []
    for words, value, most, unit in goals(found):
        met = MISSING if value is None else "yes" if value <= most else f"{value / most:.2f} times"
        rows.append([words, f"{figure(value)} {unit}", f"{figure(most)} {unit}", met])
    for name, each in found["pairs"].items():
        least, share = grown.share_wanted(name), each["share"]
        met = "yes" if share >= least else f"{share / least:.2f} of it"
        rows.append([f"two threads, {name}: share kept", figure(share), f"at least {least}", met])
    rows.append(growth_row(found["growth"]))
    head = ["aim", "found", "at most", "reached"]
    names = ", ".join(map(name_of, PEERS))
    peers = f"Peers: Node {node.version() or MISSING}, {names}.\n"
    return f"## Aims\n\n{AIMS}\n{peers}\n{table(head, rows)}"


def growth_row(growth: Found) -> list[str]:
    """Return the aim for the step that grows most with the land."""
    sizes = list(growth)
    first = growth[sizes[0]]
    most = {op: max(growth[n][op]["ns"] for n in sizes) / first[op]["ns"] for op in first}
    worst = max(most, key=most.__getitem__)
    words = f"time a cell, {sizes[0]}² to {sizes[-1]}², worst step of `alpine` (`{worst}`)"
    met = "yes" if most[worst] <= 1.5 else f"{most[worst] / 1.5:.2f} times"
    return [words, figure(most[worst]), "1.50", met]


def rows_of(times: Found) -> list[list[str]]:
    """Return a row for each contender; the first is what the ratios divide by."""
    rows = []
    for name, each in times.items():
        if each is None:
            rows.append([name, MISSING, "", "", ""])
            continue
        cells = [figure(each["processor"]), figure(each["wall"])]
        rows.append([name, *cells, *[share(each[f"{k}_ratio"]) for k in ("processor", "wall")]])
    return rows


def share(first_over_this: float) -> str:
    return figure(1 / first_over_this)


def contest(title: str, words: str, times: Found) -> str:
    head = ["", "processor [s]", "wall [s]", "processor over the first's", "wall over the first's"]
    return f"## {title}\n\n{words}\n\n{table(head, rows_of(times))}"


def droplets(found: Found) -> str:
    plan, mine, times = found["plan"], found["count"]["droplets"], found["droplets"]
    size, theirs = plan.scaled(512), times[node.FOR_SPEED]
    words = (
        f"{plan.droplets:,} droplets (ours are a chance: an expectation) of at most 64 steps on "
        f"{size} × {size} cells, the same land. " + done("Ours", mine, times["downcut, 1"])
    )
    if theirs:
        words += " " + done("JavaScript's", theirs, theirs)
    return contest("Droplets, beside JavaScript", words, times)


def done(whose: str, what: Found, times: Found) -> str:
    """Say how many droplets made how many steps, and what one costs."""
    each = what["steps"] / what["droplets"]
    cost = times["processor"] / what["steps"] * 1e9
    return (
        f"{whose}: {what['droplets']:,.0f} droplets made {what['steps']:,.0f} steps within the map "
        f"({each:.1f} each), {cost:.1f} ns a step."
    )


PIPELINE = """\
The textbook pipeline: warped noise, 100 showers with a pass of sliding after each, D8, mesh.
JavaScript twice: written for speed, which the aims ask about, and plain, as a tutorial writes it
(objects, a list of neighbours, pushed arrays); both make the same steps. They stop rivers in pits
and keep the mesh as arrays; `classic` fills lakes, routes rivers over their saddles, paints
materials and writes the mesh as GLB into memory. `alpine` is another land of the same size:
rivers against uplift, without a mesh."""


def pipeline(found: Found) -> str:
    theirs, mine = found["pipeline"][node.FOR_SPEED], found["count"]["classic"]
    words = f"{PIPELINE}\n\n`classic`: {mine['droplets']:,} droplets made {mine['steps']:,} steps."
    if theirs:
        words += f" JavaScript: {theirs['droplets']:,.0f} made {theirs['steps']:,.0f}."
    return contest("Pipelines, beside JavaScript", words, found["pipeline"])


def noise(found: Found) -> str:
    size = found["plan"].scaled(2048)
    words = f"Simplex fBm of six octaves on {size} × {size} samples, one thread."
    return contest("Noise, beside peers", words, found["noise peers"])


def flow(found: Found) -> str:
    size, sums = found["plan"].scaled(2048), found["flow peers"]["largest"]
    largest = ", ".join(f"{name} {cells:,.0f}" for name, cells in sums.items())
    words = (
        f"Depressions, D8 and accumulation on {size} × {size} cells, one thread. Checked before "
        f"anything was timed: the most cells that drain through one are {largest}. They route "
        "flats and depressions in their own ways, so that they need not agree to the cell."
    )
    return contest("Flow, beside peers", words, found["flow peers"]["times"])


def stream_power(found: Found) -> str:
    parts = []
    for size, each in found["stream power"].items():
        change = ", ".join(f"{name} {metres:.3g} m" for name, metres in each["change"].items())
        words = (
            f"Uplift, routing out of depressions, areas and an implicit cut, {size} × {size} "
            f"cells, 1000 years, one thread. Mean change of the land: {change}."
        )
        for metres in each["apart"]:
            words += f" Half of all cells end less than {metres:.2g} m apart."
        parts.append(contest(f"A step of stream power, {size}²", words, each["times"]))
    return "\n".join(parts)


PARTS = (noise, droplets, pipeline, flow, stream_power)
