"""The figures of the presets: how each land measures beside real ones."""

import downcut as dc
from downcut.measuring import Report, mean
from downcut.measuring.figures import Range

SIZE = 512
SEEDS = (1, 2, 3, 4)
RIVER_LANDS = {
    "alpine": "a young, steep range where rivers keep pace with uplift, as the San Gabriels",
    "old-hills": "worn uplands under soil, as the Appalachian Piedmont",
    "canyon": "a plateau still mostly uncut, as the Colorado Plateau: high hypsometric integral",
    "badlands": "clay cut to its angle of repose, as in South Dakota: slopes alike",
    "volcano": "a fresh cone with radial gullies, as Mount Taranaki: straight, parallel streams",
    "archipelago": "a drowned range, as the Inner Hebrides: short rivers, much land at the sea",
}
"""The presets that rivers shaped, and the real landscapes they stand for."""

HEAD = """\
# Figures

How the lands that rivers shaped measure beside real ones: the mean of seeds {seeds} at {size}², by
`downcut measure`, which tells what each figure means ([words](glossary.md#figures),
[definitions](decisions/0007-measuring.md)). *Real* is the range in DEMs of real landscapes, *aim*
what land that rivers made should reach; ✗ is outside the aim. The aim is for dissected mountains
and hills: below the table stands what each preset is like instead. Made by `make docs`.

"""


def text() -> str:
    """Return docs/figures.md."""
    reports = {name: _measured(name) for name in RIVER_LANDS}
    first = next(iter(reports.values()))
    lines = [
        HEAD.format(seeds=", ".join(map(str, SEEDS)), size=SIZE)
        + "| figure | unit | real | aim | "
        + " | ".join(reports)
        + " |",
        "| --- | --- | --- | --- |" + " ---: |" * len(reports),
    ]
    for figure in first.figures:
        kind = figure.kind
        head = (kind.title, kind.unit, _range(kind.real), _range(kind.target))
        cells = (_cell(report, figure.name) for report in reports.values())
        lines.append("| " + " | ".join((*head, *cells)) + " |")
    stands = [f"- **{name}**: {what}." for name, what in RIVER_LANDS.items()]
    return "\n".join([*lines, "", "What each stands for:", "", *stands, ""])


def _range(bounds: Range | None) -> str:
    if bounds is None:
        return "–"
    return "–".join("" if end is None else f"{end:g}" for end in bounds)


def _measured(name: str) -> Report:
    lands = (dc.generate(dc.preset(name, size=SIZE, seed=seed)) for seed in SEEDS)
    return mean([dc.measure(land) for land in lands])


def _cell(report: Report, name: str) -> str:
    figure = report[name]
    if figure.value is None:
        return "–"
    target = figure.kind.target
    outside = target is not None and not target[0] <= figure.value <= target[1]
    return f"{figure.value:.3g}{' ✗' if outside else ''}"
