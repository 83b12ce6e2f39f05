"""The rows of a pass of sliding, beside the rule told cell by cell: the same to the last bit."""

import math

import numpy as np
import pytest

import downcut as dc
from downcut.grid import D8_COL, D8_ROW
from downcut.run import Run

ONE = np.float32(1)
NEARNESS = np.float32(math.sqrt(0.5))
OPPOSITES = ((1, 6, 3, 4), (0, 7, 2, 5))
"""Sides and corners, by their place in the D8 table, in the order in which they are added."""


def excesses(z, ease, law, place):
    """What each neighbour lies too deep by, and 0 where it does not or is beyond the map."""
    found = np.zeros(8, np.float32)
    for k in range(8):
        r, c = place[0] + D8_ROW[k], place[1] + D8_COL[k]
        if 0 <= r < z.shape[0] and 0 <= c < z.shape[1]:
            excess = z[place] - z[r, c] - (law[0] if D8_ROW[k] * D8_COL[k] == 0 else law[1])
            found[k] = max(excess, np.float32(0)) * ease[r, c]
    return found


def in_pairs(values):
    sides, corners = (values[list(four)] for four in OPPOSITES)
    return ((sides[0] + sides[1]) + (sides[2] + sides[3])) + (
        (corners[0] + corners[1]) + (corners[2] + corners[3])
    )


def plain_pass(z, ease, law, sharing):
    """One pass, cell by cell: what each gives, then what each gets of its neighbours' gifts."""
    lost, gifts = np.zeros_like(z), np.zeros((*z.shape, 8), np.float32)
    for place in np.ndindex(z.shape):
        over = excesses(z, ease, law, place)
        if sharing == "all":
            lost[place] = law[2] * over.max() * ease[place]
            gifts[place] = over * (lost[place] / max(in_pairs(over), np.float32(1e-30)))
            continue
        straight = D8_ROW * D8_COL == 0
        near = np.where(straight, ONE, NEARNESS).astype(np.float32)
        slope = (over + np.where(straight, law[0], law[1]).astype(np.float32)) * near
        steepest = int(np.argmax(np.where(over > 0, slope, 0)))
        lost[place] = law[2] * over[steepest] * ease[place]
        gifts[(*place, steepest)] = lost[place]
    made = np.empty_like(z)
    for place in np.ndindex(z.shape):
        got = np.zeros(8, np.float32)
        for k in range(8):
            r, c = place[0] + D8_ROW[k], place[1] + D8_COL[k]
            if 0 <= r < z.shape[0] and 0 <= c < z.shape[1]:
                got[k] = gifts[r, c, 7 - k]
        gain = in_pairs(got) if sharing == "all" else np.float32(np.add.accumulate(got)[-1])
        made[place] = z[place] + (gain - lost[place])
    return made


@pytest.mark.parametrize("sharing", ["all", "steepest"])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 3), (23, 41)])
def test_rows_do_what_the_rule_says_of_each_cell(sharing, masked, shape):
    chance = np.random.default_rng(5)
    z = chance.normal(0, 20, shape).astype(np.float32)
    mask = chance.uniform(-0.5, 1.5, shape).astype(np.float32) if masked else None
    ease = np.ones_like(z) if mask is None else np.clip(mask, 0, 1)
    step = dc.erosion.Thermal(passes=3, sharing=sharing, mask="hardness" if masked else None)
    given = (z,) if mask is None else (z, mask)
    made = step(*given, grid=dc.Grid(*shape, cell_size=5), run=Run(threads=1))
    talus = np.float32(math.tan(math.radians(step.talus_angle)) * 5)
    law = (talus, np.float32(talus * math.sqrt(2)), np.float32(step.amount / 2))
    plain = z
    for _ in range(3):
        plain = plain_pass(plain, ease, law, sharing)
    assert (made == plain).all()
    assert z.size < 4 or (made != z).any()
