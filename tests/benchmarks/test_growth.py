"""The tools take no more steps than the recording is long: four times the layers, four times the calls of functions."""

import sys
from collections.abc import Callable
from functools import partial

import pytest

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.checks.flow import flow_lines, gradient_flow
from minipaddle.tools.checks.gradient.check import check_trace
from minipaddle.tools.checks.nan import hunt, hunt_lines
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record import Recorder, Trace

TOOLS: dict[str, Callable[[Trace], object]] = {
    "flow": lambda trace: flow_lines(gradient_flow(trace)),
    "check": lambda trace: list(check_trace(trace)),
    "nan": lambda trace: hunt_lines(hunt(trace), trace),
    "tree": lambda trace: Picture(mirror(trace), trace).text(),
    "dot": lambda trace: Picture(mirror(trace), trace).dot,
    "page": lambda trace: Picture(mirror(trace), trace).html(),
}


def deep(layers: int) -> Trace:
    """A recording of so many layers, one after the other, forward and backward; each passes on what it gets."""
    net = [paddle.nn.Linear(2, 2) for _ in range(layers)]
    for layer in net:
        layer.weight.set_value(paddle.eye(2))
    recorder = Recorder("deep.py")
    with watching(recorder):
        h = paddle.ones([3, 2])
        for layer in net:
            h = paddle.nn.functional.relu(layer(h))
        h.mean().backward()
    return recorder.finish()


def calls_of(work: Callable[[], object]) -> int:
    """The number of calls of functions written in Python, each step of a generator one."""
    count = 0

    def called(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", TOOLS)
def test_four_times_the_layers_take_four_times_the_calls(name: str):
    traces = [deep(layers) for layers in (2, 2, 40, 160)]  # the first loads what is loaded late
    _, least, few, most = (calls_of(partial(TOOLS[name], trace)) for trace in traces)
    assert most - least < 5 * (few - least)


def test_a_recording_takes_twice_the_calls_for_twice_the_layers():
    _, few, more, most = (calls_of(partial(deep, layers)) for layers in (2, 20, 40, 80))
    assert most - more < 2.5 * (more - few)


def loop(passes: int) -> Trace:
    """A recording of a loop whose loss has a slope in it: its graph holds other tensors over the weights."""
    net, recorder = paddle.nn.Linear(2, 2), Recorder("loop.py")
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    with watching(recorder):
        for _ in range(passes):
            x = paddle.ones([3, 2])
            x.stop_gradient = False
            (slope,) = paddle.grad(paddle.tanh(net(x)), x, create_graph=True)
            slope.square().mean().backward()
            optimizer.step()
            optimizer.clear_grad()
    return recorder.finish()


def test_twice_the_passes_with_a_slope_have_twice_the_values():
    few, more = (len(loop(passes).values) for passes in (40, 80))
    assert more < 2.2 * few
