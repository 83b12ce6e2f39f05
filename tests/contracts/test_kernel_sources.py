"""The cache of kernels is named by all that kernels are made of, and by nothing else."""

import importlib
import pkgutil
from pathlib import Path

import pytest
from numba.core.registry import CPUDispatcher

import downcut
from downcut import _jit

ROOT = Path(downcut.__file__).parent


@pytest.fixture(scope="module")
def sources():
    return {Path(path).resolve() for path in _jit.kernel_sources()}


def test_every_kernel_and_what_it_names_is_counted(sources):
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(downcut.__path__, "downcut.")
        if found.name != "downcut.__main__"
    ]
    kernels = {
        value for module in modules for value in vars(module).values()
        if isinstance(value, CPUDispatcher)
    }  # fmt: skip
    assert len(kernels) > 30
    for kernel in kernels:
        function = kernel.py_func
        assert Path(function.__code__.co_filename).resolve() in sources
        for name in function.__code__.co_names:
            used = function.__globals__.get(name)
            place = getattr(getattr(used, "py_func", None), "__code__", None)
            if place is not None:
                assert Path(place.co_filename).resolve() in sources


@pytest.mark.parametrize("name", ["cli", "export/mesh", "commands/generate", "recipe", "execute"])
def test_what_holds_no_kernel_does_not_count(sources, name):
    assert (ROOT / f"{name}.py").resolve() not in sources


@pytest.mark.parametrize("name", ["grid", "randomness", "flow/routing", "fields/lattice"])
def test_what_kernels_import_counts(sources, name):
    assert (ROOT / f"{name}.py").resolve() in sources


def test_imports_are_found_in_every_form():
    text = (
        "from downcut import a, b\nfrom downcut.c import (\n    d,\n    e,\n)\nimport downcut.f\n"
    )
    found = set(_jit._imported(text))
    assert {ROOT / f"{name}.py" for name in ("a", "b", "c", "c/d", "c/e", "f")} <= found
    assert _jit._imported("    from downcut.g import h\n") == []
