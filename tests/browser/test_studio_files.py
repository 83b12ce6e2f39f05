"""Files into the studio and out of it, in a real browser."""

import io
import json
import re
import zipfile

import numpy as np
import pytest
import rasterio
from PIL import Image
from rasterio.io import MemoryFile


def export(page, choice, **fields):
    """Export by the dialog and return the download and what it says."""
    page.get_by_role("button", name="Export", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Export")
    dialog.get_by_label("What for").select_option(choice)
    for label, value in fields.items():
        dialog.get_by_label(label.replace("_", " ")).fill(value)
    with page.expect_download(timeout=60_000) as coming:
        dialog.get_by_role("button", name="Export", exact=True).click()
    return coming.value.path().read_bytes(), coming.value.suggested_filename, dialog


def test_a_geotiff_holds_the_land(open_studio, land):
    page = open_studio()
    data, name, _ = export(page, ".tif")
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as box:
            data = box.read(next(each for each in box.namelist() if each.endswith(".tif")))
    assert name.startswith("Small-hills")
    with MemoryFile(data) as file, file.open() as raster:
        heights = raster.read(1)
    assert np.array_equal(heights, land.grow(land.recipe)["elevation"])


def test_a_program_gets_its_size_and_the_person_a_checklist(open_studio):
    page = open_studio()
    data, name, dialog = export(page, "unreal", Samples_along_the_longer_edge="127")
    assert name == "Small-hills-unreal.zip"
    with zipfile.ZipFile(io.BytesIO(data)) as box:
        picture = next(
            each for each in box.namelist() if each.endswith(".png") and "splat" not in each
        )
        card = json.loads(box.read(next(e for e in box.namelist() if e.endswith("export.json"))))
        with Image.open(io.BytesIO(box.read(picture))) as image:
            assert 127 in image.size
    assert dialog.get_by_role("checkbox").count() == len(card["how"])
    assert dialog.get_by_role("link", name="Save Small-hills-unreal.zip").is_visible()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")


def test_the_size_that_will_be_made_is_told_before_it_is_made(open_studio):
    page = open_studio()
    page.get_by_role("button", name="Export", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Export")
    dialog.get_by_label("What for").select_option("unity")
    told = dialog.get_by_role("status")
    told.filter(has_text="65 × 65").wait_for()  # square, and one more than a power of two
    assert "Only the middle of it, 2.16 × 2.16 km" in told.inner_text()
    dialog.get_by_label("Samples along the longer edge").fill("500")
    told.filter(has_text="257 × 257").wait_for()
    dialog.get_by_label("What for").select_option("gis")
    dialog.get_by_label("Samples along the longer edge").fill("192")
    told.filter(has_text="108 × 192").wait_for()


def test_a_file_has_its_formats_options(open_studio, land):
    page = open_studio()
    page.get_by_role("button", name="Export", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Export")
    dialog.get_by_label("What for").select_option(".r16")
    dialog.get_by_label("byte order").select_option("big")
    dialog.get_by_label(re.compile("^low ")).fill("-1000")
    dialog.get_by_label(re.compile("^high ")).fill("5000")
    with page.expect_download(timeout=60_000) as coming:
        dialog.get_by_role("button", name="Export", exact=True).click()
    with zipfile.ZipFile(coming.value.path()) as box:
        names = box.namelist()
        samples = np.frombuffer(box.read(next(n for n in names if n.endswith(".r16"))), ">u2")
    metres = -1000 + samples.reshape(54, 96) * (6000 / 65535)
    np.testing.assert_allclose(metres, land.grow(land.recipe)["elevation"], atol=0.05)


def test_a_land_is_put_on_the_earth(open_studio):
    page = open_studio()
    label = "Where its middle lies: longitude, latitude"
    data, _, _ = export(page, "gis", **{label: "8.5, 46.5"})
    with zipfile.ZipFile(io.BytesIO(data)) as box:
        name = next(each for each in box.namelist() if each.endswith(".tif"))
        with MemoryFile(box.read(name)) as file, file.open() as raster:
            middle = raster.xy(raster.height / 2, raster.width / 2)
            lon, lat = rasterio.warp.transform(raster.crs, "EPSG:4326", *[[m] for m in middle])
    assert (lon[0], lat[0]) == pytest.approx((8.5, 46.5), abs=0.002)


def test_what_cannot_be_exported_says_why(open_studio):
    page = open_studio(expected="422")
    page.get_by_role("button", name="Export", exact=True).first.click()
    dialog = page.get_by_role("dialog", name="Export")
    dialog.get_by_label("What for").select_option("gis")
    dialog.get_by_label("Where its middle lies: longitude, latitude").fill("500, 99")
    dialog.get_by_role("button", name="Export", exact=True).click()
    assert "less than or equal to 180" in dialog.get_by_role("alert").inner_text()


@pytest.fixture
def slope(tmp_path):
    """A heightmap whose heights climb from west to east, as a picture."""
    heights = np.tile(np.linspace(0, 65535, 64).astype(np.uint16), (48, 1))
    path = tmp_path / "slope.png"
    Image.fromarray(heights).save(path)
    return path, heights


def test_a_picture_is_opened_as_a_land(open_studio, land, slope):
    path, _ = slope
    page = open_studio()
    first = land.checksum(page)
    page.locator(".chooser").first.set_input_files(path)
    land.wait(page, 64, than=first)
    recipe = land.link(page)
    assert recipe["title"] == "slope"
    assert [step["op"] for step in recipe["steps"]] == ["fields.heightmap"]
    page.get_by_role("button", name="Undo").click()
    assert land.wait(page, 96) == first


def test_a_recipe_is_saved_and_dropped_onto_another_page(open_studio, land):
    page = open_studio()
    with page.expect_download() as coming:
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("button", name="Save the recipe").click()
    text = coming.value.path().read_text("utf-8")
    assert json.loads(text) == land.recipe
    other = open_studio(None)
    other.evaluate(
        """text => {
            const carried = new DataTransfer();
            carried.items.add(new File([text], "hills.json", { type: "application/json" }));
            for (const what of ["dragenter", "dragover", "drop"])
              document.body.dispatchEvent(
                new DragEvent(what, { dataTransfer: carried, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    assert land.wait(other, 96) == land.grow(land.recipe).checksum


def test_a_picture_is_taken(open_studio):
    page = open_studio()
    with page.expect_download() as coming:
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("button", name="Take a picture").click()
    assert coming.value.suggested_filename == "Small-hills.png"
    with Image.open(coming.value.path()) as image:
        assert np.asarray(image.convert("L")).std() > 5


def test_nonsense_is_refused_in_a_sentence(open_studio, land, tmp_path):
    path = tmp_path / "nonsense.png"
    path.write_bytes(b"no picture at all")
    page = open_studio(expected="422")
    first = land.checksum(page)
    page.locator(".chooser").first.set_input_files(path)
    said = page.locator(".trouble")
    said.wait_for()
    assert "nonsense" in said.inner_text() or "png" in said.inner_text().lower()
    assert land.checksum(page) == first
