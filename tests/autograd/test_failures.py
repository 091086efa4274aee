"""A failure leaves all state as it was, and names its place and reason."""

import gc
import re
import weakref

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.walk.walk import node_of

LIFE = {  # a fault in user code that backward runs: how it is built in
    "leaf hook": lambda fault, x, y, layer: y.register_hook(fault) and x * y,
    "interior hook": lambda fault, x, y, layer: hooked(x * y, fault) * 2,
    "root hook": lambda fault, x, y, layer: hooked(x * y, fault),
    "PyLayer": lambda fault, x, y, layer: x * layer(lambda c, t: t * 1, lambda c, g: fault(g)).apply(y),
}


def hooked(h, hook):
    h.register_hook(hook)
    return h


@pytest.mark.parametrize("place", LIFE)
@pytest.mark.parametrize("recording", [True, False])
def test_a_failed_backward_changes_nothing(leaf, layer, place, recording):
    broken = [True]

    def fault(g):
        paddle.set_grad_enabled(not recording)
        if broken:
            raise KeyError("lost")
        return g

    x, y, other = leaf([2.0]), leaf([3.0]), leaf([5.0])
    x.grad = paddle.to_tensor([100.0])
    interior = other * 1
    interior.retain_grads()
    root = LIFE[place](fault, x, y, layer).tanh() + interior.exp()
    with paddle.set_grad_enabled(recording):
        with pytest.raises(OSError, match=r"KeyError.*lost") as caught:
            root.backward()
        assert paddle.is_grad_enabled() is recording
    assert isinstance(caught.value.__cause__, KeyError)
    assert (x.grad.item(), y.grad, other.grad) == (100, None, None)
    broken.clear()
    root.backward()
    np.testing.assert_allclose(other.grad.item(), np.exp(5), rtol=1e-5)
    assert x.grad.item() >= 100
    assert y.grad is not None


def test_a_failed_backward_leaves_retained_gradients(leaf):
    x = leaf([1.0])
    h = x * 2
    h.retain_grads()
    (h * 3).backward(retain_graph=True)
    handle = x.register_hook(lambda g: {}["lost"])
    with pytest.raises(OSError, match="KeyError"):
        (h * 5).backward()
    assert (h.grad.item(), x.grad.item()) == (3, 6)
    handle.remove()
    (h * 5).backward()
    assert (h.grad.item(), x.grad.item()) == (5, 16)


@pytest.mark.parametrize("error", [KeyError("lost"), RuntimeError("several\nlines"), ValueError()])
def test_the_traceback_shows_the_users_line(leaf, layer, error):
    def backward(ctx, g):
        raise error

    with pytest.raises(OSError, match=type(error).__name__) as caught:
        layer(lambda ctx, x: x * 1, backward, "Mine").apply(leaf([1.0])).backward()
    text = str(caught.value)
    assert "Mine.backward" in text
    assert "raise error" in text
    assert f'{__file__}", line' in text
    assert caught.value.__cause__ is error


def test_a_hook_that_returns_no_tensor(leaf):
    x = leaf([1.0])
    x.register_hook(lambda g: 3.0)
    with pytest.raises((TypeError, OSError), match=r"hook.*float"):
        (x * 2).backward()
    assert x.grad is None


def test_control_c_is_not_swallowed(leaf, layer):
    def backward(ctx, g):
        raise KeyboardInterrupt

    root = layer(lambda ctx, x: x * 1, backward).apply(leaf([1.0])) * 2
    with pytest.raises(KeyboardInterrupt):
        root.backward()
    assert paddle.is_grad_enabled()


REFUSALS = {  # call, error, operator, key words; each message also names this file and gives a hint
    "not a Tensor": (lambda x, f: paddle.tanh([1.0]), ValueError, "tanh", "must be Tensor, but got list"),
    "not a Tensor, second": (lambda x, f: paddle.matmul(x, 3.0), ValueError, "matmul", "'y'.*float"),
    "in place on a leaf": (
        lambda x, f: x.add_(f),
        ValueError,
        "elementwise_add",
        "Leaf Var .* can't use inplace strategy",
    ),
    "setitem on a leaf": (lambda x, f: x.__setitem__(0, 1.0), ValueError, "set_value", "inplace strategy"),
    "output too large": (
        lambda x, f: f.add_(paddle.ones([2, 3])),
        ValueError,
        "elementwise_add",
        r"shape of broadcast output \[2, 3\].*\[3\]",
    ),
    "shapes": (
        lambda x, f: x + paddle.ones([4]),
        ValueError,
        "elementwise_add",
        r"Broadcast dimension mismatch.*\[3\].*\[4\]",
    ),
    "unused input": (
        lambda x, f: paddle.grad(x * 2, f),
        ValueError,
        "paddle.grad",
        "0-th input.*allow_unused",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_errors_name_operator_line_and_a_way_out(leaf, name):
    call, kind, operator, words = REFUSALS[name]
    x, f = leaf([1.0, 2.0, 3.0]), paddle.ones([3])
    with pytest.raises(kind) as caught:
        call(x, f)
    text = str(caught.value)
    assert re.search(words, text, re.DOTALL)
    assert f"[operator < {operator}" in text
    assert f'{__file__}", line' in text
    assert "[Hint: " in text
    assert (x.tolist(), f.tolist()) == ([1, 2, 3], [1, 1, 1])
    assert (x.inplace_version, f.inplace_version) == (0, 0)


def test_a_stale_value_names_both_versions_and_gradients_stay(leaf):
    x, other = leaf([1.0]), leaf([1.0])
    h = x * 1
    y = h * h + other
    h.add_(paddle.ones([1]))
    h.scale_(2.0)
    with pytest.raises(RuntimeError, match="version is 2 but the expected version is 0"):
        y.backward()
    assert (x.grad, other.grad) == (None, None)


def test_a_freed_graph_keeps_the_first_gradients(leaf):
    x = leaf([2.0])
    y = x * x
    y.backward()
    with pytest.raises(
        SystemError, match=r"TensorWrappers of MultiplyGradNode do not exist.*retain_graph=True"
    ):
        y.backward()
    with pytest.raises(SystemError, match="retain_graph=True"):
        paddle.grad(y, x)
    assert x.grad.item() == 4


@pytest.fixture
def without_collector():
    """Disable garbage collection: objects in a reference cycle stay."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_a_failed_operator_lets_go_of_its_inputs(without_collector):
    x = paddle.ones([4, 3])
    kept = weakref.ref(x.array)
    with pytest.raises(ValueError, match="broadcast"):
        x + paddle.ones([2, 3])
    del x
    assert kept() is None


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("end", ["freed", "mended", "grad", "no backward", "retained", "create_graph"])
def test_a_layer_that_saved_its_output_is_freed(without_collector, leaf, layer, end, several):
    """At once by a pass that frees the graph; else node, context and output are a cycle, for the collector."""
    broken = [end == "mended"]

    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(x, y)
        return (y, x * 1) if several else y

    def backward(ctx, dy, *others):
        if broken[0]:
            raise KeyError("lost")
        _, y = ctx.saved_tensor()
        return dy * (1 - y * y)

    x = leaf([0.5])
    t = np.tanh(0.5)
    out = layer(forward, backward).apply(x)
    y = out[0] if several else out
    node, array = weakref.ref(node_of(y.edge)), weakref.ref(y.array)
    z = y * 2
    del y, out
    if end == "mended":
        with pytest.raises(OSError, match="lost"):
            z.backward()
        broken[0] = False
    if end in ("freed", "mended"):
        z.backward()
    elif end == "grad":
        paddle.grad(z, x)
    elif end == "retained":
        z.backward(retain_graph=True)
        z.backward(retain_graph=True)
        np.testing.assert_allclose(x.grad.item(), 4 * (1 - t**2), rtol=1e-5)
    elif end == "create_graph":
        (first,) = paddle.grad(z, x, create_graph=True)
        (second,) = paddle.grad(first, x)
        np.testing.assert_allclose(second.item(), -4 * t * (1 - t * t), rtol=1e-5)
        del first, second
    del z
    if end not in ("freed", "mended"):
        gc.collect()
    assert (node(), array()) == (None, None)


def test_training_with_a_layer_that_saves_its_output_needs_no_collector(without_collector, leaf, layer):
    living = []

    def forward(ctx, x):
        y = x.tanh()
        living.append(weakref.ref(ctx))
        ctx.save_for_backward(y)
        return y

    tanh = layer(forward, lambda ctx, dy: dy * (1 - ctx.saved_tensor()[0].square()))
    x = leaf([0.5, 0.0])
    for _ in range(5):
        tanh.apply(tanh.apply(x)).sum().backward()
    assert [one() for one in living] == [None] * 10


def test_a_layer_gets_the_very_output_that_it_saved(leaf, layer):
    seen = []

    def forward(ctx, x):
        y = x.tanh()
        ctx.save_for_backward(y)
        return y

    y = layer(forward, lambda ctx, dy: seen.append(ctx.saved_tensor()[0]) or dy).apply(leaf([0.5]))
    y.backward()
    assert seen[0] is y
