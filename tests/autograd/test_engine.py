"""The engine as a machine: depth, threads, memory, the saved tensors and their release."""

import gc
import threading
import weakref

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.tape.node import AccumulateGrad, Node
from minipaddle.engine.walk.backward import Freed
from minipaddle.engine.walk.walk import node_of

F = paddle.nn.functional


@pytest.fixture
def no_collector():
    """Disable garbage collection: objects are freed by their reference count only."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def living(*kinds):
    return sum(isinstance(thing, kinds) for thing in gc.get_objects())


@pytest.mark.sweep
def test_a_hundred_thousand_ops_forward_backward_and_gone(leaf):
    x = leaf([1.0])
    y = x
    for _ in range(100_000):
        y = y + 1.0
    y.backward(retain_graph=True)
    assert (y.item(), x.grad.item()) == (100_001.0, 1.0)
    first = weakref.ref(paddle.grad(y, x, create_graph=True)[0])
    last = weakref.ref(y.edge)
    del y
    assert first() is None
    assert last() is None


def test_a_hundred_thousand_layers(leaf, layer):
    double = layer(lambda ctx, x: x * 1, lambda ctx, g: g)
    x = leaf([3.0])
    y = x
    for _ in range(20_000):
        y = double.apply(y)
    y.backward()
    assert x.grad.item() == 1


def test_each_node_runs_once_however_many_paths_lead_there(leaf):
    x = leaf([1.0], "float64")
    calls = []
    y = x * 1
    y.register_hook(lambda g: calls.append(g.item()))
    top = y
    for _ in range(40):  # 2 ** 40 paths
        top = top + top
    top.backward()
    assert calls == [2.0**40]
    assert x.grad.item() == 2.0**40


def test_threads_have_modes_of_their_own(leaf):
    x = leaf([1.0])
    barrier = threading.Barrier(2, timeout=20)
    seen = {}

    def work(name, flag):
        seen[name, "default"] = paddle.is_grad_enabled()
        with paddle.set_grad_enabled(flag):
            barrier.wait()
            seen[name] = (x * 2).stop_gradient
            barrier.wait()

    with paddle.no_grad():
        threads = [threading.Thread(target=work, args=each) for each in (("on", True), ("off", False))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not paddle.is_grad_enabled()
    assert seen == {("on", "default"): True, ("off", "default"): True, "on": False, "off": True}


def test_backward_in_two_threads_at_once():
    barrier = threading.Barrier(2, timeout=20)
    found = {}

    def work(k):
        x = paddle.to_tensor([float(k)], stop_gradient=False)
        barrier.wait()
        for _ in range(200):
            (x * x).tanh().backward()
            found[k] = x.gradient()
            x.clear_grad(False)

    threads = [threading.Thread(target=work, args=(k,)) for k in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in (1, 2):
        np.testing.assert_allclose(found[k], [2 * k * (1 - np.tanh(k * k) ** 2)], rtol=1e-3)


@pytest.mark.sweep
@pytest.mark.usefixtures("no_collector")
def test_three_thousand_steps_leave_nothing_behind(layer):
    tanh = layer(
        lambda ctx, x: ctx.save_for_backward(y := x.tanh()) or y,
        lambda ctx, g: g * (1 - ctx.saved_tensor()[0].square()),
    )
    net = paddle.nn.Linear(2, 2)
    opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    x = paddle.ones([3, 2])

    def step():
        h = tanh.apply(net(x))
        h.register_hook(lambda g: g)
        h[0, 0] = 0.5
        a, b = h.split(2, axis=1)
        (a * b).mean().backward()
        opt.step()
        opt.clear_grad()

    for _ in range(5):
        step()
    kinds = (paddle.Tensor, Node, AccumulateGrad, paddle.autograd.PyLayerContext)
    before, everything = living(*kinds), len(gc.get_objects())
    for _ in range(3000):
        step()
    assert living(*kinds) == before
    assert len(gc.get_objects()) < everything + 50


@pytest.mark.usefixtures("no_collector")
def test_failures_leave_nothing_behind_either(leaf, layer):
    def failing(ctx, g):
        raise KeyError

    Failing = layer(lambda ctx, x: x * 1, failing)
    x = leaf([1.0])

    def step():
        with pytest.raises(OSError, match="KeyError"):
            Failing.apply(x * 2).backward()
        with pytest.raises(ValueError, match="matmul"):
            _ = x + paddle.ones([2, 3]) @ paddle.ones([2, 3])

    step()
    before = living(Node, paddle.Tensor)
    for _ in range(20):
        step()
    gc.collect()
    assert living(Node, paddle.Tensor) <= before


@pytest.mark.usefixtures("no_collector")
def test_a_dead_graph_is_freed_at_once(leaf, layer):
    x = leaf([1.0])
    keep = layer(lambda ctx, t: ctx.save_for_backward(t) or t * 2, lambda ctx, g: g)
    a, b = paddle.split(paddle.concat([x * x, x.exp()]), 2)
    y = keep.apply((a * b).tanh())
    records, stack = [], [y.edge]
    while stack:
        node = node_of(stack.pop())
        if type(node) is Node:
            records.append(weakref.ref(node))
            stack += node.edges
    assert len(records) > 5
    tensor = weakref.ref(y)
    del y, a, b, node, stack
    assert tensor() is None
    assert [known() for known in records] == [None] * len(records)


@pytest.mark.usefixtures("no_collector")
def test_ctx_lives_as_long_as_its_graph_needs_it(leaf, layer):
    seen = []

    def forward(ctx, x):
        seen.append(weakref.ref(ctx))
        return x * 1

    def graph(x):
        seen.clear()
        return layer(forward, lambda ctx, g: g).apply(x)

    y = graph(leaf([1.0]))
    assert seen[0]() is not None
    y.backward(retain_graph=True)
    assert seen[0]() is not None
    y.backward()
    assert seen[0]() is None, "released after backward"
    y = graph(leaf([1.0]))
    del y
    assert seen[0]() is None, "released when the output dies"
    graph(paddle.ones([1]))
    assert seen[0]() is None, "released at once when nothing was recorded"


@pytest.mark.usefixtures("no_collector")
def test_a_record_keeps_no_tensor(leaf):
    x = leaf([1.0])
    h = x * 2
    y = h * h
    gone = weakref.ref(h)
    del h
    assert gone() is None
    y.backward()
    assert x.grad.item() == 8


@pytest.mark.usefixtures("no_collector")
def test_a_layers_record_keeps_none_of_its_arguments(leaf, layer):
    class Thing:
        pass

    x, thing = leaf([1.0]), Thing()
    h = x * 2
    gone = [weakref.ref(h), weakref.ref(thing)]
    y = layer(lambda ctx, t, other: t * 1, lambda ctx, g: g * 5).apply(h, other=thing)
    del h, thing
    assert [known() for known in gone] == [None, None]
    y.backward()
    assert x.grad.item() == 10


@pytest.mark.usefixtures("no_collector")
def test_what_no_rule_asked_for_is_freed(leaf):
    x = leaf([1.0, 2.0])
    h = x * 2
    array = weakref.ref(h.array)
    y = (h + 1).sum()
    del h
    assert array() is None
    y.backward()
    assert x.grad.tolist() == [2, 2]


@pytest.mark.usefixtures("no_collector")
def test_backward_frees_what_was_kept(leaf):
    x = leaf([1.0, 2.0])
    y = (x * 2).exp()
    record, kept = y.edge, weakref.ref(y.array)
    total = y.sum()
    del y
    assert kept() is not None
    total.backward()
    assert isinstance(record.saved, Freed)
    assert kept() is None


def arrays(record):
    return [value for value in record.saved if isinstance(value, np.ndarray)]


KEPT = {  # the saved tensors of f(x, w, f); x and w want gradients, f does not
    "add": (lambda x, w, f: x + w, lambda x, w, f, out: []),
    "subtract": (lambda x, w, f: x - w, lambda x, w, f, out: []),
    "sum": (lambda x, w, f: x.sum(), lambda x, w, f, out: []),
    "mean": (lambda x, w, f: x.mean(), lambda x, w, f, out: []),
    "scale": (lambda x, w, f: x * 3, lambda x, w, f, out: []),
    "reshape": (lambda x, w, f: x.reshape([-1]), lambda x, w, f, out: []),
    "transpose": (lambda x, w, f: x.T, lambda x, w, f, out: []),
    "concat": (lambda x, w, f: paddle.concat([x, w]), lambda x, w, f, out: []),
    "tanh": (lambda x, w, f: x.tanh(), lambda x, w, f, out: [out]),
    "exp": (lambda x, w, f: x.exp(), lambda x, w, f, out: [out]),
    "sqrt": (lambda x, w, f: x.sqrt(), lambda x, w, f, out: [out]),
    "sigmoid": (lambda x, w, f: F.sigmoid(x), lambda x, w, f, out: [out]),
    "relu": (lambda x, w, f: F.relu(x), lambda x, w, f, out: [out]),
    "log": (lambda x, w, f: x.log(), lambda x, w, f, out: [x]),
    "square": (lambda x, w, f: x.square(), lambda x, w, f, out: [x]),
    "multiply": (lambda x, w, f: x * w, lambda x, w, f, out: [w, x]),
    "multiply by frozen": (lambda x, w, f: x * f, lambda x, w, f, out: [f]),
    "frozen multiply": (lambda x, w, f: f * w, lambda x, w, f, out: [f]),
    "matmul": (lambda x, w, f: x @ w, lambda x, w, f, out: [x, w]),
    "matmul by frozen": (lambda x, w, f: x @ f, lambda x, w, f, out: [f]),
}


@pytest.mark.parametrize("name", KEPT)
def test_the_tape_keeps_exactly_what_the_rules_ask_for(leaf, name):
    fn, expected = KEPT[name]
    x, w, f = leaf([[0.5, 0.2], [0.1, 0.9]]), leaf(np.full((2, 2), 0.3)), paddle.full([2, 2], 0.7)
    f = f.astype("float32")
    w = leaf(w.numpy().astype("float32"))
    out = fn(x, w, f)
    kept = {id(array) for array in arrays(out.edge)}
    assert kept == {id(tensor.array) for tensor in expected(x, w, f, out)}


def test_nothing_is_recorded_that_nobody_wants(leaf):
    f = paddle.ones([2])
    with paddle.no_grad():
        silent = leaf([1.0, 1.0]) * 2
    assert (f * f).edge is None
    assert silent.edge is None
