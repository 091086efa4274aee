"""`why NAME.grad[0, 1]`: the terms that one element of a gradient is the sum of."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import why_name
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.explain.terms import terms_of
from minipaddle.tools.explain.why import why
from minipaddle.tools.record import Recorder


def unrolled():
    w = paddle.to_tensor([[0.5, 0.1], [0.2, 0.5]], stop_gradient=False)
    h = paddle.to_tensor([[1.0, 2.0]])
    for _ in range(4):
        h = paddle.tanh(h @ w)
    (h.sum() + (w * w).sum()).backward()
    (w * 3.0).sum().backward()


@pytest.fixture
def session(record):
    """The run of `unrolled`, at its end."""
    session = Session(record(unrolled))
    session.goto("end")
    return session


def by_hand():
    """The gradient of w that each of the four steps sends back."""
    w, h, steps = np.array([[0.5, 0.1], [0.2, 0.5]]), [np.array([[1.0, 2.0]])], []
    for _ in range(4):
        h.append(np.tanh(h[-1] @ w))
    back = np.ones((1, 2))
    for before, after in zip(h[-2::-1], h[:0:-1]):
        back = back * (1 - after**2)
        steps.append(before.T @ back)
        back = back @ w.T
    return steps


def test_every_step_has_its_own_term(session):
    session.goto("w.grad")
    answer = why_name(session, "w.grad[0, 1]")
    assert answer.says == ["w.grad[0, 1] is 1.129, the sum of 6 terms"]
    steps = [line.split() for line in answer.numbers if "matmul" in line]
    assert [line[-3] for line in steps] == ["4", "3", "2", "1"]
    assert [float(line[0]) for line in steps] == pytest.approx([step[0, 1] for step in by_hand()], rel=1e-3)
    assert [float(line.split()[0]) for line in answer.numbers if "multiply" in line] == [0.1, 0.1]


def test_what_was_there_before_is_a_term(session):
    answer = why_name(session, "w.grad[0, 1]")
    assert [line.split(maxsplit=1)[1] for line in answer.numbers][1] == "was there before this pass"
    assert float(answer.numbers[0].split()[0]) == 3.0


@pytest.mark.parametrize("name", ["w.grad[2, 0]", "w.grad[0]", "w.grad[0, 0, 0]", "h[0, 0]", "nobody[0]"])
def test_what_is_not_there_is_said(session, name):
    with pytest.raises(NoMove):
        why_name(session, name)


def test_of_many_terms_the_largest_are_written_and_the_rest_added(record):
    def long():
        w = paddle.to_tensor([1.0], stop_gradient=False)
        sum((w * float(i) for i in range(1, 41)), paddle.zeros([1])).sum().backward()

    session = Session(record(long))
    session.goto("end")
    answer = why_name(session, "w.grad[0]")
    assert answer.says == ["w.grad[0] is 820, the sum of 40 terms"]
    assert [float(line.split()[0]) for line in answer.numbers] == [*range(40, 20, -1), 210.0]


def test_lines_of_two_files_of_one_name_are_two_places(record, tmp_path):
    """Both are used on line 2 of a `part.py`, by the same operator, with the same numbers."""
    parts = []
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        file = tmp_path / folder / "part.py"
        file.write_text("def part(w):\n    return w * 2.0\n")
        scope = {}
        exec(compile(file.read_text(), str(file), "exec"), scope)
        parts.append(scope["part"])

    def net():
        w = paddle.to_tensor([1.0], stop_gradient=False)
        (parts[0](w) + parts[1](w)).sum().backward()

    session = Session(record(net))
    session.goto("end")
    lines = why_name(session, "w.grad[0]").numbers
    assert [line.split() for line in lines] == [["2", "scale", "part.py:2"]] * 2


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(["mul", "sum", "matmul", "square"]), min_size=1, max_size=12), st.integers(0, 9)
)
def test_the_terms_add_up_to_the_gradient(uses, seed):
    """All parameters are equal, so that nothing can be told apart by its numbers."""

    def net():
        paddle.seed(seed)
        w = paddle.full([2, 2], 0.5)
        w.stop_gradient = False
        other = paddle.full([2, 2], 0.5)
        other.stop_gradient = False
        total = (w * other).sum()
        for use in uses:
            made = {"mul": w * 0.5, "sum": w + other, "matmul": w @ other, "square": w * w}[use]
            total = total + made.sum()
        total.backward()

    recorder = Recorder("net")
    with watching(recorder):
        net()
    trace = recorder.trace
    for value in trace.values:
        if value.kind == "gradient" and value.array is not None:
            terms = terms_of(trace, value)
            assert np.allclose(sum(term.gradient.array for term in terms), value.array, rtol=1e-6, atol=1e-6)


def test_a_stored_gradient_says_the_share_of_every_use_and_what_cancels(record):
    def script():
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        (x * 3.0 + x * -2.9).sum().backward()

    trace = record(script)
    (store,) = [event for event in trace.events if event.kind == "store"]
    answer = why(trace, store)
    assert [line.split()[0] for line in answer.numbers] == ["-2900%", "3000%"]
    assert answer.says[-1] == "the terms cancel: of their norms together 2% is left"


def test_one_use_has_no_share(record):
    def script():
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        (x * 3.0).sum().backward()

    trace = record(script)
    (store,) = [event for event in trace.events if event.kind == "store"]
    assert why(trace, store).numbers == []


def test_why_of_a_gradient_that_was_added_to_tells_what_it_holds_now(record):
    def script():
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        (x * 3.0).sum().backward()
        (x * 2.0).sum().backward()

    session = Session(record(script))
    session.goto("end")
    answer = why_name(session, "x.grad")
    assert answer.says[0] == "x.grad is well: 5, 5; of this the pass brought 2, 2"
    assert answer.rule == ["x.grad += x@GRAD", "x@GRAD = scale_6@GRAD * 2"]
    assert [line.split()[0] for line in answer.numbers if "%" in line] == ["40%", "60%"]
