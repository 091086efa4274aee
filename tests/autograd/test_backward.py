"""Sections 3 and 4: backward and paddle.grad, beyond the recorded cases."""

import numpy as np
import pytest

from minipaddle import paddle


def items(tensors):
    return [None if tensor is None else tensor.item() for tensor in tensors]


def test_the_seed_is_ones_for_any_shape(leaf):
    for shape in ([], [1], [2, 3], [0]):
        x = leaf(np.ones(shape, "float32"))
        (x * 2).backward()
        assert x.grad.shape == shape
        assert (x.grad.numpy() == 2).all()


def test_a_frozen_root_among_others(leaf):
    x = leaf([1.0])
    paddle.autograd.backward([x * 2, paddle.ones([1]), x], [None, None, paddle.to_tensor([5.0])])
    assert x.grad.item() == 7


def test_two_roots_over_one_trunk(leaf):
    x = leaf([1.0])
    h = x * 2
    first, second = h * 3, h * 5
    first.backward(retain_graph=True)
    second.backward()
    assert x.grad.item() == 16
    with pytest.raises(SystemError, match="retain_graph=True"):
        first.backward()


def test_gradients_have_dtype_and_shape_of_their_tensor(leaf):
    half, single, scalar, row = leaf([1.0], "float16"), leaf([1.0, 2.0]), leaf(3.0), leaf([[1.0, 2.0]])
    (half.astype("float32") * single * scalar * row).sum().backward()
    for tensor in (half, single, scalar, row):
        assert (tensor.grad.dtype, tensor.grad.shape) == (tensor.dtype, tensor.shape)
        assert tensor.grad.is_leaf


def test_grad_of_an_interior_tensor_only_on_request(leaf):
    x = leaf([1.0])
    h = x * 2
    (h * 3).backward()
    assert h.grad is None


def test_a_dead_leaf_needs_no_gradient(leaf):
    x, gone = leaf([1.0]), leaf([2.0])
    y = x * gone
    del gone
    y.backward()
    assert x.grad.item() == 2


@pytest.mark.parametrize("create_graph", [True, False])
def test_grad_frees_nothing(leaf, create_graph):
    x = leaf([3.0])
    y = x * x
    for _ in range(2):
        assert items(paddle.grad(y, x, create_graph=create_graph)) == [6]
    y.backward()
    assert x.grad.item() == 6


def test_grad_touches_no_grad(leaf):
    x, w = leaf([2.0]), leaf([3.0])
    h = x * w
    h.retain_grads()
    w.grad = paddle.to_tensor([100.0])
    paddle.grad(h * 2, [x, h])
    assert items([x.grad, w.grad, h.grad]) == [None, 100, None]


def test_grad_does_not_run_what_lies_behind(leaf, layer):
    """A requested tensor ends the walk, also if user code made it, or if its graph was freed."""
    calls = []
    h = layer(lambda ctx, t: t * 1, lambda ctx, g: calls.append(g) or g).apply(leaf([1.0]))
    assert items(paddle.grad(h * 2, h)) == [2]
    assert calls == []
    x = leaf([3.0])
    square = x * x
    square.backward()
    assert items(paddle.grad(square * 2, square)) == [2]


def test_grad_runs_only_what_leads_there(leaf, layer):
    calls = []
    x, w = leaf([1.0]), leaf([1.0])
    away = layer(lambda ctx, t: t * 1, lambda ctx, g: calls.append(g) or g).apply(w)
    assert items(paddle.grad(x * 2 + away, x)) == [2]
    assert calls == []


def test_one_output_of_several(leaf):
    x = leaf([1.0, 2.0, 3.0, 4.0])
    first, second = paddle.split(x * 2, 2)
    loss = (first * second).sum()
    gradients = paddle.grad(loss, [second, first, x], retain_graph=True)
    assert [g.tolist() for g in gradients] == [[2, 4], [6, 8], [12, 16, 4, 8]]


def test_an_output_that_no_input_reaches(leaf):
    x = leaf([1.0])
    assert items(paddle.grad([x * 2, paddle.ones([1]), leaf([1.0]) * 3], x)) == [2]
    assert paddle.grad(paddle.ones([1]), x, allow_unused=True) == [None]
    with pytest.raises(ValueError, match="allow_unused"):
        paddle.grad(paddle.ones([1]), x)


@pytest.mark.parametrize("wrap", [list, tuple, set])
def test_no_grad_vars_block_one_call_only(leaf, wrap):
    x = leaf([3.0])
    h = x * x
    y = h * x
    assert items(paddle.grad(y, x, no_grad_vars=wrap([h]), retain_graph=True)) == [9]
    assert not h.stop_gradient
    assert items(paddle.grad(y, x)) == [27]


def test_no_grad_vars_may_be_a_leaf_or_an_output(leaf):
    x, w = leaf([3.0]), leaf([2.0])
    assert items(paddle.grad(x * w, [x, w], no_grad_vars=w, allow_unused=True)) == [2, None]
    a, b = paddle.split(leaf([1.0, 2.0]) * x, 2)
    assert items(paddle.grad(a + b, [x], no_grad_vars=[b])) == [1]
    y = x * x
    assert items(paddle.grad(y, [x], no_grad_vars=[y])) == [6]  # an output starts with its own gradient


def test_create_graph_sees_through_everything(leaf, layer):
    """x ** 3 by a user's layer: four derivatives through one loop."""

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    cube = layer(forward, lambda ctx, g: g * 3 * ctx.saved_tensor()[0] ** 2)
    x = leaf([2.0], "float64")
    y, found = cube.apply(x), []
    for _ in range(3):
        (y,) = paddle.grad(y, x, create_graph=True)
        found.append(y.item())
    assert found == [12, 12, 6]


def test_create_graph_through_the_incoming_gradient(leaf, layer):
    """The gradient of a gradient with respect to the seed: what Jacobian times vector needs."""
    x, v = leaf([2.0]), leaf([1.0])
    y = layer(lambda ctx, t: t * 5, lambda ctx, g: g * 5).apply(x)
    (first,) = paddle.grad(y, x, grad_outputs=v, create_graph=True)
    assert items(paddle.grad(first, v)) == [5]


def test_gradients_of_zero_size(leaf):
    x = leaf(np.zeros([0, 3], "float32"))
    (x * 2).sum().backward()
    assert x.grad.shape == [0, 3]
