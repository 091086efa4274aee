"""Hooks in functions that became Programs: they see Tensors, and work as in dynamic mode."""

import pytest

from minipaddle import paddle


def squares(*hooks, late=(), removed=()):
    """Return a function with hooks, some of them after the value was used, some removed."""

    def function(x):
        h = x * 2
        for hook in hooks:
            h.register_hook(hook)
        y = (h * h).sum()
        for hook in late:
            h.register_hook(hook)
        for hook in removed:
            handle = h.register_hook(hook)
            assert handle.remove()
            assert not handle.remove()
        return y

    return function


def gradient(function):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    for _ in range(2):
        x.clear_grad()
        function(x).backward()
    return x.grad.tolist()


def clipped(grad):
    return paddle.clip(grad, 0.0, 9.0)


@pytest.mark.parametrize(
    "function",
    [
        squares(lambda grad: grad * 5),
        squares(lambda grad: grad * 5, lambda grad: grad + 1),
        squares(clipped),
        squares(lambda grad: None),
        squares(late=[lambda grad: grad * 5]),
        squares(clipped, late=[lambda grad: grad + 1]),
        squares(removed=[lambda grad: grad * 5]),
        squares(clipped, removed=[lambda grad: grad * 5]),
    ],
)
def test_hooks_answer_as_in_dynamic_mode(function):
    assert gradient(paddle.jit.to_static(function)) == gradient(function)


def test_a_hook_of_an_argument():
    @paddle.jit.to_static
    def function(x):
        x.register_hook(lambda grad: grad * 5)
        return (x * x).sum()

    assert gradient(function) == [10.0, 20.0]
