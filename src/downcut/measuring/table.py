"""A report as a table for a terminal."""

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

MARKS = {
    "inside": ("●", "green"),
    "near": ("◐", "yellow"),
    "outside": ("○", "red"),
    "no range": ("", ""),
    "not measured": ("", "dim"),
}


def table(content: Mapping[str, Any]) -> Table:
    """Return the table of a report's plain data, for a terminal of 80 columns.

    Below it stands what the figures tell that are not within their target.
    """
    made = Table(box=box.SIMPLE_HEAD, title_justify="left", caption_justify="left")
    made.title = title(content)
    made.add_column("figure", style="bold")
    for heading in ("value", "target", "real land"):
        made.add_column(heading, justify="right", no_wrap=True)
    made.add_column("", no_wrap=True)
    for figure in content["figures"]:
        mark, colour = MARKS[figure["verdict"]]
        unit = "" if figure["unit"] == "1" else f" [{figure['unit']}]"
        made.add_row(
            Text(figure["title"] + unit),
            Text(number(figure["value"]), colour),
            bounds(figure["target"]),
            bounds(figure["real"]),
            Text(f"{mark} {figure['verdict']}" if mark else "", colour),
        )
    made.caption = _told(content)
    return made


def _told(content: Mapping[str, Any]) -> Text | None:
    """Return what a reader should know beside the numbers."""
    lines = [Text(note) for note in content["notes"]]
    for figure in content["figures"]:
        if figure["verdict"] in ("near", "outside"):
            mark, colour = MARKS[figure["verdict"]]
            lines.append(
                Text.assemble((mark, colour), f" {figure['title']}: ", (figure["meaning"], "dim"))
            )
    return Text("\n").join(lines) if lines else None


def title(content: Mapping[str, Any]) -> str:
    """Return what was measured, in a line."""
    size = content["size"]
    said = f"{content['name']}: {size['ny']} × {size['nx']} cells of {size['cell_size']:.6g} m"
    if content["lands"] > 1:
        said += f", mean of {content['lands']}"
    if content["left_out"]:
        said += f", {content['left_out'] / (size['ny'] * size['nx']):.1%} left out"
    return said


def number(value: float | None) -> str:
    """Return a value with the digits that mean something.

    >>> number(None), number(0.0), number(0.4712), number(12.345), number(312.4)
    ('–', '0', '0.47', '12.3', '312')
    """
    if value is None:
        return "–"
    if value == 0:
        return "0"
    return f"{value:.{0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2}f}"


def bounds(pair: list[float | None] | None) -> str:
    """Return a range.

    >>> bounds(None), bounds([0, 2]), bounds([0.46, 0.6])
    ('', '≤ 2', '0.46–0.6')
    """
    if pair is None:
        return ""
    low, high = pair
    if not low:
        return f"≤ {high:g}" if high is not None else ""
    return f"{low:g}–{high:g}" if high is not None else f"≥ {low:g}"
