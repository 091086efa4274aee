"""Names of values: a variable names what is bound to it, and nothing that was computed on the way there."""

import pytest

from minipaddle import paddle
from minipaddle.tools.record.labels import without_number
from minipaddle.tools.words.group_by import grouped
from tests.support.recordings import recorded

SETUP = """
x = paddle.to_tensor([[0.5, 2.0]], stop_gradient=False)
net = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.ReLU(), paddle.nn.Linear(2, 2))
"""


def ran(tmp_path, text):
    """Run a script after its beginning; return the recording."""
    script = tmp_path / "script.py"
    script.write_text(SETUP + text)
    code = compile(script.read_text(), str(script), "exec")
    return recorded(lambda: exec(code, {"paddle": paddle}))


def bound(tmp_path, text):
    """Run a script; return, for each name of a variable, the operators whose results bear it, in order."""
    trace = ran(tmp_path, text)
    results = [value for value in trace.values if value.kind == "result"]
    return grouped((without_number(one.name), trace.maker(one).title) for one in results)


@pytest.mark.parametrize(
    ("text", "name", "operators"),
    [
        ("out = net(x)\nout.sum()", "out", ["add"]),
        ("for _ in range(3):\n    out = net(x)\nout.sum()", "out", ["add"] * 3),
        ("att = paddle.nn.MultiHeadAttention(2, 1)(x.unsqueeze(0))\natt.sum()", "att", ["add"]),
        ("total = sum(p.abs().sum() for p in net.parameters())\ntotal.backward()", "total", ["add"]),
        ("h = x\nfor _ in range(3):\n    h = paddle.tanh(h)\nh.sum()", "h", ["tanh"] * 3),
        ("z = paddle.nn.LayerNorm(2)(x)\nz.sum()", "z", ["layer_norm"]),
        ("best = paddle.topk(x, 1)\nbest[0].sum()", "best", []),
        ("def twice(t):\n    return t * 2\nout = twice(net(x)) + twice(net[0](x))\nout.sum()", "t", []),
        ("def f(t):\n    t = t * 2\n    return t + 1\nz = f(net(x))\nz.sum()", "t", ["scale"]),
        ("def f(t):\n    t = t * 2\n    return t + 1\nz = f(net(x))\nz.sum()", "z", ["scale"]),
        (
            "class Block(paddle.nn.Layer):\n    def forward(self, a):\n        return paddle.tanh(a) + a\n"
            "y = x\nfor block in [Block(), Block(), Block()]:\n    y = block(y)\ny.sum()",
            "y",
            ["add"] * 3,
        ),
    ],
)  # fmt: skip
def test_only_what_is_bound_bears_the_name(tmp_path, text, name, operators):
    assert bound(tmp_path, text).get(name, []) == operators


def test_the_first_of_two_variables_names_a_leaf(tmp_path):
    trace = ran(tmp_path, "other = x\n(x * 2).sum()")
    assert [value.name for value in trace.values if value.kind == "leaf"] == ["x"]


def test_a_pylayer_may_name_what_it_is_applied_to(tmp_path):
    text = (
        "class Cube(paddle.autograd.PyLayer):\n    @staticmethod\n    def forward(ctx, inner):\n"
        "        return inner**3\ny = Cube.apply(x * 2)\ny.sum()"
    )
    assert bound(tmp_path, text)["inner"] == ["scale"]


def test_a_pylayer_does_not_name_it_after_another_tensor_of_the_script(tmp_path):
    text = (
        "class Cube(paddle.autograd.PyLayer):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        return x ** 3\nout = Cube.apply(paddle.exp(x))\nout.sum()"
    )
    trace = ran(tmp_path, text)
    (made,) = (
        value for value in trace.values if value.kind == "result" and trace.maker(value).title == "exp"
    )
    assert made.name.startswith("exp_")
    assert [value.name for value in trace.values if value.kind == "leaf"] == ["x"]


def test_the_results_of_one_pylayer_call_have_different_names(tmp_path):
    text = (
        "class Two(paddle.autograd.PyLayer):\n    @staticmethod\n    def forward(ctx, inner):\n"
        "        return inner * 2, inner * 3\nboth = Two.apply(x)\nboth[0].sum()"
    )
    trace = ran(tmp_path, text)
    (call,) = (event for event in trace.events if event.title == "Two" and event.kind == "op")
    names = [value.name for value in trace.known(call.outputs)]
    assert names == [f"Two_{call.index}_0", f"Two_{call.index}_1"]


def test_a_file_that_was_changed_since_the_last_recording_is_read_anew(tmp_path):
    """As in a notebook, between two recordings of a script that is being written."""
    assert bound(tmp_path, "first = x * 2\n")["first"] == ["scale"]
    assert bound(tmp_path, "\n\nsecond = x * 2\n")["second"] == ["scale"]


@pytest.mark.parametrize("name", ["x", "x.grad"])
def test_a_tensor_whose_name_ends_like_that_of_a_gradient_is_none(tmp_path, name):
    text = f"held = [paddle.to_tensor([1.0])]\nheld[0].name = {name!r}\nheld[0].exp_()\nheld[0].tanh_()\n"
    assert bound(tmp_path, text) == {name: ["exp", "tanh"]}


def test_what_is_written_over_a_gradient_goes_by_its_name(tmp_path):
    text = "x.sum().backward()\nwith paddle.no_grad():\n    x.grad.exp_()\n    x.grad.tanh_()\n"
    assert bound(tmp_path, text)["x.grad"] == ["exp", "tanh"]
