"""The scripts whose pictures are tested: those of the layout, those of the golden files, and the gallery's."""

from pathlib import Path

from minipaddle.tools.picture.model.mirror import mirror_or_forward

HERE = Path(__file__).parents[1] / "picture"
GALLERY = HERE.parents[1] / "docs" / "gallery"
DRAWN = sorted(
    path for folder in (HERE / "layout", HERE / "scripts", GALLERY) for path in folder.glob("*.py")
)

TWO_SUMS = """
class Two(paddle.nn.Layer):
    def forward(self, x):
        return x * 2, x * 3

class Both(paddle.nn.Layer):
    def forward(self, a, b):
        return a * a + b * b

two, both = Two(), Both()
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
a, b = two(x)
both(a, b).sum().backward()
"""


def of_layout(recordings, name):
    """Return the recording of a script of the layout, and its graph."""
    (path,) = (path for path in DRAWN if path.stem == name)
    return recordings(path), mirror_or_forward(recordings(path))


def titled(graph, title):
    """Return the nodes with a title."""
    return [node for node in graph.nodes.values() if node.title == title]
