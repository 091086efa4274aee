"""Gradients are passed on without a copy; writing to one (no_grad) changes no other tensor."""

import numpy as np
import pytest

from minipaddle import paddle


def test_two_leaves_given_the_same_tensor(leaf, layer):
    same = layer(lambda ctx, x, y: x + y, lambda ctx, g: (g, g))
    x, y = leaf([1.0]), leaf([1.0])
    same.apply(x, y).backward()
    (x * 3).backward()
    assert (x.grad.item(), y.grad.item()) == (4, 1)
    with paddle.no_grad():
        y.grad.fill_(7)
    assert (x.grad.item(), y.grad.item()) == (4, 7)


def test_two_leaves_of_one_addition(leaf):
    x, y = leaf([1.0, 2.0]), leaf([1.0, 2.0])
    (x + y).sum().backward()
    with paddle.no_grad():
        x.grad[0] = 5.0
    assert (x.grad.tolist(), y.grad.tolist()) == ([5, 1], [1, 1])


@pytest.mark.parametrize(
    "write", [lambda s: s.fill_(9), lambda s: s.detach().fill_(9), lambda s: s[0:1].fill_(9)]
)
def test_a_seed_stays_the_users(leaf, write):
    x, y, seed = leaf([1.0]), leaf([1.0]), paddle.to_tensor([2.0])
    alias = seed[0:1]
    x.backward(seed)
    paddle.autograd.backward([y], [seed])
    (found,) = paddle.grad(x, x, seed)
    write(seed)
    assert (seed.item(), alias.item()) == (9, 9)
    assert (x.grad.item(), y.grad.item(), found.item()) == (2, 2, 2)
    with paddle.no_grad():
        x.grad.fill_(3)
    assert seed.item() == 9


def test_a_constant_returned_as_gradient(leaf, layer):
    constant = paddle.to_tensor([2.0])
    custom = layer(lambda ctx, x: x * 1, lambda ctx, g: constant)
    x, y = leaf([1.0]), leaf([1.0])
    (custom.apply(x.reshape([1])) + custom.apply(y)).backward()
    custom.apply(x).backward()
    assert constant.item() == 2
    constant.fill_(9)
    assert (x.grad.item(), y.grad.item(), constant.item()) == (4, 2, 9)


def test_a_hook_that_writes_to_what_it_sees(leaf):
    x, y = leaf([1.0]), leaf([1.0])
    x.register_hook(paddle.no_grad()(lambda g: g.zero_()))
    (x + y).backward()
    assert (x.grad.item(), y.grad.item()) == (0, 1)


def test_a_constant_returned_by_a_hook(leaf):
    constant = paddle.to_tensor([2.0])
    x = leaf([1.0])
    x.register_hook(lambda g: constant)
    (x * 5).backward()
    constant.fill_(9)
    assert x.grad.item() == 2
    (x * 5).backward()
    assert (x.grad.item(), constant.item()) == (11, 9)


@pytest.mark.parametrize("by", ["layer", "hook"])
def test_a_constant_that_travels_on_as_a_view(leaf, layer, by):
    constant = paddle.to_tensor([2.0])
    x = leaf([[1.0]])
    h = x.reshape([1])
    if by == "hook":
        h.register_hook(lambda g: constant)
        h.backward()
    else:
        layer(lambda ctx, t: t * 1, lambda ctx, g: constant).apply(h).backward()
    constant.fill_(9)
    assert (x.grad.item(), constant.item()) == (2, 9)


def test_a_backward_that_writes_to_its_argument(leaf, layer):
    custom = layer(lambda ctx, x: x * 1, lambda ctx, g: g.scale_(5.0))
    x, w = leaf([1.0]), leaf([1.0])
    (custom.apply(x) + w).backward()
    assert (x.grad.item(), w.grad.item()) == (5, 1)


def test_a_backward_that_keeps_its_argument(leaf, layer):
    kept = []
    custom = layer(lambda ctx, x: x * 1, lambda ctx, g: kept.append(g) or g)
    x = leaf([1.0])
    custom.apply(x).backward()
    with paddle.no_grad():
        x.grad.fill_(7)
    assert kept[0].item() == 1
    with paddle.no_grad():
        kept[0].fill_(8)
    assert x.grad.item() == 7


VIEWS = {
    "itself": lambda g: g,
    "slice": lambda g: g[0:1],
    "element": lambda g: g[0],
    "reshape": lambda g: g.reshape([2, 1]),
    "detach": lambda g: g.detach(),
    "transpose": lambda g: g.T,
    "unsqueeze": lambda g: g.unsqueeze(0),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_a_view_of_a_gradient_writes_to_that_gradient(leaf, view):
    x, y = leaf([1.0, 2.0]), leaf([1.0, 2.0])
    (x + y).sum().backward()
    with paddle.no_grad():
        view(x.grad).fill_(9)
    assert x.grad.tolist()[0] == 9
    assert y.grad.tolist() == [1, 1]
    first, second = paddle.grad(x + y, [x, y])
    view(first).fill_(9)
    assert (first.tolist()[0], second.tolist()) == (9, [1, 1])


def test_cleared_gradients_can_be_written_to(leaf):
    x, y = leaf([1.0, 2.0]), leaf([1.0])
    (x * y).sum().backward()
    x.clear_grad()
    y.clear_grad()
    with paddle.no_grad():
        x.grad[0] = 5.0
        x.grad[1:].fill_(6)
    (x * y).sum().backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([6, 7], [3])


def test_assigned_gradients_are_not_written_to(leaf):
    x, mine = leaf([1.0]), paddle.to_tensor([10.0])
    x.grad = mine
    (x * 2).backward()
    assert (x.grad.item(), mine.item()) == (12, 10)


def test_a_retained_gradient_is_its_own(leaf):
    x = leaf([1.0, 1.0])
    h = x * 1
    h.retain_grads()
    (h + 0).backward()
    with paddle.no_grad():
        h.grad.fill_(9)
    assert x.grad.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["SGD", "Momentum", "Adam", "AdamW", "RMSProp", "Adagrad"])
def test_an_optimizer_writes_to_its_parameters_only(leaf, name):
    x, y = leaf([1.0, 2.0]), leaf([1.0, 2.0])
    before = x.detach().clone()
    opt = getattr(paddle.optimizer, name)(learning_rate=0.1, parameters=[x])
    seed = paddle.to_tensor([1.0, 2.0])
    (x + y).backward(seed)
    opt.step()
    assert (x.grad.tolist(), y.grad.tolist(), seed.tolist()) == ([1, 2], [1, 2], [1, 2])
    assert y.tolist() == before.tolist() != x.tolist()


def test_a_parameter_returned_as_its_own_gradient(leaf, layer):
    custom = layer(lambda ctx, x: ctx.save_for_backward(x) or x * 1, lambda ctx, g: ctx.saved_tensor()[0])
    x = leaf([4.0])
    opt = paddle.optimizer.SGD(0.5, parameters=[x])
    custom.apply(x).backward()
    opt.step()
    assert (x.item(), x.grad.item()) == (2, 4)
    opt.step()
    assert (x.item(), x.grad.item()) == (0, 4)


def test_to_tensor_and_numpy_copy(leaf):
    source = np.ones(2, "float32")
    x = leaf(source)
    (x * 1).sum().backward()
    source[0] = 9
    x.numpy()[0] = 9
    np.asarray(x)[0] = 9
    x.gradient()[0] = 9
    assert (x.tolist(), x.grad.tolist()) == ([1, 1], [1, 1])


def test_saved_values_are_copied_when_they_are_replaced_in_place(leaf):
    """The gradient of an in-place operator needs the content before the write."""
    x = leaf([3.0])
    h = x * 1
    h.square_()
    h.multiply_(leaf([2.0]))
    h.backward()
    assert x.grad.item() == 12


def test_the_count_of_writes_survives_the_copy(leaf, layer):
    constant = paddle.to_tensor([2.0]).fill_(3.0)
    layer(lambda ctx, t: t * 1, lambda ctx, g: constant).apply(leaf([1.0])).backward()
    constant.fill_(9)
    assert constant.inplace_version == 2
