"""Meshes are compared with what their land becomes, byte for byte."""

import pytest

import downcut as dc
from downcut.handover.exporting import export_for
from downcut.handover.verifying import verify

HILLS = {
    "seed": 5,
    "grid": {"ny": 24, "nx": 30, "cell_size": 10},
    "steps": [{"op": "fields.fbm", "wavelength": 300, "amplitude": 80, "offset": 40}],
}
CASES = {
    "a.glb": {}, "b.glb": {"max_error": 3, "levels": 2}, "a.obj": {}, "b.obj": {"max_error": 3.5},
    "a.stl": {"bed": 90, "exaggeration": 2}, "a.usda": {"up": "y"}, "a.usdc": {"max_error": 2},
    "a.usdz": {},
}  # fmt: skip


@pytest.fixture(scope="module")
def land():
    return dc.generate(dc.Recipe.from_dict(HILLS))


@pytest.mark.parametrize("name", CASES)
def test_a_mesh_as_it_was_written_agrees_and_one_changed_byte_is_found(name, land, tmp_path):
    path = dc.save(land, tmp_path / name, **CASES[name])[0]
    verdict = verify(path)
    assert verdict.agrees, verdict.sentence
    assert "byte for byte" in verdict.sentence
    data = bytearray(path.read_bytes())
    place = data.index(b"point3f[]") + 15 if name == "a.usda" else int(len(data) * 0.6)
    digit = data[place : place + 1].isdigit()
    data[place] = ord("7") + (data[place] == ord("7")) if digit else data[place] ^ 1
    path.write_bytes(data)
    try:
        assert not verify(path)
    except dc.DowncutError:
        assert name in ("a.usdc", "a.usdz")  # their reader has seen the damage before us


def test_options_that_no_writer_takes_are_not_believed(land, tmp_path):
    path, side = dc.save(land, tmp_path / "a.stl")
    side.write_text(side.read_text("utf-8").replace('"floor"', '"cellar"'), "utf-8")
    assert not verify(path)


@pytest.mark.parametrize("target", ["web", "print", "usd"])
def test_an_export_of_meshes_is_compared_with_all_its_tiles(target, tmp_path):
    how = {"tiles": (2, 2)} if target == "print" else {"options": {"layers": "none"}}
    export_for(HILLS, target, tmp_path, **how)
    verdict = verify(tmp_path)
    assert verdict.agrees, verdict.sentence
    assert all(check.compared for check in verdict.checks if check.file.endswith(("glb", "stl")))
    if target == "print":
        names = sorted(tmp_path.glob("*.stl"))
        (one, other) = (names[0].read_bytes(), names[1].read_bytes())
        names[0].write_bytes(other)
        names[1].write_bytes(one)
        assert not verify(tmp_path)
