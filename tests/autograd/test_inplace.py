"""Section 7: in-place operations, beyond the recorded cases."""

import numpy as np
import pytest

from minipaddle import paddle

METHODS = {
    "add_": [paddle.ones([2])],
    "subtract_": [paddle.ones([2])],
    "multiply_": [paddle.ones([2])],
    "divide_": [paddle.ones([2])],
    "scale_": [2.0],
    "clip_": [0.0, 5.0],
    "exp_": [],
    "sqrt_": [],
    "tanh_": [],
    "abs_": [],
    "zero_": [],
    "fill_": [3.0],
    "reshape_": [[-1]],
    "unsqueeze_": [0],
    "squeeze_": [],
    "flatten_": [],
    "floor_": [],
    "sin_": [],
}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_counts_and_returns_self(leaf, name):
    t = paddle.to_tensor([4.0, 9.0])
    alias = t.detach()
    for count in (1, 2):
        assert getattr(t, name)(*METHODS[name]) is t
        assert (t.inplace_version, alias.inplace_version) == (count, count)
    assert t.numpy().reshape(-1).tolist() == alias.tolist()
    x = leaf([4.0, 9.0])
    with pytest.raises(ValueError, match="inplace strategy"):
        getattr(x, name)(*METHODS[name])
    assert (x.tolist(), x.shape, x.inplace_version) == ([4, 9], [2], 0)
    with paddle.no_grad():
        getattr(x, name)(*METHODS[name])
    assert (x.inplace_version, x.is_leaf, x.stop_gradient) == (1, True, False)


def test_a_chain_of_writes_is_differentiated(leaf):
    x, w = leaf([0.5, 2.0], "float64"), leaf([3.0], "float64")
    h = x * 1
    nodes = []
    for write in (
        lambda: h.add_(w),
        lambda: h.multiply_(w),
        lambda: h.scale_(2.0, bias=1.0),
        lambda: h.subtract_(w),
    ):
        write()
        nodes.append(h.grad_fn.name())
    h.sum().backward()  # 2 * (x + w) * w + 1 - w
    assert nodes == ["AddGradNode", "MultiplyGradNode", "ScaleGradNode", "SubtractGradNode"]
    assert x.grad.tolist() == [6, 6]
    assert w.grad.tolist() == [2 * (0.5 + 6) - 1 + 2 * (2 + 6) - 1]


def test_a_value_that_was_kept_must_not_be_written_over(leaf):
    """tanh_ saves its output, which the next write destroys."""
    x = leaf([0.5])
    h = (x * 1).tanh_()
    h.scale_(2.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        h.backward()


def test_an_operand_may_be_broadcast_into_the_target(leaf):
    x, row = leaf(np.ones((2, 3), "float32")), leaf([1.0, 2.0, 3.0])
    h = x * 1
    h.multiply_(row)
    h.sum().backward()
    assert row.grad.tolist() == [2, 2, 2]
    assert x.grad.tolist() == [[1, 2, 3]] * 2


def test_a_frozen_target_becomes_part_of_the_graph(leaf):
    w = leaf([3.0, 4.0])
    for write in (lambda t: t.multiply_(w), lambda t: t.__setitem__(slice(None), w * 2)):
        t = paddle.ones([2])
        write(t)
        assert (t.stop_gradient, t.is_leaf) == (False, False)
        t.sum().backward()
    assert w.grad.tolist() == [3, 3]
    silent = paddle.ones([2])
    with paddle.no_grad():
        silent.add_(w)
    assert silent.stop_gradient


@pytest.mark.parametrize(
    "write", [lambda t: t.set_value(np.zeros(1, "float32")), lambda t: None], ids=["set", "none"]
)
def test_content_may_change_without_a_version(leaf, write):
    x, w = leaf([2.0]), leaf([3.0])
    y = x * w
    write(w)
    y.backward()
    assert (w.inplace_version, w.grad.item()) == (0, 2)
    assert x.grad.item() == w.item()


def test_optimizers_change_no_version(leaf):
    for name in ("SGD", "Momentum", "Adam", "AdamW"):
        x = leaf([1.0])
        opt = getattr(paddle.optimizer, name)(learning_rate=0.5, parameters=[x])
        (x * 2).backward()
        opt.step()
        assert (x.item() != 1, x.inplace_version, x.is_leaf, x.stop_gradient) == (True, 0, True, False)


STALE = {  # a value is used, then its memory is written: by itself, by a view, under no_grad, as an output
    "itself": lambda h, y: h.add_(paddle.ones([2])),
    "view": lambda h, y: h[0:1].zero_(),
    "detached": lambda h, y: h.detach().zero_(),
    "item": lambda h, y: h.__setitem__(0, 3.0),
    "reshaped": lambda h, y: h.reshape_([2, 1]),
}


@pytest.mark.parametrize("name", STALE)
def test_what_was_kept_must_not_change(leaf, name):
    x = leaf([1.0, 2.0])
    h = x * 1
    y = (h * h).sum()
    STALE[name](h, y)
    with pytest.raises(RuntimeError, match="version is 1 but the expected version is 0"):
        y.backward()
    assert x.grad is None
    other = leaf([1.0, 2.0])
    h = other * 1
    unaffected = (h + 1).sum() + h.sum()
    STALE[name](h, y)
    unaffected.backward()
    assert other.grad.tolist() == [2, 2]


def test_new_shape_over_the_same_memory(leaf):
    x = leaf([1.0, 2.0])
    h = x * 1
    alias = h.detach()
    h.scale_(3.0)
    h.reshape_([2, 1])
    assert (h.inplace_version, alias.inplace_version) == (2, 2)
    alias.fill_(7)
    assert h.tolist() == [[7], [7]]
    h.sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_written_before_it_is_kept_is_fine(leaf):
    x = leaf([1.0, 2.0])
    h = x * 1
    h.add_(paddle.ones([2]))
    y = (h * h).sum()
    y.backward()
    assert x.grad.tolist() == [4, 6]


def test_augmented_assignment_binds_anew(leaf):
    x = leaf([1.0])
    before = x
    x += 1
    x *= 3
    x -= 1
    x /= 5
    assert (before.item(), before.inplace_version, x is before) == (1, 0, False)
    x.backward()
    np.testing.assert_allclose(before.grad.numpy(), [0.6], rtol=1e-6)


def test_assign_to_an_output():
    target = paddle.zeros([2])
    assert paddle.assign(paddle.ones([2]), target) is target
    assert (target.tolist(), target.inplace_version) == ([1, 1], 1)
