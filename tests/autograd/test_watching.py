"""Watching a mode: the observer sees everything in order, and changes nothing."""

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.tape.node import AccumulateGrad
from minipaddle.engine.watch.observer import Observer
from minipaddle.engine.watch.watched_mode import watching


class Diary(Observer):
    """Writes down its events, in short."""

    def __init__(self):
        self.lines = []

    def called(self, op, inputs, attrs, outputs, inplace):
        self.lines.append(f"{'inplace ' if inplace else ''}{op.type}")

    def will_write(self, op, target):
        self.lines.append(f"before {op.type} {target.tolist()}")

    def refused(self, op, inputs, error):
        self.lines.append(f"refused {op.type} {len(inputs)} {type(error).__name__}")

    def custom_called(self, call, inputs, outputs):
        self.lines.append(f"custom {call.name} {len(inputs)}")

    def entered(self, kind, owner, args, at):
        self.lines.append(f"enter {kind} {owner.name}")

    def left(self, kind, owner, result, error):
        self.lines.append(f"leave {kind} {type(error).__name__ if error else type(result).__name__}")

    def backward_began(self, kind, seeds, given):
        self.lines.append("backward")

    def stepped(self, step):
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


@pytest.mark.parametrize("watched", [False, True])
def test_gradients_of_whole_numbers_are_added_up_nowhere(leaf, watched):
    def refused(run):
        with pytest.raises(NotImplementedError, match=r"data type \(int64_t\).*not supported[^_]*write 3\.0"):
            written(run) if watched else run()

    x, y = (paddle.to_tensor([3, 4], stop_gradient=False) for _ in range(2))
    refused(lambda: (x * x).sum().backward())
    assert x.grad is None
    first, _ = x.split(2)  # a call of several outputs
    refused(lambda: paddle.grad(first + first, x))
    assert paddle.grad(x * x, x, create_graph=True)[0].tolist() == [6, 8]
    (y * 2).backward()
    refused((y * 2).backward)
    assert y.grad.tolist() == [2, 2]


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
        "leave backward list",
        "at pylayer",
        "enter hook note",
        "leave hook Tensor",
        "at leaf",
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
        with pytest.raises(ValueError, match="mismatch"):
            two.add_(three)

    refused = "refused elementwise_add 2 ValueError"
    told = ["enter backward Custom", "leave backward KeyError", "end OSError", refused]
    assert written(run)[-6:] == [*told, "before elementwise_add [1.0, 1.0]", refused]


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


class TranslatableError(Observer):
    """Keeps its events about gradients: sums with their terms; stored, picked, kept, shared and read ones."""

    def __init__(self):
        self.sums, self.stores, self.picks, self.shared, self.reads = [], [], [], [], []
        self.ended = None

    def added(self, edge, total, terms):
        self.sums.append((total.tolist(), [term.tolist() for term in terms]))

    def stored(self, edge, tensor, before, after):
        if tensor is None:
            self.picks.append(after)
        else:
            self.stores.append((tensor, before, after))

    def shares(self, new, old):
        self.shared.append((new, old))

    def read(self, tensor, how, given):
        self.reads.append((tensor, how))

    def backward_ended(self, error):
        self.ended = error


def told(run):
    listener = TranslatableError()
    with watching(listener):
        run()
    return listener


def test_sums_of_seeds_are_told_too(leaf):
    x = leaf(3.0)
    y = x * 2
    sums = told(lambda: paddle.autograd.backward([x, y], [paddle.to_tensor(5.0), paddle.to_tensor(7.0)])).sums
    assert sums == [(19.0, [5.0, 14.0])]
    assert x.grad.item() == 19


def test_what_grad_held_and_holds_is_told_by_the_tensors_themselves(leaf):
    a, b = leaf([1.0]), leaf([1.0])

    def twice():
        (a + b).sum().backward()
        (a * 2 + b).sum().backward()

    stores = told(twice).stores
    assert [(tensor is a, tensor is b) for tensor, *_ in stores[:2]] == [(False, True), (True, False)]
    assert all(before is None for _, before, _ in stores[:2])
    for tensor, before, after in stores[2:]:
        assert after is tensor.grad
        assert before is next(first for one, _, first in stores[:2] if one is tensor)


def test_what_paddle_grad_returns_is_told(leaf):
    x = leaf([2.0])
    h = x * 3
    found = []
    picks = told(lambda: found.extend(paddle.grad(h * h, [x, h]))).picks
    assert {id(one) for one in picks} == {id(one) for one in found}


def test_shared_memory_and_reads_are_told(leaf):
    x = leaf([2.0])
    heard = told(lambda: (x.detach(), x.data, x.item(), bool(x), float(x), np.asarray(x), x.tolist()))
    assert [old is x for _, old in heard.shared] == [True, True]
    assert [how for _, how in heard.reads] == ["item", "__bool__", "__float__", "__array__", "tolist"]


def test_the_error_of_a_leafs_hook_ends_the_pass_as_that_error(leaf):
    x = leaf([2.0])

    def hook(grad):
        raise KeyError("lost")

    x.register_hook(hook)

    def run():
        with pytest.raises(OSError, match="lost"):
            (x * 2).backward()

    assert type(told(run).ended) is OSError
    assert x.grad is None


def test_watchers_around_each_other_hear_of_bodies(leaf, layer):
    inner, outer = Diary(), Diary()
    custom = layer(lambda ctx, x: x.exp(), lambda ctx, g: g * 2)
    with watching(inner), watching(outer):
        custom.apply(leaf([1.0])).backward()
    assert inner.lines == outer.lines
    assert "enter backward Custom" in inner.lines
    assert "custom Custom 1" in inner.lines


def test_what_backward_answers_is_sorted_once(leaf):
    class Answer(tuple):
        asked = 0

        def __len__(self):
            Answer.asked += 1
            return tuple.__len__(self)

    class Double(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, y):
            return x + y

        @staticmethod
        def backward(ctx, dy):
            return Answer((dy, dy))

    def asked():
        before = Answer.asked
        Double.apply(leaf([1.0]), leaf([2.0])).backward()
        return Answer.asked - before

    plain = asked()
    with watching(Diary()):
        assert asked() == plain > 0
