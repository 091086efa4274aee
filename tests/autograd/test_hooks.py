"""Section 5: hooks, beyond the recorded cases of tests/parity."""

import gc
import weakref

import pytest

from minipaddle import paddle


@pytest.mark.parametrize("interior", [True, False])
@pytest.mark.parametrize(
    ("hook", "kind", "words"),
    [
        (lambda g: g.astype("float64"), RuntimeError, r"dtype.*not consistent"),
        (lambda g: g.sum(), ValueError, r"\[2\] and returned \[\]"),
        (lambda g: g.unsqueeze(0), ValueError, r"\[2\] and returned \[1, 2\]"),
        (lambda g: g.numpy(), TypeError, r"ndarray"),
    ],
    ids=["dtype", "shape", "rank", "kind"],
)
def test_a_replacement_is_like_the_gradient(leaf, interior, hook, kind, words):
    x = leaf([1.0, 2.0])
    h = x * 2
    (h if interior else x).register_hook(hook)
    with pytest.raises(kind, match=words):
        (h * 3).backward()
    assert x.grad is None


def test_once_per_backward_on_the_sum(leaf):
    x = leaf([1.0])
    h, seen = x * 2, []
    h.register_hook(lambda g: seen.append(g.item()))
    y = h * 3 + h
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    assert seen == [4, 4]


def test_registered_after_the_tensor_was_used(leaf):
    x = leaf([1.0])
    h = x * 2
    y = h * 3
    h.register_hook(lambda g: g * 10)
    y.backward()
    assert x.grad.item() == 60


def test_a_hook_outlives_its_tensor(leaf):
    x = leaf([1.0])
    h = x * 2
    h.register_hook(lambda g: g * 10)
    y, gone = h * 3, weakref.ref(h)
    del h
    gc.collect()
    assert gone() is None
    y.backward()
    assert x.grad.item() == 60


def test_the_gradient_has_the_dtype_of_its_tensor(leaf):
    x, seen = leaf([1.0], "float16"), []
    h = x.astype("float64")
    x.register_hook(lambda g: seen.append(g.dtype))
    h.register_hook(lambda g: seen.append(g.dtype))
    (h * 2).backward()
    assert seen == [paddle.float64, paddle.float16]


def test_an_in_place_write_leaves_the_hook_at_the_old_value(leaf):
    """A hook belongs to the value that the tensor had: it gets the gradient of that value."""
    x = leaf([1.0])
    h, old, new = x * 2, [], []
    h.register_hook(lambda g: old.append(g.item()))
    h.scale_(3.0)
    h.register_hook(lambda g: new.append(g.item()))
    h.backward()
    assert (old, new, x.grad.item()) == ([3], [1], 6)


def test_handles(leaf):
    x = leaf([1.0])

    def ten(g):
        return g * 10

    first, second = x.register_hook(ten), x.register_hook(ten)
    assert [first.remove(), first.remove()] == [True, False]
    (x * 1).backward()
    assert x.grad.item() == 10
    assert [second.remove(), second.remove(), first.remove()] == [True, False, False]


def test_a_hook_that_removes_itself(leaf):
    x, seen = leaf([1.0]), []

    def once(g):
        handle.remove()
        seen.append("once")

    handle = x.register_hook(once)
    x.register_hook(lambda g: seen.append("always"))
    (x * 2).backward()
    (x * 2).backward()
    assert seen == ["once", "always", "always"]


def test_hooks_of_requested_tensors(leaf):
    """Hooks of a requested interior tensor run and count; hooks of a requested leaf do not run."""
    x = leaf([1.0])
    h = x * 2
    h.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: g * 1000)
    assert [g.item() for g in paddle.grad(h * 3, [h, x])] == [30, 60]


def test_retained_gradients_are_not_written_by_grad(leaf):
    x = leaf([1.0])
    h = x * 2
    h.retain_grads()
    paddle.grad(h * 3, [x, h])
    assert (h.grad, x.grad) == (None, None)


def test_hooks_see_the_mode_of_the_caller(leaf):
    x, seen = leaf([1.0]), []
    x.register_hook(lambda g: seen.append(paddle.is_grad_enabled()))
    y = x * 2
    y.register_hook(lambda g: seen.append(paddle.is_grad_enabled()))
    y.backward(retain_graph=True)
    with paddle.no_grad():
        y.backward()
    assert seen == [True, True, False, False]


def test_order_around_a_layer(leaf, layer):
    seen = []

    def say(word):
        return lambda g: seen.append((word, g.item()))

    x = leaf([1.0])
    x.register_hook(say("input"))
    y = layer(lambda ctx, t: t * 1, lambda ctx, g: say("backward")(g) or g * 2).apply(x)
    y.register_hook(say("output"))
    (y * 5).backward()
    assert seen == [("output", 5), ("backward", 5), ("input", 10)]
