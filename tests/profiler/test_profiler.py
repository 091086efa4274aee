"""A profiler looks on in the steps that its scheduler names, and tells what took how long."""

import json

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import profiler
from minipaddle.paddle.profiler.profiler import Profiler
from minipaddle.paddle.profiler.timer import Timed, Timer

S = profiler.ProfilerState
C, Y, R, L = S.CLOSED, S.READY, S.RECORD, S.RECORD_AND_RETURN


@pytest.mark.parametrize(
    ("options", "states"),
    [
        ({"closed": 1, "ready": 1, "record": 2, "repeat": 1, "skip_first": 1}, [C, C, Y, R, L, C, C, C]),
        ({"closed": 1, "ready": 1, "record": 2}, [C, Y, R, L, C, Y, R, L, C]),
        ({"closed": 0, "ready": 0, "record": 1, "repeat": 2}, [L, L, C, C]),
    ],
)
def test_rounds_of_steps_as_in_paddle(options, states):
    scheduler = profiler.make_scheduler(**options)
    assert [scheduler(step) for step in range(len(states))] == states


@pytest.mark.parametrize("wrong", [{"closed": -1}, {"record": 0}, {"repeat": -1}])
def test_wrong_rounds(wrong):
    with pytest.raises(AssertionError, match="Invalid profiler scheduler arguments"):
        profiler.make_scheduler(**{"closed": 1, "ready": 0, "record": 1, **wrong})
    with pytest.raises(AssertionError, match="scheduler should be"):
        Profiler(scheduler=(3, 1))


def train(looking, steps):
    layer = paddle.nn.Linear(3, 2)
    optimizer = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
    for _ in range(steps):
        with profiler.RecordEvent("forward"):
            loss = layer(paddle.ones([4, 3])).sum()
        loss.backward()
        optimizer.step()
        looking.step()


def test_only_the_steps_that_are_named_are_looked_at():
    ready = []
    looking = Profiler(
        scheduler=(1, 3), on_trace_ready=lambda one: ready.append((one.step_num, one.current_state))
    )
    with looking:
        train(looking, 5)
    assert ready == [(3, S.CLOSED)]
    kinds = [(span.kind.name, span.name) for span in looking._spans.found]
    assert kinds.count(("Operator", "matmul_v2")) == 2
    assert kinds.count(("Backward", "MatmulGradNode")) == 2
    assert kinds.count(("Optimization", "sgd")) == 4
    assert kinds.count(("PythonUserDefined", "forward")) == 2
    assert all(span.seconds > 0 for span in looking._spans.found)


def test_without_a_scheduler_all_steps_are_one_round():
    ready = []
    with Profiler(on_trace_ready=ready.append) as looking:
        train(looking, 2)
    assert ready == [looking]
    assert [span.name for span in looking._spans.found].count("forward") == 2


def test_the_operators_of_a_program_are_seen():
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            out = paddle.tanh(paddle.static.data("x", [2], "float32"))
        with Profiler() as looking:
            paddle.static.Executor().run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[out])
    finally:
        paddle.disable_static()
    assert ("StaticKernelLaunch", "tanh") in [(span.kind.name, span.name) for span in looking._spans.found]


def test_tables_are_sorted_and_add_up(capsys):
    with Profiler() as looking:
        train(looking, 3)
    looking.summary(sorted_by=profiler.SortedKeys.CPUTotal, time_unit="us")
    kinds, operators, own = capsys.readouterr().out.strip().split("\n\n")
    assert kinds.startswith("Kinds")
    assert own.splitlines()[1].split()[:2] == ["forward", "3"]
    rows = [line.split() for line in operators.splitlines()[1:]]
    totals = [float(row[2]) for row in rows]
    assert totals == sorted(totals, reverse=True)
    assert sum(float(row[-1]) for row in rows) == pytest.approx(100, abs=0.5)
    looking.summary(views=profiler.SummaryView.UDFView)
    assert capsys.readouterr().out.startswith("Own code")


def test_a_trace_for_chrome(tmp_path):
    export = profiler.export_chrome_tracing(str(tmp_path / "log"), "me")
    with Profiler(on_trace_ready=export) as looking:
        train(looking, 1)
    (file,) = (tmp_path / "log").iterdir()
    assert file.name == "me_step_1.paddle_trace.json"
    events = json.loads(file.read_text())["traceEvents"]
    assert {"forward", "matmul_v2", "sgd"} <= {event["name"] for event in events}
    with pytest.raises(ValueError, match="format should be 'json'"):
        looking.export(str(tmp_path / "x"), "pb")


def test_an_event_that_nobody_looks_at_is_nothing():
    event = profiler.RecordEvent("alone")
    event.end()
    event.begin()
    event.end()


def test_steps_are_timed(capsys):
    with Profiler(timer_only=True) as timing:
        assert timing.step_info() == ""
        timing.step(num_samples=4)
        assert timing.step_info("images").endswith(" images/s")
        timing.step()
        assert timing.step_info().endswith(" steps/s")
    assert timing._spans.found == []
    assert "batch_cost" in capsys.readouterr().out


def test_what_a_timer_tells():
    timer = Timer()
    timer.steps = [Timed(0.5, 4), Timed(0.25, 4)]
    assert timer.info(None) == " batch_cost: 0.37500 s ips: 12.000 samples/s"
    assert timer.info(None) == ""
    assert (
        timer.summary().splitlines()[2]
        == "|   batch_cost    |     0.37500     |     0.50000     |     0.25000     |"
    )
