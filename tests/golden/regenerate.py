"""Write presets.json: what each preset looks like at 128 cells, small enough to read.

Run it when a preset or a step's bits change on purpose, look at the picture first, and say so in
the changelog:

    python tests/golden/regenerate.py

A number stands for heights rounded to about a thousandth of the relief; the test allows more.
"""

import json
import math
from pathlib import Path

import numpy as np

import downcut as dc
from downcut import presets

SIZE = 128
THUMBNAIL = 16
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
FILE = Path(__file__).with_name("presets.json")


def thumbnail(values):
    """Block means, 16 × 16."""
    block = values.shape[0] // THUMBNAIL
    return values.reshape(THUMBNAIL, block, THUMBNAIL, block).mean(axis=(1, 3))


def portrait(terrain):
    """The land's figures, unrounded: statistics, and heights as a thumbnail."""
    z = terrain["elevation"].astype(np.float64)
    north, east = np.gradient(z, terrain.grid.cell_size)
    return {
        "mean": z.mean(),
        "std": z.std(),
        "quantiles": np.quantile(z, QUANTILES),
        "slope": np.hypot(north, east).mean(),
        "thumbnail": thumbnail(z),
    }


def rounded(figures):
    """The same in whole units, for a file that people can read and compare."""
    relief = figures["quantiles"][-1] - figures["quantiles"][0]
    unit = 10.0 ** math.floor(math.log10(relief / 500))

    def whole(values):
        return np.rint(np.asarray(values) / unit).astype(int).tolist()

    return {
        "unit": unit,
        "relief": float(f"{relief:.4g}"),
        "mean": float(f"{figures['mean']:.4g}"),
        "std": float(f"{figures['std']:.4g}"),
        "slope": float(f"{figures['slope']:.4g}"),
        "quantiles": whole(figures["quantiles"]),
        "thumbnail": whole(figures["thumbnail"]),
    }


def write(portraits):
    """One row of a thumbnail on a line."""
    lines = []
    for name, figures in portraits.items():
        rows = ",\n      ".join(json.dumps(row) for row in figures["thumbnail"])
        rest = [
            f"    {json.dumps(key)}: {json.dumps(value)},"
            for key, value in figures.items()
            if key != "thumbnail"
        ]
        body = "\n".join([*rest, f'    "thumbnail": [\n      {rows}\n    ]'])
        lines.append(f"  {json.dumps(name)}: {{\n{body}\n  }}")
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    write(
        {
            name: rounded(portrait(dc.generate(dc.preset(name, size=SIZE))))
            for name in presets.names()
        }
    )
    print(f"wrote {FILE}")
