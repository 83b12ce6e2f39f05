"""The container: arrays and their descriptions as one GLB file of glTF 2.0."""

from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from downcut.errors import DowncutError
from downcut.export.mesh import INDEX16_LIMIT, Anchor

ROUGHNESS = 0.95

# Numbers that glTF gives to kinds of data, of primitive, and of how a picture ends.
FLOAT, UINT16, UINT32 = 5126, 5123, 5125
VERTICES, INDICES = 34962, 34963
POINTS, TRIANGLES = 0, 4
CLAMP = 33071


class Model:
    """A scene of one land: arrays one after the other, and what describes them.

    `gltf` is the package pygltflib.
    """

    def __init__(self, gltf: Any) -> None:
        self.gltf = gltf
        self.arrays: list[NDArray[Any]] = []
        self.views: list[Any] = []
        self.accessors: list[Any] = []
        self.picture: int | None = None
        self.groups: list[tuple[Any, Any, bool]] = []
        self.size = 0

    def vertices(self, array: NDArray[Any], *, bounds: bool = False) -> int:
        """Add numbers of vertices, (vertices, n) float32 or shares as uint16; return their name."""
        shares = array.dtype == np.uint16
        accessor = self.gltf.Accessor(
            bufferView=self._view(array, VERTICES),
            componentType=UINT16 if shares else FLOAT,
            type=f"VEC{array.shape[1]}",
            count=len(array),
        )
        accessor.normalized = shares
        if bounds:
            # column by column: numpy reduces rows of three numbers twenty times slower
            accessor.min = [float(column.min()) for column in array.T]
            accessor.max = [float(column.max()) for column in array.T]
        return self._described(accessor)

    def indices(self, faces: NDArray[Any], count: int) -> int:
        """Add corners of triangles among `count` vertices, as narrow as can be; return the name."""
        kind: Any = np.uint16 if count <= INDEX16_LIMIT else np.uint32
        flat = faces.astype(kind, copy=False).reshape(-1)
        accessor = self.gltf.Accessor(
            bufferView=self._view(flat, INDICES),
            componentType=UINT16 if kind is np.uint16 else UINT32,
            type="SCALAR",
            count=len(flat),
        )
        return self._described(accessor)

    def add_picture(self, jpeg: bytes) -> None:
        """Add the picture that lies on the land."""
        self.picture = self._view(np.frombuffer(jpeg, np.uint8), None)

    def add_group(
        self, group: Any, attributes: dict[str, int], indices: int, *, nodes: bool
    ) -> None:
        """Add things that share a mesh: where they are, and whether each is a node of its own."""
        self.groups.append((group, self.primitive(attributes, indices, material=1), nodes))

    def primitive(self, attributes: dict[str, int], indices: int | None, material: int = 0) -> Any:
        """Return triangles, or without indices points, of a material."""
        return self.gltf.Primitive(
            attributes=self.gltf.Attributes(**attributes),
            indices=indices,
            material=material,
            mode=POINTS if indices is None else TRIANGLES,
        )

    def _view(self, array: NDArray[Any], target: int | None) -> int:
        self.views.append(
            self.gltf.BufferView(
                buffer=0, byteOffset=self.size, byteLength=array.nbytes, target=target
            )
        )
        self.arrays.append(array)
        self.size += _padded(array)
        return len(self.views) - 1

    def _described(self, accessor: Any) -> int:
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def write(
        self, file: BinaryIO, anchor: Anchor, facts: dict[str, Any], primitives: Sequence[Any]
    ) -> None:
        """Write the scene: the first primitive's node in it, the others as its coarser levels.

        Raises
        ------
        DowncutError
            If it would be larger than a GLB can be, 4 GB.
        """
        g = self.gltf
        levels = len(primitives)
        names = ["land"] if levels == 1 else [f"land_lod{number}" for number in range(levels)]
        nodes = self._nodes(names, anchor, facts.get("levels_of_detail"))
        roots = [0, *self._stand(nodes, len(names), anchor)]
        named = [*zip(names, primitives, strict=True)]
        named += [(group.name, primitive) for group, primitive, _ in self.groups]
        used = ["MSFT_lod"] if levels > 1 else []
        needed = ["EXT_mesh_gpu_instancing"] if any(not own for *_, own in self.groups) else []
        model = g.GLTF2(
            asset=g.Asset(version="2.0", generator=f"downcut {facts['version']}", extras=facts),
            scene=0,
            scenes=[g.Scene(nodes=roots)],
            nodes=nodes,
            meshes=[g.Mesh(name=name, primitives=[primitive]) for name, primitive in named],
            extensionsUsed=used + needed,
            extensionsRequired=needed,
            materials=[self._ground(), *([self._things()] if self.groups else [])],
            accessors=self.accessors,
            bufferViews=self.views,
            buffers=[g.Buffer(byteLength=self.size)],
        )
        if self.picture is not None:
            model.images = [g.Image(name="colours", bufferView=self.picture, mimeType="image/jpeg")]
            model.samplers = [g.Sampler(wrapS=CLAMP, wrapT=CLAMP)]
            model.textures = [g.Texture(source=0, sampler=0)]
        _write_chunks(file, model.to_json(), self.arrays)

    def _nodes(self, names: list[str], anchor: Anchor, details: Any) -> list[Any]:
        """Return a node for each level; the first names the others and says what each is for."""
        middle = [anchor.east, anchor.up, 0.0 - anchor.north]
        nodes = [
            self.gltf.Node(name=name, mesh=number, translation=middle)
            for number, name in enumerate(names)
        ]
        if details:
            coverage = [level["screen_coverage"] for level in details]
            nodes[0].extras = {"levels_of_detail": details, "MSFT_screencoverage": coverage}
        if len(nodes) > 1:
            nodes[0].extensions = {"MSFT_lod": {"ids": list(range(1, len(nodes)))}}
        return nodes

    def _stand(self, nodes: list[Any], meshes: int, anchor: Anchor) -> list[int]:
        """Add nodes of what stands on the land; return those that the scene holds."""
        g, roots = self.gltf, []
        middle = [anchor.east, anchor.up, 0.0 - anchor.north]
        for number, (group, _, own) in enumerate(self.groups, meshes):
            roots.append(len(nodes))
            node = g.Node(name=group.name, translation=middle)
            nodes.append(node)
            places = (group.translation, group.rotation, group.scale)
            if own:
                node.children = list(range(len(nodes), len(nodes) + len(group.scale)))
                nodes += [
                    g.Node(mesh=number, translation=where, rotation=turn, scale=size)
                    for where, turn, size in zip(*(p.tolist() for p in places), strict=True)
                ]
                continue
            node.mesh = number
            names = ("TRANSLATION", "ROTATION", "SCALE")
            told = {n: self._instances(p) for n, p in zip(names, places, strict=True)}
            node.extensions = {"EXT_mesh_gpu_instancing": {"attributes": told}}
        return roots

    def _instances(self, array: NDArray[Any]) -> int:
        """Add a number of each instance; return its name."""
        accessor = self.gltf.Accessor(
            bufferView=self._view(array, None),
            componentType=FLOAT,
            type=f"VEC{array.shape[1]}",
            count=len(array),
        )
        return self._described(accessor)

    def _things(self) -> Any:
        """Return the material of what stands on the land: matt, coloured at its vertices."""
        g = self.gltf
        matt = g.PbrMetallicRoughness(metallicFactor=0.0, roughnessFactor=ROUGHNESS)
        return g.Material(name="things", pbrMetallicRoughness=matt)

    def _ground(self) -> Any:
        """Return a matt material."""
        g = self.gltf
        matt = g.PbrMetallicRoughness(metallicFactor=0.0, roughnessFactor=ROUGHNESS)
        if self.picture is not None:
            matt.baseColorTexture = g.TextureInfo(index=0)
        return g.Material(name="ground", pbrMetallicRoughness=matt)


def _padded(array: NDArray[Any]) -> int:
    """Return the bytes of an array, rounded up to whole fours."""
    return array.nbytes + -array.nbytes % 4


def _write_chunks(file: BinaryIO, text: str, arrays: list[NDArray[Any]]) -> None:
    """Write the GLB's header, its JSON (padded with spaces) and its buffer (with zeros)."""
    content = text.encode()
    content += b" " * (-len(content) % 4)
    size = sum(_padded(array) for array in arrays)
    total = 12 + 8 + len(content) + 8 + size
    if total >= 2**32:
        raise DowncutError(
            f"a GLB ends at 4 GB and this land needs {total / 1e9:.1f} GB: make a smaller one, "
            "or leave vertices out with max_error"
        )
    for number in (0x46546C67, 2, total, len(content), 0x4E4F534A):
        file.write(number.to_bytes(4, "little"))
    file.write(content)
    file.write(size.to_bytes(4, "little") + b"BIN\0")
    for array in arrays:
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        file.write(little.data)
        file.write(b"\0" * (-array.nbytes % 4))
