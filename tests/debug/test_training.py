"""`flow --passes all`: the mistakes of training loops are found with their lines; what is right is left alone."""

import inspect
import json
from pathlib import Path

import pytest

from minipaddle import paddle
from minipaddle.tools.checks.flow import gradient_flow
from minipaddle.tools.checks.training import timeline, timeline_lines, timeline_object
from minipaddle.tools.record import load, save
from tests.support import correct_loops, losses_mistaken
from tests.support.training_loops import CORRECT, MISTAKEN

BARS = "▁▂▃▄▅▆▇█"


def line_of(loop):
    for function in (loop, losses_mistaken.blowing_up):
        lines, first = inspect.getsourcelines(function)
        found = [number for number, line in enumerate(lines, first) if line.endswith("# here\n")]
        if found:
            return f"{Path(inspect.getfile(function)).name}:{found[0]}"
    raise AssertionError(loop)


def test_there_are_enough_of_both():
    assert sum(map(len, MISTAKEN.values())) >= 25
    assert len(CORRECT) >= 25


@pytest.mark.parametrize(
    ("kind", "loop"),
    [(kind, loop) for kind, loops in MISTAKEN.items() for loop in loops],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_mistake_is_found_with_its_line(record, kind, loop):
    found = timeline(record(loop))
    assert [(one.kind, one.where) for one in found.mistakes] == [(kind, line_of(loop))]
    assert line_of(loop) in found.mistakes[0].sentence or kind in ("no optimizer", "no step")
    assert found.mistakes[0].sentence in list(timeline_lines(found, BARS))


@pytest.mark.parametrize("loop", CORRECT, ids=lambda one: one.__name__)
def test_what_is_right_is_left_alone(record, loop):
    trace = record(loop)
    assert timeline(trace).mistakes == []
    assert gradient_flow(trace).reasons == []


def test_groups_that_an_optimizer_was_given_are_the_groups(record, tmp_path):
    def script():
        net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Linear(3, 1))
        bias = [one for one in net.parameters() if one.ndim == 1]
        weight = [one for one in net.parameters() if one.ndim == 2]
        groups = [{"params": weight}, {"params": bias, "learning_rate": 0.1}]
        optimizer = paddle.optimizer.SGD(0.1, parameters=groups)
        for _ in range(3):
            net(paddle.ones([4, 2])).mean().backward()
            optimizer.step()
            optimizer.clear_grad()

    trace = record(script)
    save(trace, tmp_path / "groups.mpt")
    for one in (trace, load(tmp_path / "groups.mpt")):
        found = timeline(one)
        names = [series.name.removeprefix("update/weight of ") for series in found.series]
        assert names[2:] == ["group 0 (0.weight, 1.weight)", "group 1 (0.bias, 1.bias)"]
        assert next(timeline_lines(found, BARS)).startswith("by parameter group  ")
        assert timeline_object(found)["by"] == "group"
        weights, biases = (series.values for series in found.series[2:])
        assert len(weights) == len(biases) == 3


def test_the_timeline_has_a_line_for_each_number(record):
    found = timeline(record(correct_loops.gradients_added_up_on_purpose))
    assert found.passes == list(range(1, 9))
    names = [one.name for one in found.series]
    assert names == ["loss", "gradient", "update/weight of 0", "update/weight of 2"]
    assert [len(one.values) for one in found.series] == [8, 8, 4, 4]
    head, *rows = timeline_lines(found, BARS)
    assert head.split() == ["by", "layer", "first", "last", "smallest", "largest", "trend", "breaks"]
    assert all(set(row.split()[-1]) <= set(BARS) for row in rows)
    assert max(map(len, rows)) <= 100
    assert json.loads(json.dumps(timeline_object(found)))["passes"] == found.passes


def test_the_first_pass_at_which_a_trend_breaks_is_named(record):
    found = timeline(record(losses_mistaken.a_rate_of_ten))
    loss = found.series[0]
    assert loss.breaks_at == 1
    assert "pass 2" in list(timeline_lines(found, BARS))[1]
