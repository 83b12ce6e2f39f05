"""The gallery: every preset grown, with its picture, its figures and its recipe.

A small picture goes beside each preset in the package: the studio shows it to begin with.
"""

import io
from pathlib import Path

from PIL import Image, ImageOps

import downcut as dc
from downcut import presets, report
from downcut.export.picture import preview

PICTURE_EDGE = 768
SMALL = (288, 192)
"""Of the studio's gallery."""
LARGEST_PICTURE = 150_000
"""Bytes that a picture may have, so that the page opens at once."""

HEAD = """\
# Gallery

The recipes that ship. Pictures, figures and names are made by `make docs`: do not edit. A picture
shows the land from above, as `preview.png` does; the command below it grows the same land, and the
table that ends its run names the same digest.
"""


def text(folder: Path) -> str:
    """Grow every preset, keep its picture in `folder`, and return docs/gallery.md."""
    folder.mkdir(exist_ok=True)
    return "\n".join([HEAD, *(section(name, folder) for name in presets.names())])


def shown(name: str) -> dc.Recipe:
    """Return the recipe of a preset as the gallery shows it: small lands as they ship."""
    recipe = dc.preset(name)
    return recipe if recipe.grid.nx < 256 else dc.preset(name, size=PICTURE_EDGE)


SECTION = """\
## {title}

![{title} from above](gallery/{name}.jpg)

{description}

    downcut generate {name}{option}

| | |
| --- | --- |
| size | {cells}, {extent} |
| relief | {low:,.1f} to {high:,.1f} m |
| digest | `{digest}` |

<details><summary>The recipe as it ships</summary>

```json
{recipe}
```

</details>
"""


def section(name: str, folder: Path) -> str:
    """Grow a preset, keep its picture, and return its section."""
    shipped, recipe = dc.preset(name), shown(name)
    land = dc.generate(recipe)
    (folder / f"{name}.jpg").write_bytes(picture(land))
    small(folder / f"{name}.jpg").save(
        Path(presets.__file__).with_name(f"{name}.jpg"), quality=82, optimize=True
    )
    ground = recipe.grid.model_dump()
    return SECTION.format(
        name=name,
        title=shipped.title,
        description=shipped.description,
        option="" if recipe == shipped else f" --size {recipe.grid.nx}",
        cells="{ny} × {nx} cells of {cell_size:.4g} m".format(**ground),
        extent=report.extent(**ground),
        low=land.relief[0],
        high=land.relief[1],
        digest=recipe.digest,
        recipe=shipped.to_json(),
    )


def picture(land: dc.Terrain) -> bytes:
    """Return the preview as a JPEG that is small enough."""
    image = Image.fromarray(preview(land))
    if max(image.size) < PICTURE_EDGE:
        times = PICTURE_EDGE // max(image.size)
        image = image.resize((image.width * times, image.height * times), Image.Resampling.BICUBIC)
    for quality in range(85, 20, -3):
        data = io.BytesIO()
        image.save(data, "JPEG", quality=quality, optimize=True, progressive=True)
        if data.tell() <= LARGEST_PICTURE:
            break
    return data.getvalue()


def small(path: Path) -> Image.Image:
    """Return the middle of a picture at the size of the studio's gallery."""
    with Image.open(path) as image:
        return ImageOps.fit(image.convert("RGB"), SMALL, Image.Resampling.LANCZOS)
