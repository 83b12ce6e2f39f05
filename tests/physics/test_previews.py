"""A preview shows what the large build gives, and the large build brings detail of its own."""

import importlib.util
from pathlib import Path

import pytest

import downcut as dc

PAGE = Path(__file__).parents[2] / "docs" / "preview_page.py"


@pytest.fixture(scope="module")
def sizes():
    spec = importlib.util.spec_from_file_location("preview_page", PAGE)
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    return {likeness.size: likeness for likeness in page.likenesses()}


def test_all_sizes_show_the_same_land(sizes):
    assert set(sizes) == {256, 512, 1009, 1024, 2048}
    for likeness in sizes.values():
        assert likeness.difference < 0.02
        assert likeness.rivers_off < 2
        assert likeness.rivers_missed < 2
    assert sizes[256].difference > 0  # the large one is not the small one stretched


def test_each_size_has_detail_of_its_own(sizes):
    for likeness in sizes.values():
        assert 3.8 < likeness.detail < 5.3
        assert 0.8 < likeness.density / sizes[2048].density < 1.25


def test_the_smallest_preview_shows_the_forms_too():
    """All lattices are finer than its cells: the coarsest counts all the same."""
    small = dc.generate(dc.preset("alpine", size=64))
    large = dc.generate(dc.preset("alpine", size=256))["elevation"].astype("f8")
    blocks = large.reshape(64, 4, 64, 4).mean(axis=(1, 3))
    off = small["elevation"] - blocks
    assert (off**2).mean() ** 0.5 < 0.08 * (blocks.max() - blocks.min())
    assert small.ledger.uplifted > 0
