"""What test files share: lands made without the code under test, and Hypothesis' manners."""

import os
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def _fractal(ny, nx=None, *, relief=500.0, roughness=2.0, seed=1):
    """A float32 land of that relief by shaping white noise: spectrum 1 / frequency**roughness."""
    nx = nx or ny
    fy, fx = np.fft.fftfreq(ny)[:, None], np.fft.rfftfreq(nx)[None, :]
    frequency = np.hypot(fy, fx)
    frequency[0, 0] = np.inf
    noise = np.random.default_rng(seed).standard_normal((ny, nx))
    land = np.fft.irfft2(np.fft.rfft2(noise) / frequency**roughness, s=(ny, nx))
    spread = np.ptp(land) or 1.0
    return ((land - land.min()) * (relief / spread)).astype(np.float32)


def _balance(before, after, ledger, cell_area=1.0):
    """How far the ledger is from the ground's change and from itself, beside what moved."""
    moved = ledger.eroded + ledger.deposited + ledger.uplifted + abs(ledger.clamped)
    change = np.subtract(after, before, dtype=np.float64).sum() * cell_area
    ground = change - (ledger.uplifted - ledger.eroded + ledger.deposited + ledger.clamped)
    load = ledger.eroded - ledger.deposited - ledger.carried_out
    return SimpleNamespace(
        moved=moved, ground=abs(ground) / (moved or 1.0), load=abs(load) / (moved or 1.0)
    )


@pytest.fixture(scope="session")
def fractal():
    """The maker of fractal lands: fractal(ny, nx, relief=…, roughness=…, seed=…)."""
    return _fractal


@pytest.fixture(scope="session")
def balance():
    """The book-keeper: balance(before, after, ledger, cell_area).ground and .load, relative."""
    return _balance
