"""Pictures of exports, each drawn from the files by a second program that reads them."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

EDGE = 960
ASPECT = 16 / 9

SHOWN = {
    "unreal": "The PNG, read by Pillow and turned into metres by Unreal's formula",
    "unity": "The RAW, read as Unity does: row 0 in the south, levels by 65536, times the Height",
    "godot": "The EXR, read by OpenEXR, and the control map's materials bit by bit",
    "blender": "Blender's render of the plane, displaced by the EXR and coloured by the picture",
    "web": "Blender's render of the GLB as its importer reads it",
    "gis": "The GeoTIFF read by rasterio, with the GeoPackage's rivers read by pyogrio",
    "map": "The page in Chromium",
    "site": "The page in Chromium, drawn from the folder alone",
    "print": "Blender's render of the STL as its importer reads it",
    "usd": "Blender's render of the stage as its importer reads it",
    "mujoco": "MuJoCo's own render of the model",
}


def draw(name: str, folder: Path, picture: Path) -> None:
    """Draw one export; what cannot be drawn here stays as it is, and that is said."""
    picture.parent.mkdir(exist_ok=True)
    try:
        drawn = DRAWERS[name](folder)
    except (ImportError, OSError, RuntimeError) as error:
        print(f"{picture.name} stays as it is: {error}", file=sys.stderr)
        return
    _save(drawn, picture)


def _save(drawn: Image.Image, picture: Path) -> None:
    """Save as JPEG of 960 pixels' width and modest size."""
    drawn = drawn.convert("RGB")
    drawn = drawn.resize((EDGE, round(EDGE * drawn.height / drawn.width)), Image.Resampling.LANCZOS)
    for quality in (88, 80, 70, 60):
        drawn.save(picture, quality=quality, optimize=True)
        if picture.stat().st_size <= 140_000:
            return


def _numbers(folder: Path) -> dict:
    return json.loads((folder / "export.json").read_text("utf-8"))["numbers"]


def _relief(metres, cell: float, title: str, paint=None, over=None) -> Image.Image:
    """Plot heights [m], north up, as matplotlib shades them, with a bar of metres."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import LightSource, TwoSlopeNorm

    ny, nx = metres.shape
    extent = np.array([-nx, nx, -ny, ny]) / 2 * cell / 1000
    light = LightSource(315, 40)
    low, high = min(float(metres.min()), -1.0), float(metres.max())
    norm = TwoSlopeNorm(0, low, high)
    figure, axes = plt.subplots(figsize=(9.6, 6.4), dpi=150, layout="constrained")
    shade = {"vert_exag": 2, "dx": cell, "dy": cell, "blend_mode": "soft"}
    if paint is None:
        shaded = light.shade(metres, plt.get_cmap("terrain"), norm=norm, **shade)
    else:
        shaded = light.shade_rgb(paint, metres, **shade)
    axes.imshow(shaded, extent=extent)
    axes.set(xlabel="km east", ylabel="km north", title=title)
    if over:
        over(axes)
    if paint is None:
        bar = plt.cm.ScalarMappable(norm, plt.get_cmap("terrain"))
        figure.colorbar(bar, ax=axes, label="m", shrink=0.8)
    buffer = io.BytesIO()
    figure.savefig(buffer)
    plt.close(figure)
    return Image.open(buffer)


def _unreal(folder: Path) -> Image.Image:
    said = _numbers(folder)
    with Image.open(folder / "volcano.png") as opened:
        levels = np.asarray(opened, np.float64)
    metres = ((levels - 32768) / 128 * said["z_scale"] + said["z_location_cm"]) / 100
    title = f"(level − 32768) / 128 · {said['z_scale']:g} cm, X and Y scale {said['x_scale']:.6g}"
    return _relief(metres, said["x_scale"] / 100, title)


def _unity(folder: Path) -> Image.Image:
    said = _numbers(folder)
    edge = said["heightmap_resolution"]
    levels = np.fromfile(folder / "volcano.raw", "<u2").reshape(edge, edge)
    metres = said["position_y_m"] + levels / 65536 * said["terrain_height_m"]
    title = f"level / 65536 · {said['terrain_height_m']:.6g} m {said['position_y_m']:+.6g} m"
    return _relief(metres[::-1], said["metres_per_sample"], title)


def _godot(folder: Path) -> Image.Image:
    import OpenEXR

    metres = OpenEXR.File(str(folder / "volcano.exr")).channels()["RGB"].pixels[..., 0]
    bits = OpenEXR.File(str(folder / "volcano_control.exr")).channels()["Y"].pixels.view(np.uint32)
    paints = np.array([[0.42, 0.52, 0.27], [0.55, 0.5, 0.47], [0.87, 0.8, 0.6], [0.95, 0.97, 1]])
    base, over = paints[bits >> 27 & 31], paints[bits >> 22 & 31]
    share = (bits >> 14 & 255)[..., None] / 255
    spacing = _numbers(folder)["vertex_spacing"]
    title = f"base and overlay textures by their blend, vertex spacing {spacing:g} m"
    return _relief(metres, spacing, title, paint=base * (1 - share) + over * share)


def _gis(folder: Path) -> Image.Image:
    import pyogrio
    import rasterio
    import shapely

    with rasterio.open(folder / "volcano.tif") as dataset:
        metres, cell = dataset.read(1), dataset.res[0]
    _, _, lines, _ = pyogrio.raw.read(folder / "volcano.gpkg", layer="rivers")

    def over(axes) -> None:
        for line in shapely.from_wkb(lines):
            for part in shapely.get_parts(line):
                x, y = shapely.get_coordinates(part).T / 1000
                axes.plot(x, y, color="#1f6fb4", linewidth=1)

    return _relief(metres, cell, "volcano.tif and the rivers of volcano.gpkg", over=over)


def _mujoco(folder: Path) -> Image.Image:
    os.environ.setdefault("MUJOCO_GL", "egl")
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(next(folder.glob("*.xml"))))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    model.vis.global_.offwidth, model.vis.global_.offheight = 1280, 720
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance = model.stat.center, 1.6 * model.stat.extent
    camera.azimuth, camera.elevation = 130, -32
    with mujoco.Renderer(model, 720, 1280) as renderer:
        renderer.update_scene(data, camera)
        return Image.fromarray(renderer.render())


def _map(folder: Path) -> Image.Image:
    import functools
    import http.server
    import threading

    from playwright.sync_api import sync_playwright

    sys.path.append(str(Path(__file__).parents[1] / "scripts"))
    import chromium

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    serve = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        browser = chromium.launch(play.chromium)
        if browser is None:
            raise RuntimeError("no Chromium starts here")
        page = browser.new_page(viewport={"width": 960, "height": 540})
        page.set_default_timeout(300_000)  # without a graphics card
        page.goto(f"http://127.0.0.1:{server.server_port}/", wait_until="commit")
        page.wait_for_selector("[data-ready]", state="attached")
        shot = page.screenshot(timeout=300_000)
        browser.close()
    server.shutdown()
    return Image.open(io.BytesIO(shot))


def _blender(kind: str) -> Callable[[Path], Image.Image]:
    """Return a drawer that renders in a Blender of its own process."""

    def drawer(folder: Path) -> Image.Image:
        target = folder.parent / f"{kind}-render.png"
        script = Path(__file__).with_name("export_in_blender.py")
        done = subprocess.run(
            [sys.executable, str(script), kind, str(folder), str(target)],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        return Image.open(target)

    return drawer


DRAWERS: dict[str, Callable[[Path], Image.Image]] = {
    "unreal": _unreal,
    "unity": _unity,
    "godot": _godot,
    "gis": _gis,
    "map": _map,
    "site": _map,
    "mujoco": _mujoco,
    **{kind: _blender(kind) for kind in ("blender", "web", "print", "usd")},
}
