"""Section 6: grad modes."""

import pytest

from minipaddle import paddle
from minipaddle.ops.inplace import inplace_variant

on = paddle.is_grad_enabled


def test_one_object_may_be_entered_again():
    block = paddle.no_grad()
    with block:
        with block:
            assert not on()
        assert not on()
    assert on()


@pytest.mark.parametrize("switch", [paddle.no_grad, paddle.enable_grad])
def test_a_decorator_restores_whatever_happens(switch):
    @switch()
    def lost():
        """Have words."""
        seen.append(on())
        raise KeyError

    seen = []
    for outer in (True, False):
        with paddle.set_grad_enabled(outer):
            with pytest.raises(KeyError):
                lost()
            assert on() is outer
    assert seen == [switch is paddle.enable_grad] * 2
    assert (lost.__name__, lost.__doc__) == ("lost", "Have words.")


def test_a_decorated_method_recurses():
    class Model:
        @paddle.no_grad()
        def down(self, n):
            return [on(), *(self.down(n - 1) if n else [])]

    assert Model().down(2) == [False] * 3
    assert on()


def test_a_decorated_generator_is_switched_only_while_it_runs():
    @paddle.no_grad()
    def numbers():
        got = yield on()
        yield got, on()

    running = numbers()
    assert next(running) is False
    assert on()
    assert running.send("word") == ("word", False)
    assert on()
    with pytest.raises(StopIteration):
        next(running)


@pytest.mark.parametrize("switch", [paddle.no_grad, paddle.enable_grad])
def test_the_bare_class_is_no_decorator(switch):
    with pytest.raises(TypeError):
        switch(lambda: None)


def test_set_grad_enabled_takes_effect_at_once():
    paddle.set_grad_enabled(False)
    try:
        assert not on()
        with paddle.set_grad_enabled(True):
            assert on()
        assert not on()
    finally:
        paddle.set_grad_enabled(True)
    with pytest.raises(KeyError), paddle.set_grad_enabled(False):
        raise KeyError
    assert on()


def test_a_leaf_made_within_no_grad_keeps_its_flag(leaf):
    with paddle.no_grad():
        x = leaf([1.0])
        assert not x.stop_gradient
        assert (x * 2).stop_gradient
    (x * 2).backward()
    assert x.grad.item() == 2


def test_an_inplace_variant_may_switch_recording_inside():
    """The mode that redirects the result is a mode like others: no_grad and hooks work within it."""

    def halved(x):
        with paddle.no_grad():
            share = paddle.full([], 0.5)
        return x * share

    x = paddle.to_tensor([2.0, 4.0])
    assert inplace_variant(halved)(x) is x
    assert x.tolist() == [1.0, 2.0]
    assert x.inplace_version == 1
