"""Watching a mode: the observer sees everything in order, and changes nothing."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.core.node import AccumulateGrad
from minipaddle.core.watching import watching


class Diary:
    """Writes down what it is told, in short."""

    def __init__(self):
        self.lines = []

    def called(self, op, inputs, attrs, outputs, inplace, seconds):
        self.lines.append(f"{'inplace ' if inplace else ''}{op.type}")

    def will_write(self, op, target):
        self.lines.append(f"before {op.type} {target.tolist()}")

    def custom_called(self, call, inputs, outputs, seconds):
        self.lines.append(f"custom {call.name} {len(inputs)}")

    def entered(self, kind, owner, args):
        self.lines.append(f"enter {kind} {owner.name}")

    def left(self, kind, owner, result, error):
        self.lines.append(f"leave {kind} {type(error).__name__ if error else type(result).__name__}")

    def backward_began(self):
        self.lines.append("backward")

    def stepped(self, step, seconds):
        node = step[0]
        self.lines.append("at leaf" if type(node) is AccumulateGrad else f"at {node.op.type}")

    def backward_ended(self, error):
        self.lines.append(f"end {type(error).__name__}")


def written(run):
    diary = Diary()
    with watching(diary):
        run()
    return diary.lines


def test_calls_in_order(leaf):
    x = leaf([0.5])
    assert written(lambda: ((x * x).tanh() + 1).sum()) == ["elementwise_mul", "tanh", "scale", "reduce_sum"]


def test_writes_are_announced(leaf):
    t = paddle.ones([1])
    lines = written(lambda: t.add_(paddle.ones([1])))
    assert [line for line in lines if "add" in line] == [
        "before elementwise_add [1.0]",
        "inplace elementwise_add",
    ]


def test_a_layer_its_backward_and_hooks(leaf, layer):
    custom = layer(lambda ctx, x: x.exp(), lambda ctx, g: g * 2)
    x = leaf([1.0])

    def note(g):
        return None

    x.register_hook(note)
    assert written(lambda: custom.apply(x).backward()) == [
        "enter forward Custom",
        "exp",
        "leave forward Tensor",
        "custom Custom 1",
        "backward",
        "enter backward Custom",
        "scale",
        "leave backward Tensor",
        "at pylayer",
        "at leaf",
        "enter hook note",
        "leave hook NoneType",
        "end NoneType",
    ]


def test_modes_within(leaf):
    x = leaf([1.0])

    def run():
        with paddle.no_grad():
            assert x.exp().stop_gradient
            with paddle.enable_grad():
                assert not x.tanh().stop_gradient
        with paddle.autograd.saved_tensors_hooks(lambda t: t, lambda t: t):
            x.sin()
        (first,) = paddle.grad(x * x, x, create_graph=True)
        assert not first.stop_gradient

    assert {"exp", "tanh", "sin", "elementwise_mul", "at elementwise_mul"} <= set(written(run))
    assert paddle.is_grad_enabled()


def test_failures_are_told_and_pass_on(leaf, layer):
    two, three = paddle.ones([2]), paddle.ones([3])

    def lost(ctx, g):
        raise KeyError("lost")

    def run():
        with pytest.raises(OSError, match="lost"):
            layer(lambda ctx, x: x * 1, lost).apply(leaf([1.0])).backward()
        with pytest.raises(ValueError, match="mismatch"):
            _ = two + three

    assert written(run)[-3:] == ["enter backward Custom", "leave backward KeyError", "end OSError"]


def test_numbers_are_the_same_with_somebody_looking(layer):
    def train():
        paddle.seed(3)
        net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Tanh(), paddle.nn.Linear(4, 1))
        opt = paddle.optimizer.Adam(0.1, parameters=net.parameters())
        double = layer(lambda ctx, x: x * 2, lambda ctx, g: g * 2)
        for _ in range(3):
            double.apply(net(paddle.ones([2, 3]))).square().mean().backward()
            opt.step()
            opt.clear_grad()
        return [parameter.numpy() for parameter in net.parameters()]

    plain = train()
    with watching(Diary()), watching(Diary()):
        watched = train()
    for one, other in zip(plain, watched, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("method", ["called", "stepped", "backward_began", "custom_called", "entered"])
def test_an_observers_own_error_is_its_own(leaf, layer, method):
    class Clumsy(Diary):
        pass

    def stumble(*args, **kwargs):
        raise LookupError("the observer's")

    setattr(Clumsy, method, stumble)
    x = leaf([1.0])
    custom = layer(lambda ctx, t: t * 1, lambda ctx, g: g)
    with watching(Clumsy()), pytest.raises(LookupError, match="the observer's"):
        custom.apply(x * 2).backward()
    assert paddle.is_grad_enabled()
    assert x.grad is None
    custom.apply(x * 2).backward()
    assert x.grad.item() == 2
