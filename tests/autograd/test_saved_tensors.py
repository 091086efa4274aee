"""saved_tensors_hooks: which tensors are packed, when, and that backward uses the results of unpack."""

import pytest

from minipaddle import paddle

hooks = paddle.autograd.saved_tensors_hooks
MATRIX = [[0.5, 0.25], [0.75, 1.0]]


def times(k):
    return lambda t: t * k


BUILT_IN = {  # operators; the gradient of x is linear in the packed tensors, unless there are none
    "multiply": (lambda x: x * x, 2),
    "one frozen": (lambda x: x * paddle.ones([2, 2]), 1),
    "matmul": (lambda x: x @ x, 2),
    "exp": (lambda x: x.exp(), 1),
    "add": (lambda x: x + x, 0),
    "concat of products": (lambda x: paddle.concat([x * x, paddle.ones([2, 2])]), 2),
    "split": (lambda x: paddle.add_n(paddle.split(x, 2)), 0),
    "list input": (lambda x: paddle.stack([x, x]) * paddle.ones([2, 2, 2]), 1),
    "product of the halves": (lambda x: (lambda a, b: a * b)(*paddle.split(x, 2)), 2),
    "in place": (lambda x: (x * 1).multiply_(paddle.ones([2, 2])), 1),
}


@pytest.mark.parametrize("name", BUILT_IN)
def test_backward_uses_what_unpack_returns(leaf, name):
    fn, packed = BUILT_IN[name]
    plain, x, seen = leaf(MATRIX), leaf(MATRIX), []
    fn(plain).sum().backward()
    with hooks(lambda t: seen.append(t) or t.numpy(), lambda array: paddle.to_tensor(array) * 10):
        y = fn(x)
    y.sum().backward()
    assert len(seen) == packed
    assert all(isinstance(t, paddle.Tensor) for t in seen)
    assert x.grad.tolist() == (plain.grad * (10 if packed else 1)).tolist()


def test_several_outputs(leaf):
    x, seen = leaf([3.0, 1.0, 2.0]), []
    with hooks(lambda t: seen.append(t) or t, lambda t: t):
        values, _ = x.topk(2)
        top = x.max()
    (values.sum() + top).backward()
    assert seen
    assert x.grad.tolist() == [2, 0, 1]


def test_what_is_not_recorded_is_not_packed(leaf):
    seen = []
    with hooks(seen.append, lambda t: t):
        with paddle.no_grad():
            leaf([1.0]) * leaf([1.0])
        paddle.ones([1]) * paddle.ones([1])
    assert seen == []


def test_py_layer_packs_what_it_saves(leaf, layer):
    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        return x * 1

    packed, seen = [], []
    custom = layer(forward, lambda ctx, g: seen.append(ctx.saved_tensor()) or g * seen[-1][0])
    x = leaf([2.0])
    with hooks(lambda t: packed.append(t) or t, lambda t: None if t is None else t * 10):
        y = custom.apply(x)
    y.backward()
    assert packed[0] is x
    assert packed[1] is None
    assert seen[0][1] is None
    assert x.grad.item() == 20


def test_py_layer_saves_only_tensors_there(leaf, layer):
    custom = layer(lambda ctx, x: ctx.save_for_backward(3) or x * 1, lambda ctx, g: g)
    with hooks(times(1), times(1)), pytest.raises(ValueError, match="Tensor"):
        custom.apply(leaf([1.0]))


def test_higher_order(leaf):
    x = leaf([2.0])
    with hooks(lambda t: t.numpy(), paddle.to_tensor):
        y = x * x * x
        (first,) = paddle.grad(y, x, create_graph=True)
    assert first.item() == 12 or first.stop_gradient


def test_they_do_not_nest_and_end_with_the_block(leaf):
    seen = []
    with hooks(lambda t: seen.append(t) or t, times(1)):
        with pytest.raises(ValueError, match="only one pair of hooks"), hooks(times(1), times(1)):
            pass
        with paddle.no_grad(), paddle.enable_grad():
            leaf([1.0]).exp()
    assert len(seen) == 1
    leaf([1.0]).exp()
    with pytest.raises(KeyError), hooks(times(1), times(1)):
        raise KeyError
    leaf([1.0]).exp()
    with hooks(times(1), times(1)):
        pass
    assert len(seen) == 1


def test_errors_in_the_hooks(leaf):
    def lost(_):
        raise KeyError("lost")

    x = leaf([1.0])
    with pytest.raises(KeyError, match="lost"), hooks(lost, times(1)):
        _ = x * x
    assert paddle.is_grad_enabled()
    with hooks(times(1), lost):
        y = x * x
    with pytest.raises(KeyError, match="lost"):
        y.backward()
    assert x.grad is None


@pytest.mark.parametrize("wrong", [3, None, "text"])
def test_unpack_must_return_a_tensor(leaf, wrong):
    x = leaf([1.0])
    with hooks(times(1), lambda t: wrong):
        y = x * x
    with pytest.raises(ValueError, match="Tensor"):
        y.backward()
