"""What `downcut export --for map` writes, shown by its page from two kinds of servers."""

import http.server
import re
import threading

import numpy as np
import pytest

from downcut.export.files import Delivery
from downcut.export.placement import Placement
from downcut.export.targets.map import TARGET
from downcut.export.targets.target import Plan
from downcut.grid import Grid
from downcut.terrain import Terrain

MIDDLE = "?still#12/46.5/8.5"
"""Nothing moves, and the middle of the land is that of the view."""
RED, BLUE = (200, 40, 40), (40, 40, 200)


def slope():
    """A slope from 500 m in the west to 1500 m in the east; red in the north, blue in the south."""
    grid = Grid(200, 200, 50.0)
    elevation = (1000 + grid.x / 10 + 0 * grid.y[:, None]).astype(np.float32)
    colour = np.empty((200, 200, 3), np.uint8)
    colour[:100], colour[100:] = RED, BLUE
    return Terrain(grid, {"elevation": elevation, "colour": colour})


def write(folder, **options):
    plan = Plan("slope", options=TARGET.chosen(options), place=Placement(8.5, 46.5))
    with Delivery() as delivery:
        TARGET.write(slope(), plan, delivery, folder)


def middle(opened):
    """The elevation [m] that the page names."""
    text = "document.getElementById('where').textContent"
    opened.wait_for_function(f"{text}.includes('in the middle')")
    return float(re.match(r"[−\d.]+", opened.locator("#elevation").inner_text())[0])


@pytest.fixture
def ranges():
    """ranges(folder) lends a folder as servers do that send parts of files, and nothing else."""
    servers = []

    class Parts(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            path = self.server.folder / self.path.split("?")[0].lstrip("/")
            path = path / "index.html" if path.is_dir() else path
            if not path.is_file():
                self.send_error(404)
                return
            data, asked = path.read_bytes(), self.headers.get("Range")
            self.send_response(206 if asked else 200)
            if asked:
                first, last = (int(n) for n in re.findall(r"\d+", asked))
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
                data = data[first : last + 1]
            self.send_header("Content-Type", self.kind(path.suffix))
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        @staticmethod
        def kind(suffix):
            kinds = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
            return kinds.get(suffix, "application/octet-stream")

        def log_message(self, *_):
            pass

    def start(folder):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Parts)
        server.folder = folder
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_page_shows_the_land_from_any_server(serve, visit, look, tmp_path):
    write(tmp_path / "map")
    opened = visit(serve(tmp_path / "map") + MIDDLE)
    assert middle(opened) == pytest.approx(1000, abs=4)  # a cell is 5 m higher than the last
    facts = opened.locator("#facts").inner_text().replace("\xa0", " ")
    assert facts.startswith("10.0 × 10.0 km")
    picture = look(opened).astype(int)
    red = (picture[..., 0] > picture[..., 2] + 40) & (picture[..., 0] > picture[..., 1] + 40)
    blue = (picture[..., 2] > picture[..., 0] + 40) & (picture[..., 2] > picture[..., 1] + 40)
    assert 0.02 < red.mean() < 0.48
    assert 0.02 < blue.mean() < 0.48
    assert np.nonzero(red)[0].mean() < np.nonzero(blue)[0].mean(), "north is up"


def test_the_page_shows_the_archive_from_a_server_that_sends_ranges(ranges, visit, tmp_path):
    write(tmp_path / "map", reads="archive")
    opened = visit(ranges(tmp_path / "map") + MIDDLE)
    assert middle(opened) == pytest.approx(1000, abs=4)
