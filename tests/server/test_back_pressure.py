"""Who does not read costs nobody but themselves: no delay, no memory, and no line for long."""

import json
import socket
import time
from contextlib import ExitStack, suppress

import numpy as np
import psutil
import pytest
from websockets.client import ClientProtocol
from websockets.protocol import State
from websockets.uri import parse_uri

CUT_OFF = 10.0
"""Seconds within which a client that takes nothing is gone."""
JITTER = 0.03
"""What a busy machine adds to a delay [s]."""


@pytest.fixture
def big(land):
    """A land of a megabyte a layer."""
    return land.recipe(size=512, seed=5)


def stall(count, studio, recipe):
    """Sockets of clients that ask for much and take nothing."""
    stalled = []
    for _ in range(count):
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", studio.port))
        protocol = ClientProtocol(parse_uri(f"ws://127.0.0.1:{studio.port}/api/live"))
        hello = protocol.connect()
        hello.headers["Cookie"] = studio.cookie["cookie"]
        protocol.send_request(hello)
        raw.sendall(b"".join(protocol.data_to_send()))
        while protocol.state is not State.OPEN:
            protocol.receive_data(raw.recv(1))
        for ask in range(3):
            message = {"do": "grow", "ask": ask, "recipe": recipe, "layers": ["elevation", "tint"]}
            protocol.send_text(json.dumps(message).encode())
        raw.sendall(b"".join(protocol.data_to_send()))
        stalled.append(raw)
    return stalled


def delays(line, recipe, times=30):
    """Seconds from asking for a land that is kept to having its layer."""
    taken = []
    for ask in range(times):
        begun = time.perf_counter()
        line.say("grow", ask=ask, recipe=recipe, layers=["elevation"])
        while not isinstance(got := line.hear(), tuple) or got[0]["ask"] != ask:
            pass
        line.until("grown", ask)
        taken.append(time.perf_counter() - begun)
    return float(np.percentile(taken, 95))


def open_at_the_server(studio, sockets):
    """How many of the connections the server still has."""
    ports = {raw.getsockname()[1] for raw in sockets}
    found = psutil.Process(studio.process.pid).net_connections()
    return sum(c.status == "ESTABLISHED" and c.raddr.port in ports for c in found)


def wait_until_gone(studio, sockets, begun):
    """Wait until the server has none of the connections; fail after what may be."""
    while open_at_the_server(studio, sockets):
        assert time.monotonic() - begun < CUT_OFF
        time.sleep(0.1)


@pytest.mark.parametrize(("good", "stalled"), [(1, 1), (180, 20)])
def test_only_who_stalls_suffers(studio, land, big, good, stalled):
    small = land.recipe(size=128, seed=9)
    with ExitStack() as stack:
        line = stack.enter_context(studio.live())
        line.until("engine")
        delays(line, small, 5)
        delays(line, big, 2)
        alone = delays(line, small)
        before = studio.memory()
        for _ in range(good - 1):
            other = stack.enter_context(studio.live())
            other.say("grow", ask=0, recipe=small, layers=["elevation"])
        begun = time.monotonic()
        idle = stall(stalled, studio, big)
        assert delays(line, small) <= 2 * alone + JITTER
        wait_until_gone(studio, idle, begun)
        for raw in idle:
            raw.close()
        deadline = time.monotonic() + 10
        while studio.memory() > before * 1.1 + (32 << 20) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert studio.memory() <= before * 1.1 + (32 << 20)
        assert delays(line, small, 5) < 5


def test_a_line_is_given_some_time_and_then_cut_off(studio, big):
    begun = time.monotonic()
    idle = stall(1, studio, big)
    time.sleep(3)
    assert open_at_the_server(studio, idle) == 1
    wait_until_gone(studio, idle, begun)
    idle[0].close()


def test_who_asks_on_and_on_without_reading_is_cut_off_soon(studio, big):
    begun = time.monotonic()
    (raw,) = stall(1, studio, big)
    with suppress(OSError):
        frame = b"\x81\x82\0\0\0\0{}"  # a masked text: {}
        while open_at_the_server(studio, [raw]):
            raw.sendall(frame * 100)
            assert time.monotonic() - begun < CUT_OFF
            time.sleep(0.05)
    raw.close()
    assert studio.client.get("/api/about").status_code == 200


def test_who_is_slow_gets_the_newest_field_and_not_all_of_them(studio, land):
    with studio.live() as line:
        line.until("engine")
        line.say("watch", ask=1, recipe=land.rainy, path="steps.1", speed=240)
        numbers, done = [], None
        while done is None:
            message = line.hear()
            if isinstance(message, tuple) and message[0].get("part") == "live":
                numbers.append(message[0]["number"])
                time.sleep(0.1)
            elif isinstance(message, dict) and message["say"] == "grown":
                done = message
        assert numbers == sorted(set(numbers))
        assert len(numbers) < 20
