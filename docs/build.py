"""Make the pages that come from the program itself: steps, gallery, figures, previews, exports.

    python docs/build.py [steps] [gallery] [first] [figures] [preview] [export] [world]    (or all)

`first` is no page but the land that the studio begins with; of `world` it makes the pictures.

The steps' page is the same text on every machine; tests/docs compare it with the one in place.
"""

import sys
from pathlib import Path

import export_pages
import figures_page
import first_land
import gallery_page
import preview_page
import references
import steps_page
import world_pictures

DOCS = Path(__file__).parent
KINDS = ("steps", "gallery", "first", "figures", "preview", "export", "world")


def main() -> None:
    """Make the pages that are named, or all."""
    wanted = sys.argv[1:] or [*KINDS]
    if missing := sorted(set(references.cited()) - set(references.load())):
        sys.exit(f"docs/references.bib has no {', '.join(missing)}")
    if "steps" in wanted:
        (DOCS / "steps.md").write_text(steps_page.text(), "utf-8")
    if "gallery" in wanted:
        (DOCS / "gallery.md").write_text(gallery_page.text(DOCS / "gallery"), "utf-8")
    if "first" in wanted:
        first_land.write()
    if "figures" in wanted:
        (DOCS / "figures.md").write_text(figures_page.text(), "utf-8")
    if "preview" in wanted:
        (DOCS / "preview.md").write_text(preview_page.text(), "utf-8")
    if "export" in wanted:
        export_pages.write(DOCS / "export")
    if "world" in wanted:
        world_pictures.write(world_pictures.FOLDER)


if __name__ == "__main__":
    main()
