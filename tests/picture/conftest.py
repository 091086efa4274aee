"""Recordings to draw: a script is run here, under a recorder."""

import textwrap
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

import minipaddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.picture.model.graph import Cluster, Graph, Node
from minipaddle.tools.picture.model.mirror import mirror, mirror_or_forward
from minipaddle.tools.record import Recorder, Value
from minipaddle.tools.words.numbers import clean
from tests.support.drawn_scripts import DRAWN


@pytest.fixture
def record():
    """`record(source)` runs a script (it finds `paddle`) and returns its trace."""

    def run(source, name="script.py"):
        code = compile(textwrap.dedent(source), str(Path("/nowhere") / name), "exec")
        recorder = Recorder(name)
        with watching(recorder):
            exec(code, {"paddle": minipaddle.paddle, "__name__": "__main__"})
        return recorder.trace

    return run


@pytest.fixture
def draw(record):
    """`draw(source)` returns the graph of the last pass of a script."""
    return lambda source, **options: mirror(record(source, **options))


CHAIN = """
x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
y = x
for _ in range({length}):
    y = paddle.tanh(y)
y.sum().backward()
"""

PYLAYER = """
class Scaled(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return paddle.exp(x) * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensor()
        return dy * paddle.exp(x) * w, dy * paddle.exp(x)

a = paddle.to_tensor([0.1, 0.2], stop_gradient=False)
b = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
s = Scaled.apply(a, b)
loss = s.sum()
loss.backward()
"""

NUMPY_LAYER = """
import numpy as np

class NumpyExp(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.to_tensor(np.exp(x.numpy()))
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        return paddle.to_tensor(dy.numpy() * y.numpy())

x = paddle.to_tensor([0.1, 0.2], stop_gradient=False)
out = NumpyExp.apply(x)
out.sum().backward()
"""

SHARED = """
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = x * x
z = y + paddle.sin(x)
loss = (z * x).sum()
loss.backward()
"""

HOOK = """
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
y = x * 3
y.register_hook(lambda grad: grad * 2)
y.sum().backward()
"""

SPLIT = """
x = paddle.to_tensor([[1.0, 2.0, 3.0, 4.0]], stop_gradient=False)
left, right = paddle.split(x, 2, axis=1)
loss = (left * right).sum()
loss.backward()
"""

DOUBLE = (
    (Path(__file__).parent / "scripts" / "double_backward.py")
    .read_text(encoding="utf-8")
    .replace("import paddle\n", "")
)

SCRIPTS = {
    "chain": CHAIN.format(length=30),
    "pylayer": PYLAYER,
    "numpy": NUMPY_LAYER,
    "shared": SHARED,
    "hook": HOOK,
    "split": SPLIT,
    "double": DOUBLE,
}


@pytest.fixture(params=sorted(SCRIPTS))
def any_graph(request, draw):
    """The graph of each of the scripts above, in turn."""
    return draw(SCRIPTS[request.param])


@pytest.fixture
def scripts():
    """The sources of the scripts above, by name."""
    return SCRIPTS


@pytest.fixture
def chain(draw):
    """`chain(300)` draws a chain of 300 operators."""
    return lambda length: draw(CHAIN.format(length=length))


BLOCKS = """
class Block(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    def forward(self, x):
        return x + paddle.tanh(self.fc(x))

class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = paddle.nn.LayerList([Block() for _ in range(4)])
        self.last = paddle.nn.Linear(2, 1)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.last(x)

net = Net()
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
loss = net(paddle.ones([3, 2])).sum()
loss.backward()
optimizer.step()
"""


@pytest.fixture
def net(draw):
    """The graph of a net of four blocks, with its optimizer."""
    return draw(BLOCKS)


HOSTILE = {
    "quotes": "\"a\" and 'b'",
    "backslashes": "C:\\new\\",
    "html": "<b>bold</b>",
    "xml": "a & b ]]> <!-- c",
    "dot escapes": "\\N \\G \\l {a|b}",
    "rtl": "שלום\u202eabc",
    "emoji": "🐼🚣",
    "chinese": "梯度",
    "newline": "a\nb\r\nc",
    "control": "a\x00b\x1b[31mc\x07",
    "surrogate": "a\udc80b",
    "long": "x" * 10_000,
    "empty": "",
}


def graph_of(text):
    """Return a graph whose every text is `text`, as it comes out of the mirror."""
    name = clean(text)
    value = Value(0, text, "result", (1,), "float32", False, np.ones(1, np.float32))
    graph = Graph(name, "1 op")
    graph.clusters["c1"] = Cluster("c1", name, "forward")
    graph.add(Node("f0", "op", name, (value,), cluster="c1", where=name, state=name))
    graph.add(Node("g1", "grad", name, (value, value), "backward", twin="f0"))
    graph.join("f0", "g1", "saved", name)
    return graph


@pytest.fixture
def with_texts():
    """`with_texts("<b>")` is a graph whose every text is that."""
    return graph_of


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE.keys())
def hostile(request):
    """Graphs whose every text is hostile, one after the other."""
    return graph_of(request.param)


@pytest.fixture(scope="session")
def recordings(run_cli, tmp_path_factory):
    """`recordings(name)`: the recording of a script, which runs once."""
    known = {}
    write = "minipaddle.tools.cli.commands.trace.write_recording"

    def recorded(path):
        if path not in known:
            with patch(write, lambda trace, *_: known.setdefault(path, trace)):
                run_cli("trace", path, cwd=tmp_path_factory.getbasetemp())
        return known[path]

    return recorded


@pytest.fixture(params=DRAWN, ids=lambda path: path.stem)
def trace(request, recordings):
    return recordings(request.param)


@pytest.fixture
def graph(trace):
    return mirror_or_forward(trace)
