"""Another leaf gives the run of the changed script, and Python's reads of the old one are reported."""

import runpy

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.what_if import Forks


class Two(paddle.autograd.PyLayer):
    """Two inputs and outputs, and one input that gets no gradient."""

    @staticmethod
    def forward(ctx, x, y, factor):
        ctx.save_for_backward(x, y)
        return x * y * factor, x + y

    @staticmethod
    def backward(ctx, dp, dq):
        _, y = ctx.saved_tensor()
        return dp * y * 3.0 + dq, None


def py_layer(x, y):
    p, q = Two.apply(x, y, 3.0)
    (p + q).sum().backward()


def twice(x, y):
    (g,) = paddle.grad((x**3).sum(), x, create_graph=True)
    (g * g).sum().backward()


def cut_off(x, y):
    h = x * 2
    z = h.detach()
    z.stop_gradient = False
    (z * h).sum().backward()


def in_place(x, y):
    h = x * y
    h.add_(paddle.to_tensor([1.0, 1.0]))
    h[0] = 5.0
    (h.sum() + (h * x).sum()).backward()


def hooks(x, y):
    h = x * y
    h.register_hook(lambda grad: grad * 2)
    x.register_hook(lambda grad: grad + 1)
    h.retain_grads()
    (h * h + x).sum().backward()


@pytest.mark.parametrize("script", [py_layer, twice, cut_off, in_place, hooks], ids=lambda one: one.__name__)
def test_another_leaf_gives_the_run_of_the_changed_script(record, script):
    def from_leaves(first):
        x, y = (paddle.to_tensor(one, stop_gradient=False) for one in (first, [1.0, 1.0]))
        script(x, y)

    session, other = Session(record(lambda: from_leaves([1.0, 1.0]))), [1.75, -0.25]
    fork = Forks(session).set("x", other)
    assert not fork.lost
    wanted = record(lambda: from_leaves(other)).values
    for value, changed in zip(fork.trace.values, wanted, strict=True):
        np.testing.assert_allclose(value.array, changed.array, 1e-6, 1e-6, err_msg=value.name)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('print("h is", h.numpy())', False),
        ('print(\n    f"{float(h.sum()):.3f}",\n)', False),
        ("bool((h > 0).all())", False),
        ('print("h is", kept.append(h.numpy()))', True),
        ("print(last := h.numpy())", True),
        ("kept = h.numpy(); print(1)", True),
        ("for number in h.tolist():\n    print(number)", True),
        ("h = h * h.sum().item()", True),
    ],
)
def test_what_python_has_read_is_told_unless_it_was_only_printed(record, tmp_path, line, told):
    (tmp_path / "reads.py").write_text(
        "from minipaddle import paddle\nkept = []\nw = paddle.to_tensor([1.0, 2.0], stop_gradient=False)\n"
        f"h = w * 3\n{line}\nloss = (h * h).sum()\nloss.backward()\n"
    )
    fork = Forks(Session(record(lambda: runpy.run_path(tmp_path / "reads.py")))).set("w", [5.0, 6.0])
    assert [one.startswith("what Python made of ") for one in fork.lost] == [True] * told
