"""A studio that really runs, in a process of its own, and clients that talk to it."""

import json
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

import httpx
import psutil
import pytest
from websockets.sync.client import connect

from downcut.export.blocks import read_block

PATIENCE = 240
"""Seconds that anything may take on a busy machine with cold kernels."""


class Running:
    """A studio at a port, with its key."""

    def __init__(self, process, link):
        self.process, self.link = process, link
        self.port, self.token = re.search(r":(\d+)/\?token=(\S+)", link).groups()
        self.port = int(self.port)
        self.address = f"http://127.0.0.1:{self.port}"
        self.cookie = {"cookie": f"downcut-{self.port}={self.token}"}
        self.client = httpx.Client(base_url=self.address, headers=self.cookie, timeout=PATIENCE)

    def close(self):
        """Press Ctrl-C, if it still runs; what it said on stderr since it was open."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGINT)
            self.said = self.process.communicate(timeout=PATIENCE)[1]
        return self.said

    def memory(self):
        """Bytes that the process holds."""
        return psutil.Process(self.process.pid).memory_info().rss

    @contextmanager
    def live(self, **headers):
        """A page's live line."""
        with connect(
            f"ws://127.0.0.1:{self.port}/api/live",
            additional_headers={**self.cookie, **headers},
            max_size=None,
            open_timeout=PATIENCE,
            compression=None,
        ) as socket:
            yield Talk(socket)


class Talk:
    """A live line as a page uses it."""

    def __init__(self, socket):
        self.socket = socket
        self.blocks = []

    def say(self, do, **facts):
        self.socket.send(json.dumps({"do": do, **facts}))

    def hear(self, timeout=PATIENCE):
        """The next message; a block is (header, array) and is said to be taken."""
        message = self.socket.recv(timeout)
        if isinstance(message, str):
            return json.loads(message)
        self.say("ready")
        return read_block(message)

    def until(self, what, ask=None):
        """Hear until something is said; blocks that come before are kept."""
        while True:
            message = self.hear()
            if isinstance(message, tuple):
                self.blocks.append(message)
            elif message["say"] == what and ask in (None, message["ask"]):
                return message


@contextmanager
def _started():
    words = [sys.executable, "-m", "downcut", "studio", "--no-browser", "--port", "0"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    link = next(line for line in process.stderr if "token=" in line)
    process.stderr.readline()  # how to close it
    running = Running(process, link)
    with running.client:
        try:
            yield running
        finally:
            running.close()


@pytest.fixture(scope="session")
def start():
    """Starts a studio of one's own: `with start() as studio`."""
    return _started


@pytest.fixture(scope="session")
def studio():
    """A warm studio, which has nothing to say at its end of what all the tests did."""
    with _started() as running:
        with running.live() as line:
            while not line.until("engine")["warm"]:
                pass
        yield running
        said = running.close().splitlines()
    assert [line for line in said if not line.startswith("note: ")] == ["closed"]


@pytest.fixture
def land():
    """Recipes that take no time, some, and long."""
    ground = {"op": "fields.fbm", "wavelength": 900, "amplitude": 300}

    def recipe(*steps, size=32, seed=1):
        grid = {"ny": size, "nx": size, "cell_size": 20}
        return {"grid": grid, "seed": str(seed), "steps": [ground, *steps]}

    rain = {"op": "erosion.droplets", "droplets_per_cell": 1, "rounds": 20, "lifetime": 20}
    long = {"op": "erosion.thermal", "passes": 1000}
    return SimpleNamespace(
        recipe=recipe, plain=recipe(), rainy=recipe(rain), long=recipe(*[long] * 20, size=1024)
    )
