"""The pages of `downcut export --for`: what each program takes, its README.txt, and a picture.

    python docs/build.py export          (pictures that need Blender stay as they are without bpy)

Each picture shows our file as a second program reads it, never our own arrays.
"""

import tempfile
from pathlib import Path

import export_pictures

import downcut as dc
from downcut.export import targets
from downcut.handover.exporting import Job, prepare
from downcut.handover.planning import Order

PRESET, SIZE, SEED = "volcano", 505, 7
PLACE = "-25.35,37.77"  # in the Azores, where such an island would not surprise anyone

PLACED = ("gis", "map")

WORDS = {
    "unreal": """\
The heightmap is a 16-bit PNG whose range is chosen so that the sea lies at level 32768, the
height of the Landscape itself. The Z scale is the least at which the land fits, so no level is
wasted; it is about range · 100 / 512, the range being twice what the land reaches from the sea.
A land without a sea has its middle at 32768, and Location Z puts it right. Weights of four
materials come as 8-bit pictures of the Landscape's size, which sum to 255.

Tiles are called `name_x0_y0.png` and share their edges, as World Partition wants them. No other
file's name has a part like `1009x1009`, which Unreal would take for a tile's place.""",
    "unity": """\
RAW has no header: 16 bits, little endian, the first row in the south, so that nothing need be
flipped. Unity divides levels by 65536 when it reads them; the Terrain's Height allows for it,
and heights come out in this land's metres.

The splat map has 2ⁿ cells, each the mean of its four corners. Tiles end in `_X_Z`, counted from
the south-west, and share their edges. Inside, Unity keeps 15 bits of height.""",
    "godot": """\
[Terrain3D](https://github.com/TokisanGames/Terrain3D) takes heights as they are: the EXR holds
metres, three times the same as RGB. The control map has the two heaviest materials of every
vertex as textures 0 to 3 (grass, rock, sand, snow) with their blend, bit by bit as Terrain3D
stores it; load four textures in that order. Tiles abut, since regions do.""",
    "blender": """\
The EXR is in metres, so Displace needs no scale. The plane has the land's size, and a vertex is
where the middle of a sample is or between two. For a mesh that has each cell as a vertex, take
the [GLB](web.md) instead.

The picture was rendered by Blender from these very files, as its README.txt says.""",
    "web": """\
One GLB with levels of detail: each has four times the error of the one before, and says from
which distance it will do. Y is up, units are metres, colours are the vertices' own, and the
file is valid by Khronos' validator.""",
    "site": """\
A folder for any static server: the land as a page of its own, drawn as the studio draws it. Each
layer is a file of a small header and raw numbers, `land.json` names them, and `downcut-land.js`
reads them in a three.js page of yours; [the format](../../web/README.md#landjson) takes a minute
to read. `downcut site SOURCE -o FOLDER` is short for this export.""",
    "gis": """\
Values are float32 metres, exactly, in cloud-optimized GeoTIFFs: tiled, compressed, with
overviews. Layers are files of their own; rivers, lakes and basins are in a GeoPackage with
their figures as columns. Without `--at` coordinates are local metres. With it, the files carry
a projection that is true to scale at that place.""",
    "map": """\
A folder for any static server: tiles of heights in Terrarium and Terrain-RGB and of colours,
the same as PMTiles archives, and a page that shows them with [MapLibre](https://maplibre.org).
Heights are never normalised, so neighbours agree.""",
    "print": """\
A closed solid in millimetres: the land on top, four walls, a flat base. It fills the bed unless
`scale` says otherwise; tiles meet exactly, and each is made to fit the bed.""",
    "usd": """\
The stage says which axis is up and that a unit is a metre (`metersPerUnit = 1`), which some
programs otherwise take for a centimetre.""",
    "mujoco": """\
A height field as picture and a model that loads it, with the land's metres and colours. Robots
can be added to the scene as includes.""",
}

PAGE = """\
# {program}

```text
{command}
```

![{shows}](pictures/{name}.jpg)

*{shows}*

{words}

{facts}

## README.txt

What stands in the folder that the command above fills:

```text
{readme}
```
"""


def write(pages: Path) -> None:
    """Make every page and picture."""
    with tempfile.TemporaryDirectory() as work:
        for name in targets.NAMES:
            picture = pages / "pictures" / f"{name}.jpg"
            page = text(name, Path(work) / name, picture)
            (pages / f"{name}.md").write_text(page, "utf-8")


def text(name: str, folder: Path, picture: Path) -> str:
    """Export into `folder`, draw `picture`, and return docs/export/NAME.md."""
    target = targets.by_name(name)
    if not folder.exists():
        made = job(name, folder)
        made.deliver(dc.generate(made.recipe))
    shows = export_pictures.SHOWN[name]
    export_pictures.draw(name, folder, picture)
    at = f" --at={PLACE}" if name in PLACED else ""
    return PAGE.format(
        program=target.program,
        name=name,
        command=f"downcut export {PRESET} --for {name} --size {SIZE} --seed {SEED}{at}",
        shows=shows,
        words=WORDS[name],
        facts=facts(name),
        readme=(folder / "README.txt").read_text("utf-8").strip(),
    )


def job(name: str, folder: Path) -> Job:
    """Return the export that a page shows, before anything is grown."""
    order = Order(size=SIZE, place=PLACE if name in PLACED else None)
    return prepare(dc.preset(PRESET, seed=SEED), name, folder, order, name=PRESET)


def facts(name: str) -> str:
    """Return the table of what the record of a target says."""
    target = targets.by_name(name)
    edges = "share their edge samples" if target.shared_edges else "abut"
    tiles = f"up to {target.most_tiles} a side; they {edges}"
    posts = "posts, the outermost on the land's edges"
    square = "square, " * target.sizes.square
    rows = {
        "samples a side": f"{square}{target.sizes.words}",
        "they are": posts if target.posts else "middles of cells",
        "tiles": tiles if target.most_tiles > 1 else "one piece",
        "layers": ", ".join(target.layers) or "none",
        "needs": ", ".join(dict.fromkeys(f"`downcut[{extra}]`" for _, extra in target.needs))
        or "nothing beside downcut",
    }
    for option, choice in target.options.items():
        rows[f"`--with {option}=`"] = f"{choice.meaning} (`{choice.default}`)"
    lines = [f"| {what} | {said} |" for what, said in rows.items()]
    return "\n".join(["| | |", "| --- | --- |", *lines])
