"""The engine warms up beside the requests, says when it has, and stops when the studio closes."""

import threading

import pytest

from downcut import presets
from downcut.server.warming import Warmth
from downcut.world.world import World


@pytest.fixture(autouse=True)
def few_presets(monkeypatch):
    monkeypatch.setattr(presets, "names", lambda: ["sine-hills", "endless"])


def test_who_waits_hears_of_it_once_and_who_has_gone_does_not():
    warmth, heard = Warmth(), []
    gone = lambda: heard.append("gone")  # noqa: E731 - compared by identity below
    warmth.tell(lambda: heard.append("early"))
    warmth.tell(gone)
    warmth.forget(gone)
    warmth.warm()
    warmth.tell(lambda: heard.append("late"))
    assert heard == ["early", "late"]
    assert warmth.is_warm


def test_it_ends_when_the_studio_closes():
    warmth = Warmth()
    warmth.stop.set()
    warmth.warm()
    assert not warmth.is_warm


def test_it_does_not_keep_the_server_waiting():
    warmth, done = Warmth(), threading.Event()
    warmth.tell(done.set)
    warmth.begin()
    assert done.wait(60)


def test_an_endless_land_is_quick_from_the_start_too(monkeypatch):
    grown = []
    window = World.window
    monkeypatch.setattr(World, "window", lambda *a, **k: grown.append(window(*a, **k)) or grown[-1])
    Warmth().warm()
    land = grown[-1]
    assert {"elevation", "discharge", "lake"} <= set(land.layers)
    assert land["elevation"].max() > 0
    assert len(land.features["rivers"]) > 0
