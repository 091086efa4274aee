"""`why NAME.grad[0, 1]`: the terms in one element of a gradient."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Session
from minipaddle.tools.debug.cards import why_name
from minipaddle.tools.explain.terms import terms_of
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
    """The gradient of w from each of the four steps."""
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
    """All parameters are equal, so that numbers distinguish nothing."""

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
