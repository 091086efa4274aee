"""A recording in bounded memory: what is kept, what is summed up."""

import gc
import weakref

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.fast.quick import Quick
from minipaddle.engine.mode.eager import current
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.picture.model.mirror import forward_only
from minipaddle.tools.record import Recorder, load, save
from tests.support.recordings import leaf, named, recorded

# -- bounds --------------------------------------------------------------------------------------------------------


def many(count):
    def script():
        x = paddle.ones([1000])
        for _ in range(count):
            x = x + 1

    return script


def test_memory_is_bounded_and_statistics_remain():
    trace = recorded(many(100), max_mb=0.02)
    kept = [value for value in trace.values if value.kept is not None]
    assert sum(value.kept.nbytes for value in kept) <= 20_000 + 64 * len(kept)
    assert trace.values[-1].kept is None
    assert trace.values[-1].stats.mean == 101
    assert any("memory limit of 0.02 MB" in note for note in trace.notes)


def test_the_limit_of_events_is_kept_and_told():
    trace = recorded(many(100), max_events=10)
    assert len(trace.events) == 10
    assert any("stopped after 10 events" in note for note in trace.notes)


def test_where_it_stopped_is_told_and_not_read_off_a_note(tmp_path):
    save(recorded(many(100), max_events=10), tmp_path / "cut.mpt")
    assert "stopped after 10 events" in forward_only(load(tmp_path / "cut.mpt")).subtitle
    whole = recorded(many(100))
    whole.notes.append("the recording stopped after 10 events: so says a note")
    assert forward_only(whole).subtitle == "101 ops forward, backward not run yet"


def test_nothing_is_kept_alive_but_numbers():
    alive = []

    def script():
        x = leaf(1.0)
        y = x * 2
        alive.extend([weakref.ref(x), weakref.ref(y), weakref.ref(y.edge)])

    trace = recorded(script)
    gc.collect()
    assert [ref() for ref in alive] == [None, None, None]
    assert named(trace, "y") == [[2.0]]


def test_after_the_limit_training_leaves_nothing_behind():
    recorder = Recorder(__file__, max_mb=0.01, max_events=50)
    sizes = []
    with watching(recorder):
        w = leaf(1.0, 2.0)
        for step in range(300):
            (w * w).sum().backward()
            w.clear_gradient()
            if step in (100, 299):
                gc.collect()
                sizes.append(len(recorder.trace.values) + sum(map(_size, vars(recorder).values())))
    assert sizes[0] == sizes[1]


def _size(thing):
    return len(thing) if hasattr(thing, "__len__") else 0


def test_with_nobody_watching_the_mode_is_the_plain_one():
    assert type(current.get()) is Quick
    recorded(many(1))
    assert type(current.get()) is Quick


def test_beyond_the_limit_statistics_are_kept():
    def script():
        h = leaf(*range(1, 1001))
        for _ in range(20):
            h = paddle.tanh(h * 0.5)
        (h * h).mean().backward()

    whole, small = recorded(script), recorded(script, max_mb=0.03)
    lost = [value for value in small.values if value.array is None]
    assert len(lost) > 20
    assert [value.stats for value in lost] == [whole.values[value.id].stats for value in lost]


@pytest.mark.parametrize("optimizer", [paddle.optimizer.Momentum, paddle.optimizer.Adam])
@pytest.mark.parametrize("max_mb", [0, 0.003, 0.02])
def test_what_is_told_beyond_the_limit_is_as_true_as_within(optimizer, max_mb):
    """Inputs of writes in place too, and what was kept for backward."""

    def script():
        paddle.seed(1)
        net = paddle.nn.Sequential(paddle.nn.Linear(8, 16), paddle.nn.Tanh(), paddle.nn.Linear(16, 4))
        updates = optimizer(learning_rate=0.1, parameters=net.parameters())
        x = paddle.randn([32, 8])
        for _ in range(2):
            y = net(x)
            y.add_(paddle.ones([4]))
            y[0] = 3.0
            (y * y).mean().backward()
            updates.step()
            updates.clear_grad()

    wanted, trace = recorded(script), recorded(script, max_mb=max_mb)
    assert [event.saved for event in trace.events] == [event.saved for event in wanted.events]
    for mine, value in zip(trace.values, wanted.values, strict=True):
        assert mine.array is None or np.array_equal(mine.array, value.array), value.name
        for name in ("min", "max", "norm"):
            np.testing.assert_allclose(mine.stat(name), value.stat(name), rtol=1e-5, atol=1e-7)
