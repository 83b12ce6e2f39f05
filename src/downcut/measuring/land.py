"""Measuring land: from a Terrain, an array or a file to a Report."""

import numpy as np

from downcut.errors import DowncutError
from downcut.flow.drained import let_in_sea
from downcut.grid import Grid
from downcut.measuring import (
    depressions,
    geomorphons,
    hypsometry,
    network,
    profiles,
    rivers,
    slope_area,
    spectrum,
)
from downcut.measuring.figures import KINDS, Figure
from downcut.measuring.ground import Ground
from downcut.measuring.report import Curves, Report
from downcut.run import Run
from downcut.step import Array
from downcut.terrain import Terrain


def measure(
    land: Terrain | Array,
    grid: Grid | None = None,
    *,
    sea_level: float | None = None,
    name: str = "",
    run: Run | None = None,
) -> Report:
    """Measure a land by the figures that tell real landscapes from noise.

    Water flows by D8 on the surface with all depressions filled, and leaves at the map's edge,
    into the sea and into cells without data. A channel drains at least 100 cells. Lakes that a
    Terrain declares (`water_surface` above the ground) are level ground here, not depressions.
    Each figure's exact definition stands with the function that measures it.

    Parameters
    ----------
    land : Terrain, or (ny, nx) array of elevation [m]
        NaN and masked cells have no data: they are left out, and the report says how many.
    grid : Grid, optional
        Where the cells of an array lie; their size decides slopes and the drainage density.
    sea_level : float, optional [m]
        Land below it that the sea reaches from the map's edge is left out. By default the
        Terrain's recipe says.
    name : str, optional
        What the report calls the land.
    run : Run, optional
        Threads, and a way to stop.

    Returns
    -------
    Report

    Raises
    ------
    DowncutError
        For land under 32 × 32 cells, flat land, or an array without its grid.

    Examples
    --------
    >>> import downcut as dc
    >>> from downcut.measuring import measure
    >>> grid = dc.Grid(64, 64, cell_size=30)
    >>> noise = dc.fields.Fbm(wavelength=500)(grid=grid, seed=7)
    >>> measure(noise, grid)["depressions"].verdict
    'outside'
    """
    water = None
    if isinstance(land, Terrain):
        if land.recipe is not None:
            sea_level = land.recipe.sea_level if sea_level is None else sea_level
            name = name or land.recipe.title
        grid, water = land.grid, land.layers.get("water_surface")
        land = land["elevation"]
    elif grid is None:
        raise DowncutError("an array does not say how large its cells are: give grid=Grid(…)")
    z, there = without_gaps(land, grid)
    _, sea = let_in_sea(z, sea_level)
    dry = there if sea is None else there & ~sea
    level = z if water is None else np.maximum(z, water)
    ground = Ground.of(level, dry, grid.cell_size, run)
    lost = z.size - int(np.count_nonzero(there))
    notes = (f"{lost:,} of {z.size:,} cells have no data and were left out",) if lost else ()
    return _report(ground, name or "land", notes)


def _report(ground: Ground, name: str, notes: tuple[str, ...]) -> Report:
    drawn = curves(ground)
    values = _of_water(ground, drawn) | _of_relief(ground, drawn)
    return Report(
        name=name,
        size=(ground.z.shape[0], ground.z.shape[1]),
        cell_size=ground.cell_size,
        left_out=ground.z.size - ground.count,
        figures=tuple(Figure(each, values[each], kind) for each, kind in KINDS.items()),
        notes=notes,
        curves=drawn,
    )


def without_gaps(elevation: Array, grid: Grid) -> tuple[Array, Array]:
    """Return the elevation, gaps at its highest, as float32, and where there is data.

    Raises
    ------
    DowncutError
        For another shape than the grid's, values that are not real numbers, or no data at all.
    """
    given = np.ma.asanyarray(elevation)
    if given.shape != grid.shape:
        raise DowncutError(f"elevation has shape {given.shape}, the grid has {grid.shape}")
    if given.dtype.kind not in "biuf":
        raise DowncutError(f"elevation has dtype {given.dtype}: give real numbers")
    there = ~np.ma.getmaskarray(given)
    z = np.array(np.ma.getdata(given), np.float32, order="C")
    there &= ~np.isnan(z)
    if not there.any():
        raise DowncutError("no cell has data: there is nothing to measure")
    z[~there] = z[there].max()
    return z, there


def _of_water(ground: Ground, drawn: Curves) -> dict[str, float | None]:
    """Return the figures that the flow of water decides."""
    hack, spread = rivers.hack(ground), rivers.area_law(ground)
    steep = drawn.slope_area.fit
    streams = network.network(ground)
    ratios = network.horton(streams)
    return {
        "depressions": depressions.in_depressions(ground),
        "channels_in_depressions": depressions.channels_in_depressions(ground),
        "pits": depressions.pits(ground),
        "hack_exponent": hack.slope if hack else None,
        "area_exponent": -spread.slope if spread else None,
        "concavity": -steep.slope if steep else None,
        "concavity_r2": steep.r2 if steep else None,
        "branching_ratio": ratios.branching if ratios else None,
        "length_ratio": ratios.length if ratios else None,
        "area_ratio": ratios.area if ratios else None,
        "drainage_density": network.drainage_density(streams, ground),
    }


def _of_relief(ground: Ground, drawn: Curves) -> dict[str, float | None]:
    """Return the figures of heights alone."""
    waves, form = drawn.spectrum, geomorphons.shares(ground)
    return {
        "spectral_slope": waves.beta(spectrum.FORMS) if waves else None,
        "spectral_slope_detail": waves.beta(spectrum.DETAIL) if waves else None,
        "slope_variation": slope_area.variation(ground),
        "slope_median": slope_area.steepness(ground, 0.5),
        "slope_steep": slope_area.steepness(ground, 0.9),
        "hypsometric_integral": hypsometry.integral(ground),
        "ridges": form.ridge if form else None,
        "valleys": form.valley if form else None,
        "pit_forms": form.pit if form else None,
    }


def curves(ground: Ground) -> Curves:
    """Return what the picture draws."""
    return Curves(
        slope_area=slope_area.slope_area(ground),
        hypsometry=hypsometry.curve(ground),
        profiles=profiles.long_profiles(ground),
        spectrum=spectrum.spectrum(ground),
    )
