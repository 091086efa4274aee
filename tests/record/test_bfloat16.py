"""The tools show bfloat16: recordings, statistics, formulas with the numbers put in, gradients that are checked."""

from minipaddle import paddle
from minipaddle.engine.core.dtype.bfloat16 import is_bfloat16
from minipaddle.engine.core.watching import watching
from minipaddle.tools.checks.gradient.check import check_trace
from minipaddle.tools.debug.cards import why_lines
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record import Recorder, load, save


def recorded():
    recorder = Recorder()
    with watching(recorder):
        x = paddle.to_tensor([[1.0, 2.5], [3.14159, -4.0]], dtype="bfloat16")
        w = paddle.to_tensor([[0.5, 1.25], [2.0, 0.1]], dtype="bfloat16", stop_gradient=False)
        (paddle.tanh(x @ w) * x).mean().backward()
    return recorder.trace


def test_a_recording_in_a_file(tmp_path):
    trace = recorded()
    save(trace, tmp_path / "run.mpt")
    again = load(tmp_path / "run.mpt")
    kept = [value for value in again.values if value.array is not None]
    assert {value.dtype for value in kept} == {"bfloat16"}
    assert all(is_bfloat16(value.array) for value in kept)
    assert [value.array.tolist() for value in kept] == [
        value.array.tolist() for value in trace.values if value.array is not None
    ]
    assert [value.stats for value in again.values] == [value.stats for value in trace.values]
    assert kept[0].nbytes == 8


def test_what_float32_keeps_is_told_after_bfloat16_was_named():
    paddle.ones([1], "bfloat16")
    recorder = Recorder()
    with watching(recorder):
        x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
        paddle.tanh(x).sum().backward()
    (tanh,) = [event for event in recorder.trace.events if event.op == "tanh" and event.kind == "op"]
    assert tanh.saved == tanh.outputs


def test_why():
    session = Session(recorded())
    told = []
    while session.event is not session.trace.events[-1]:
        told += why_lines(session, None)
        session.next()
    assert "rule     matmul_0 = x @ w" in told
    assert "numbers  matmul_0[1, 0] = 3.141 * 0.5 + (-4) * 2 = -6.438" in told
    assert any(line.startswith("numbers  w@GRAD[") for line in told)


def test_no_gradient_is_found_wrong():
    found = list(check_trace(recorded()))
    assert [one.verdict for one in found] == [
        "ok",
        "ok",
        "unsure",
        "ok",
    ]  # tanh: by its output, which is rounded
