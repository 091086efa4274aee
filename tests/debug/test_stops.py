"""Breakpoints: every SPEC stops where it says and nowhere else; an impossible one is refused with similar names."""

from functools import partial

import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.debug.stop_spec import BadSpec, parse
from minipaddle.tools.words.events import title
from minipaddle.tools.words.terminal import UNICODE


def stops(session, text):
    """The titles of all stops at which a SPEC holds."""
    spec = parse(text, session)
    return [title(e) for index in session.stops if spec.holds(session, e := session.trace.events[index])]


@pytest.mark.parametrize(
    ("spec", "some"),
    [
        ("op:matmul", ["matmul", "matmul_grad"]),
        ("op:matmul_grad", ["matmul_grad"]),
        ("op:Squash*", ["Squash", "Squash_grad"]),
        ("var:h", ["add", "Squash_grad"]),
        ("var:w", ["matmul_grad", "w.grad"]),
        ("pylayer:Squash", ["into Squash.forward", "tanh", "Squash"]),
        ("pass:2 backward", ["sum_grad", "relu_grad"]),
        ("norm>0 op:w.grad", ["w.grad"]),
        ("if norm > 3", []),
        ("matmul", ["matmul"]),
        ("op:mean if out < 10", ["mean"]),
        ("backward if g.size == 1", ["mean_grad"]),
    ],
)
def test_a_spec_holds_where_it_says(session, spec, some):
    held = stops(session, spec)
    assert set(some) <= set(held)
    assert len(held) < len(session.stops)


def test_a_line_is_that_of_the_forward_call(session):
    line = next(e.where.number for e in session.trace.events if e.title == "Squash" and e.kind == "op")
    held = stops(session, f"line:{line}")
    assert "Squash_grad" in held
    assert held == stops(session, f"line:runs.py:{line}")


def test_states_of_numbers(record):
    def script():
        x = paddle.to_tensor([0.0, 1.0])
        paddle.log(x)
        x * 0
        paddle.log(x) * 0

    session = Session(record(script))
    assert stops(session, "inf") == ["log", "log"]
    assert stops(session, "zero") == ["scale"]
    assert stops(session, "nan") == ["scale"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("op:matmull", "nothing matches op:matmull; there are matmul"),
        ("var:zz9", "nothing matches var:zz9"),
        ("line:99999", "nothing matches line:99999"),
        ("pass:7", "nothing matches pass:7"),
        ("block:3", "nothing matches block:3"),
        ("nonsense", "no such term: nonsense"),
        ("norm>ten", "'ten' is no number"),
        ("op:", "needs a name"),
        ("", "stop at what"),
        ("if 1 +", "SyntaxError"),
        ("if nothing_like_that > 1", "nothing_like_that"),
        ("if z > 0", "z > 0: the condition has many truth values: .any() or .all()"),
    ],
)
def test_what_cannot_be_is_refused(session, spec, said):
    with pytest.raises(BadSpec, match=r".*") as refused:
        parse(spec, session)
    assert said in str(refused.value)


def test_an_expression_about_what_is_not_made_yet_waits_for_it(session):
    assert stops(session, "if (z > 100).any()") == []
    held = stops(session, "if z.shape == (3, 2)")
    assert held
    assert held[0] == "Squash"


def walk(session, move):
    seen = []
    while True:
        before = session.position
        move()
        seen.append(title(session.event))
        if session.position in (0, len(session.stops) - 1) or session.position == before:
            return seen


def test_continue_and_rcontinue_visit_the_same_stops(session):
    session.stop_at(partial(parse, "op:matmul*"))
    forth = walk(session, session.resume)
    assert forth[:-1] == ["matmul", "matmul_grad"] or forth[:-1] == ["matmul_grad", "matmul", "matmul_grad"]
    back = walk(session, session.resume_back)
    assert back[: len(forth) - 1] == forth[:-1][::-1]


def test_hits_belong_to_the_place_not_to_the_way_there(session):
    session.stop_at(partial(parse, "op:matmul*"))
    seen = {}
    for position in [*range(len(session.stops)), *reversed(range(len(session.stops)))]:
        session.position = position
        assert seen.setdefault(position, session.hits) == session.hits


def test_continue_goes_to_the_nth_stop_and_rcontinue_back(session):
    prompt = Prompt(session, UNICODE, [].append)
    prompt.run("break backward")
    prompt.run("continue 2")
    second = session.event.index
    prompt.run("begin")
    prompt.run("continue")
    first = session.event.index
    prompt.run("continue")
    assert (session.event.index, first < second) == (second, True)
    prompt.run("continue")
    prompt.run("rcontinue 2")
    assert session.event.index == first


@pytest.mark.parametrize(("spec", "words"), [("line:9999", "there are "), ("if 1/0", "ZeroDivisionError")])
def test_a_stop_that_can_never_be_is_refused_at_once(session, spec, words):
    with pytest.raises(BadSpec, match=words) as refused:
        parse(spec, session)
    if spec.startswith("line"):
        lines = [int(n) for e in session.trace.events if e.where for n in [e.where.number]]
        assert str(max(lines)) in str(refused.value)
