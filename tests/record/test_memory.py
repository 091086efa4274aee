"""Where numbers are not kept, their statistics are those that the numbers would have had."""

import gc
import weakref

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.sources.eager import log


def training():
    """Two steps; weights and activations are of 2 to 8 KB, and written over by optimizer and in-place operators."""
    paddle.seed(1)
    net = paddle.nn.Sequential(paddle.nn.Linear(16, 64), paddle.nn.ReLU(), paddle.nn.Linear(64, 16))
    optimizer = paddle.optimizer.Momentum(0.1, parameters=net.parameters())
    x = paddle.randn([32, 16])
    for _ in range(2):
        h = net(x)
        scaled = h * 2
        scaled.add_(h)
        view = scaled.reshape([16, 32])
        (view * view + scaled.reshape([16, 32])).mean().backward()
        optimizer.step()
        optimizer.clear_grad()
        x.scale_(0.5)


def recorded(script, **options):
    watcher = Recorder(**options)
    with watching(watcher), paddle.utils.unique_name.guard():
        script()
    return watcher.finish()


def told(trace):
    return [(value.name, value.kind, value.shape, repr(value.stats)) for value in trace.values]


@pytest.mark.parametrize("batch", [0, 20_000, 4_000_000])
@pytest.mark.parametrize("max_mb", [0, 0.02, 0.05])
def test_statistics_are_those_of_the_numbers(monkeypatch, batch, max_mb):
    monkeypatch.setattr(log, "_BATCH", batch)
    whole, short = recorded(training), recorded(training, max_mb=max_mb)
    assert told(short) == told(whole)
    assert [event.saved for event in short.events] == [event.saved for event in whole.events]
    assert sum(value.array is None for value in short.values) > 20


def test_the_user_is_told_of_a_limit_but_not_of_none():
    assert recorded(training, max_mb=0).notes == []
    (note,) = recorded(training, max_mb=0.02).notes
    assert note.startswith("memory limit of 0.02 MB reached: from event ")


def test_statistics_keep_no_array_alive():
    gone = []

    def script():
        x = paddle.ones([1000])
        for _ in range(5):
            y = x * 2
            gone.append(weakref.ref(y.array))

    trace = recorded(script, max_mb=0)
    gc.collect()
    assert [ref() for ref in gone] == [None] * 5
    assert [value.stats.mean for value in trace.values] == [1, 2, 2, 2, 2, 2]


def test_an_array_without_numbers_is_not_taken_for_another_at_its_place():
    def script():
        for number in range(20):
            x = paddle.to_tensor(np.full(1000, number, "float32"))
            _ = x + 1
            del x, _

    means = [value.stats.mean for value in recorded(script, max_mb=0).values]
    assert means == [mean for number in range(20) for mean in (number, number + 1)]
