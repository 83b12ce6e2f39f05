"""Rivers: a tree whose ratios and exponents are known, and valleys that geometry decides."""

import numpy as np
import pytest

from downcut.measuring import network, profiles, rivers, slope_area
from downcut.measuring.ground import Ground

CORNERS = {(1, 1): (0, 0), (0, 0): (1, 1), (0, 1): (1, 0), (1, 0): (0, 1)}


def peano(power):
    """Peano's river: (n, n) receivers, n = 2**power.

    A square drains along its diagonal to one corner. Of its quarters, three drain to its middle
    and the fourth carries their water on: R_B → 4, R_L = 2, R_A = 4, and both Hack's exponent
    and that of P(area > a) are 1/2.
    """
    edge = 2**power
    receivers = np.arange(edge * edge).reshape(edge, edge)

    def lay(row, col, size, corner):
        """Lay the square at (row, col) with its outlet in this corner; return the outlet."""
        if size == 1:
            return row, col
        half = size // 2
        outlets = {}
        for quarter in CORNERS:
            onward = corner if quarter == corner else (1 - quarter[0], 1 - quarter[1])
            at = row + half * quarter[0], col + half * quarter[1]
            outlets[quarter] = lay(*at, half, onward)
        middle = row + half - 1 + corner[0], col + half - 1 + corner[1]
        for quarter, outlet in outlets.items():
            if quarter != corner:
                receivers[outlet] = middle[0] * edge + middle[1]
        return outlets[corner]

    lay(0, 0, edge, (1, 1))
    return receivers


def with_rivers(receivers, law=None):
    """A ground with these receivers and, where a law of slope over area is given, its heights."""
    placeholder = np.arange(receivers.size, dtype=np.float32).reshape(receivers.shape)
    ground = Ground(placeholder, np.ones(receivers.shape, bool), 30.0)
    vars(ground)["flow"] = receivers
    if law is None:
        return ground
    z = np.zeros(receivers.size)
    flat, area, nx = receivers.ravel(), ground.area.ravel(), receivers.shape[1]
    for cell in ground.cells:
        receiver = flat[cell]
        rows, cols = abs(receiver // nx - cell // nx), abs(receiver % nx - cell % nx)
        z[cell] = z[receiver] + law(area[cell]) * np.hypot(rows, cols) * 30.0
    built = Ground(z.reshape(receivers.shape).astype(np.float32), ground.land, 30.0)
    vars(built).update(flow=receivers, filled=built.z)
    return built


@pytest.fixture(scope="module")
def tree():
    return with_rivers(peano(9))


def test_the_tree_is_peanos(tree):
    assert tree.area.max() == tree.count
    trunk = tree.area[np.arange(512), np.arange(512)]
    assert (np.diff(trunk) > 0).all()


def test_horton_ratios_of_peanos_river(tree):
    found = network.network(tree)
    sources = [1]  # of a square that nothing flows into, against one that a larger river crosses
    crossed = [0]
    for _ in range(5):
        sources.append(3 * sources[-1] + crossed[-1])
        crossed.append(2 * sources[-2] + 2 * crossed[-1])
    assert found.streams.tolist() == sources[::-1]
    np.testing.assert_array_equal(found.areas, 256.0 * 4.0 ** np.arange(6))
    ratios = network.horton(found)
    assert ratios.branching == pytest.approx(4, rel=0.05)
    assert ratios.length == pytest.approx(2, rel=0.02)
    assert ratios.area == pytest.approx(4, rel=1e-9)


def test_hacks_law_and_the_area_law_of_peanos_river(tree):
    assert rivers.hack(tree).slope == pytest.approx(0.5, abs=0.03)
    assert -rivers.area_law(tree).slope == pytest.approx(0.5, abs=0.03)


def test_too_few_orders_give_no_ratios():
    found = network.network(with_rivers(peano(6)))
    assert found.streams.tolist() == [11, 3, 1]
    assert network.horton(found) is None


@pytest.mark.parametrize("theta", [0.2, 0.4, 0.6])
def test_concavity_of_a_steady_land_is_the_one_it_was_built_with(theta):
    land = with_rivers(peano(9), law=lambda area: 0.8 * area**-theta)
    fit = slope_area.slope_area(land).fit
    assert -fit.slope == pytest.approx(theta, rel=0.1)  # area grows fourfold at confluences here
    assert fit.r2 > 0.97


@pytest.mark.parametrize("theta", [0.3, 0.5])
def test_concavity_is_recovered_from_heights_alone(theta):
    """The rivers of rough ground are given steady slopes, and all is found again from z."""
    rough = np.random.default_rng(5).standard_normal((300, 300))
    rough += np.hypot(*np.mgrid[-150:150, -150:150]) * -0.2
    first = Ground.of(rough.astype(np.float32), np.ones(rough.shape, bool), 30.0)
    built = with_rivers(first.flow, law=lambda area: 0.5 * area**-theta)
    found = slope_area.slope_area(Ground.of(built.z, built.land, 30.0)).fit
    assert -found.slope == pytest.approx(theta, abs=0.05)


def test_a_comb_of_straight_rivers():
    """Valleys of one width that fall straight south: each has a river, and none joins another."""
    row, col = np.mgrid[0:400, 0:400]
    z = 0.01 * np.abs(col % 20 - 10) * 20 + 0.001 * (400 - row)
    ground = Ground.of(z.astype(np.float32), np.ones(z.shape, bool), 10.0)
    found = network.network(ground)
    assert len(found.streams) == 1
    # each valley's river begins where 100 cells drain and runs to the south edge
    assert network.drainage_density(found, ground) == pytest.approx(1000 / 200, rel=0.05)


def test_longest_paths_go_around_corners():
    receivers = np.array([[1, 2, 5], [3, 3, 8], [6, 6, 8]])
    ground = Ground(np.zeros((3, 3), np.float32), np.ones((3, 3), bool), 1.0)
    vars(ground)["flow"] = receivers
    assert rivers.longest_paths(ground)[2, 2] == pytest.approx(4)


def test_strahlers_rule():
    """Two first orders make a second; a first that joins it changes nothing."""
    ground = Ground(np.zeros((5, 3), np.float32), np.ones((5, 3), bool), 1.0)
    receivers = np.arange(15).reshape(5, 3)
    receivers[0, 0] = receivers[0, 2] = receivers[0, 1] = 4
    receivers[1, 1], receivers[2, 1], receivers[3, 1] = 7, 10, 13
    receivers[2, 0] = 10
    vars(ground).update(flow=receivers, channel=np.ones((5, 3), bool))
    orders = network.strahler(ground)
    assert orders[0].tolist() == [1, 1, 1]
    assert orders[1:, 1].tolist() == [2, 2, 2, 2]
    assert orders[2, 0] == 1


def test_long_profiles_begin_at_the_mouth_and_follow_the_largest_donor(tree):
    land = with_rivers(peano(9), law=lambda area: 0.8 * area**-0.4)
    profile = profiles.long_profiles(land)
    assert len(profile) == 1  # one tree, one mouth
    way, height = profile[0]
    assert way[0] == 0
    assert (np.diff(way) > 0).all()
    assert (np.diff(height) > 0).all()
    assert height[0] == land.z[-1, -1]
