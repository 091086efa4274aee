"""Errors of Paddle 3.3.1, corrected here: one test per row of section 12 of the measured semantics."""

import math

import numpy as np
import pytest

from minipaddle import paddle

F = paddle.nn.functional


def untouched(ctx, x):
    ctx.mark_not_inplace(x)
    return x


def times(k):
    return lambda ctx, g: g * k


def test_mark_not_inplace_gives_a_new_tensor(leaf, layer):
    custom = layer(untouched, lambda ctx, g: g.exp())
    x = leaf([[0.5]])
    h = x * 1
    before = h.edge
    y = custom.apply(h)
    assert y is not h
    assert (h.edge, h.inplace_version, h.stop_gradient) == (before, 0, False)
    assert y.grad_fn.name() == "GradNodePyLayer_Custom"
    assert y.tolist() == h.tolist()
    y.backward()
    np.testing.assert_allclose(x.grad.numpy(), [[math.e]], rtol=1e-6)


def test_mark_not_inplace_on_a_leaf(leaf, layer):
    x = leaf([1.0])
    y = layer(untouched, times(5)).apply(x)
    assert (x.is_leaf, x.grad_fn.name(), y.is_leaf) == (True, "GradNodeAccumulation", False)
    y.backward()
    assert x.grad.item() == 5


@pytest.mark.parametrize("kind", [list, tuple])
def test_mark_not_inplace_inside_lists(leaf, layer, kind):
    def forward(ctx, x, w):
        ctx.mark_not_inplace(x)
        return kind([x, w * 2])

    x, w = leaf([1.0]), leaf([1.0])
    a, b = out = layer(forward, lambda ctx, da, db: (da * 10, db * 2)).apply(x, w)
    assert type(out) is kind
    assert a is not x
    (a + b * 3).backward()
    assert (x.grad.item(), w.grad.item()) == (10, 6)


def test_second_backward_through_a_retained_layer(leaf, layer):
    x = leaf([1.0])
    y = layer(lambda ctx, t: t * 2, times(2)).apply(x) * 3
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 18


def test_two_heads_over_one_layer(leaf, layer):
    x = leaf([1.0])
    trunk = layer(lambda ctx, t: t * 2, times(2)).apply(x)
    head, other = trunk * 3, trunk * 5
    head.backward(retain_graph=True)
    other.backward()
    assert x.grad.item() == 16


def test_second_backward_of_a_freed_layer(leaf, layer):
    x = leaf([1.0])
    y = layer(lambda ctx, t: t * 2, times(2)).apply(x)
    y.backward()
    with pytest.raises(SystemError, match="retain_graph=True"):
        y.backward()
    assert x.grad.item() == 2


def test_backward_may_return_a_list(leaf, layer):
    x, y = leaf([2.0]), leaf([3.0])
    layer(lambda ctx, a, b: a * b, lambda ctx, g: [g * 10, g * 20]).apply(x, y).backward()
    layer(lambda ctx, a: a * 1, lambda ctx, g: [g]).apply(x).backward()
    assert (x.grad.item(), y.grad.item()) == (11, 20)


def test_a_list_answers_the_only_list_slot(leaf, layer):
    x, y = leaf([2.0]), leaf([3.0])
    layer(lambda ctx, ts: ts[0] * ts[1], lambda ctx, g: [g * 10, g * 20]).apply([x, y]).backward()
    assert (x.grad.item(), y.grad.item()) == (10, 20)


@pytest.mark.parametrize("frozen_first", [True, False])
def test_freezing_is_per_item_of_a_list(leaf, layer, frozen_first):
    x, f = leaf([2.0]), paddle.ones([1])
    items = [f, x] if frozen_first else [x, f]
    custom = layer(lambda ctx, ts: ts[0] * ts[1], lambda ctx, g: [None if t is f else g * 10 for t in items])
    out = custom.apply(items)
    assert not out.stop_gradient
    out.backward()
    assert (x.grad.item(), f.grad) == (10, None)


def test_a_frozen_list_answers_none(leaf, layer):
    x, f = leaf([2.0]), paddle.ones([1])
    forward = layer(lambda ctx, t, ts: t * 1, lambda ctx, g: (g * 3, None)).apply
    forward(x, [f, f]).backward()
    assert x.grad.item() == 3


def test_a_list_among_the_outputs(leaf, layer):
    seen = []

    def backward(ctx, pair, dc):
        seen.append(type(pair))
        return pair[0] * 100 + pair[1] * 10 + dc

    x = leaf([1.0])
    (a, b), c = layer(lambda ctx, t: ([t * 1, t * 1], t * 1), backward).apply(x)
    (a * 2 + b * 3 + c * 5).backward()
    assert seen == [list]
    assert x.grad.item() == 235


def test_none_reaching_a_built_in_operator(leaf, layer):
    nothing = layer(lambda ctx, t: t * 1, lambda ctx, g: None)
    x, y = leaf([1.0]), leaf([1.0])
    nothing.apply(x * 2).backward()
    (nothing.apply(y * 2 + 1) + y * 3).backward()
    assert x.grad is None or x.grad.item() == 0
    assert y.grad.item() == 3


@pytest.mark.parametrize("shape", [[2], [1], [], [3, 1], [1, 3]])
def test_a_gradient_of_the_wrong_shape(leaf, layer, shape):
    wrong = layer(lambda ctx, t: t * 1, lambda ctx, g: paddle.ones(shape))
    x = leaf([1.0, 2.0, 3.0])
    for root in (wrong.apply(x), wrong.apply(x * 2)):
        with pytest.raises(ValueError, match=r"shape .* at 0 position.*\[3\]"):
            root.sum().backward()
    assert x.grad is None


def test_accumulation_writes_to_its_own_memory(leaf, layer):
    constant = paddle.ones([1])
    custom = layer(lambda ctx, a, b: a * b, lambda ctx, g: (constant, constant))
    x, y = leaf([1.0]), leaf([1.0])
    custom.apply(x, y).backward()
    (x * 5).backward()
    assert (x.grad.item(), y.grad.item(), constant.item()) == (6, 1, 1)


def test_grad_for_one_of_several_inputs_of_a_layer(leaf, layer):
    x, y = leaf([2.0]), leaf([3.0])
    out = layer(lambda ctx, a, b: a * b, lambda ctx, g: (g * 10, g * 20)).apply(x, y)
    assert [g.item() for g in paddle.grad(out, [x], retain_graph=True)] == [10]
    assert [g.item() for g in paddle.grad(out, [y])] == [20]
    assert (x.grad, y.grad) == (None, None)


def test_an_output_among_the_inputs(leaf):
    x = leaf([3.0])
    y = x * x
    assert [g.item() for g in paddle.grad(y, [y, x], retain_graph=True)] == [1, 6]
    assert [g.item() for g in paddle.grad([y, y * 5], [y], retain_graph=True)] == [6]
    assert [g.item() for g in paddle.grad([y, y * 5], [x])] == [36]


@pytest.mark.parametrize("shape", [[2], [], [3, 1], [4]])
def test_seeds_of_the_wrong_shape(leaf, shape):
    x = leaf([1.0, 2.0, 3.0])
    seed = paddle.ones(shape)
    with pytest.raises(AssertionError, match="shape"):
        paddle.grad(x * 2, x, grad_outputs=seed)
    with pytest.raises(AssertionError, match="shape"):
        paddle.autograd.backward([x * 2], [seed])
    with pytest.raises(AssertionError, match="shape"):
        (x * 2).backward(seed)
    assert x.grad is None


@pytest.mark.parametrize("answer", [1.0, np.ones(1), "text", [None]], ids=str)
def test_a_hook_that_returns_no_tensor(leaf, answer):
    x = leaf([1.0])
    h = x * 2
    h.register_hook(lambda g: answer)
    with pytest.raises((TypeError, OSError), match="must return Tensor or None"):
        (h * 3).backward()
    assert x.grad is None


REFUSED = {
    "add_": lambda x: x.add_(x),
    "scale_": lambda x: x.scale_(2.0),
    "exp_": lambda x: x.exp_(),
    "clip_": lambda x: x.clip_(0, 1),
    "zero_": lambda x: x.zero_(),
    "fill_": lambda x: x.fill_(3.0),
    "reshape_": lambda x: x.reshape_([1, 2]),
    "setitem": lambda x: x.__setitem__(0, 9.0),
    "setitem with a mask": lambda x: x.__setitem__(x > 0, 9.0),
    "relu_": lambda x: F.relu_(x),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_write_has_not_happened(leaf, name):
    x = leaf([-1.0, 2.0])
    with pytest.raises(ValueError, match="inplace strategy"):
        REFUSED[name](x)
    assert (x.tolist(), x.shape, x.inplace_version) == ([-1, 2], [2], 0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([2.0, 3.0, 4.0], [12, 8, 6]), ([2.0, 0.0, 4.0], [0, 8, 0]), ([0.0, 0.0, 4.0], [0, 0, 0])],
)
def test_prod_with_zeros(leaf, values, expected):
    x = leaf(values)
    x.prod().backward()
    assert x.grad.tolist() == expected


@pytest.mark.parametrize("axis", [0, 1])
def test_prod_with_zeros_along_an_axis(leaf, axis):
    x = leaf([[2.0, 0.0], [3.0, 5.0]])
    x.prod(axis=axis).sum().backward()
    assert x.grad.tolist() == ([[3, 5], [2, 0]] if axis == 0 else [[0, 2], [5, 3]])


def test_layer_norm_with_a_frozen_weight(leaf):
    found = []
    for trainable in (True, False):
        x, bias = leaf([[0.5, -1.0, 2.0]]), leaf([0.1, 0.2, 0.3])
        weight = paddle.to_tensor([3.0, 0.5, -1.0], stop_gradient=not trainable)
        F.layer_norm(x, 3, weight, bias).square().sum().backward()
        found.append(x.grad.numpy())
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("wanted", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("training", [True, False])
def test_batch_norm_with_some_frozen(leaf, wanted, training):
    x = paddle.to_tensor(np.arange(12, dtype="float32").reshape(3, 4) ** 1.5)
    mean, variance = paddle.zeros([4]), paddle.ones([4])
    weight, bias = (paddle.full([4], k) for k in (2.0, 0.5))
    weight.stop_gradient, bias.stop_gradient = not wanted[0], not wanted[1]
    out = F.batch_norm(x, mean, variance, weight, bias, training=training)
    (out * x).sum().backward()
    norm = (out.detach() - 0.5) / 2
    for parameter, want, expected in ((weight, wanted[0], norm * x), (bias, wanted[1], x)):
        if want:
            np.testing.assert_allclose(parameter.grad.numpy(), expected.sum(axis=0).numpy(), rtol=1e-4)
        else:
            assert parameter.grad is None


@pytest.mark.parametrize(
    ("left", "right"),
    [([2, 1, 3, 2], [3, 2, 2]), ([3, 2, 2], [2, 1, 2, 3]), ([2], [5, 2, 3]), ([4, 3, 2], [2])],
)
def test_matmul_of_different_batch_ranks(leaf, left, right):
    x, y = leaf(np.random.RandomState(1).rand(*left)), leaf(np.random.RandomState(2).rand(*right))
    (x @ y).sum().backward()
    assert (x.grad.shape, y.grad.shape) == (left, right)
    step = 1e-6
    for t in (x, y):
        moved = t.numpy()
        moved.flat[0] += step
        after = np.matmul(moved, y.numpy()) if t is x else np.matmul(x.numpy(), moved)
        slope = (after.sum() - np.matmul(x.numpy(), y.numpy()).sum()) / step
        np.testing.assert_allclose(t.grad.numpy().flat[0], slope, rtol=1e-5)
