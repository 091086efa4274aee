"""The cursor: wherever it goes, it shows that event, and it can go back."""

import json
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import NoMove, Prompt, Session
from minipaddle.tools.debug.cards import card, event_object
from minipaddle.tools.debug.cursor import AtEdge
from minipaddle.tools.debug.expressions import Mistake, evaluate
from minipaddle.tools.record import Recorder
from minipaddle.tools.words.terminal import UNICODE
from tests.support.runs import train


@pytest.fixture(scope="module")
def trace():
    recorder = Recorder(__file__)
    with watching(recorder):
        train()
    return recorder.trace


def shown(session):
    return list(card(session, UNICODE)), event_object(session)


MOVES = st.lists(
    st.one_of(
        st.sampled_from(["step", "back", "next", "finish", "continue"]),
        st.tuples(st.just("goto"), st.integers(0, 200)),
    ),
    max_size=12,
)


def make(session, move):
    try:
        match move:
            case "next":
                session.next()
            case "finish":
                session.finish()
            case "continue":
                session.resume()
            case "step":
                session.step()
            case "back":
                session.back()
            case ("goto", number):
                session.goto(str(number % len(session.stops)))
    except NoMove:
        pass


@given(MOVES)
def test_back_shows_what_was_shown_wherever_one_came_from(trace, moves):
    session = Session(trace)
    for move in moves:
        make(session, move)
    before, position = shown(session), session.position
    if not session.at_end:
        session.step()
        assert session.position == position + 1
        session.back()
        assert shown(session) == before


@given(st.integers(0, 200))
def test_next_goes_forward_never_deeper_and_leaves_out_bodies_only(trace, start):
    session = Session(trace)
    here = session.goto(str(start % len(session.stops)))
    if not session.at_end:
        there = session.next()
        assert there.index > here.index
        assert there.depth <= here.depth
        assert there.kind != "enter"
        between = [
            event for event in trace.events[here.index + 1 : there.index] if event.index in session.stops
        ]
        assert all(event.depth > there.depth or event.kind == "enter" for event in between)


@given(st.integers(0, 200))
def test_finish_leaves_the_body_and_stops_at_what_it_belongs_to(trace, start):
    session = Session(trace)
    here = session.goto(str(start % len(session.stops)))
    inside = here.depth + (here.kind == "enter")
    if inside:
        there = session.finish()
        enter = here.index if here.kind == "enter" else here.parent
        assert there.depth == inside - 1
        assert there.body is None or there.body[0] == enter


def test_next_walks_over_the_pylayer_and_step_goes_in(session):
    session.goto("h")
    assert session.step().kind == "enter"
    session.back()
    assert session.next().title == "Squash"
    assert session.event.body is not None


def test_finish_outside_of_bodies_says_so(session):
    with pytest.raises(NoMove, match="in no body"):
        session.finish()


def test_goto_a_name_goes_to_the_next_event_that_makes_it_and_round_again(session):
    first = session.goto("w@GRAD").index
    second = session.goto("w@GRAD").index
    assert first < second
    assert session.goto("w@GRAD").index == first


def test_goto_either_end(session):
    assert session.goto("end").index == session.stops[-1]
    assert session.goto("begin").index == session.stops[0]


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        ("w@GARD", "do you mean w@GRAD"),
        ("w", "it was there before; do you mean w@GRAD?"),
        ("9999", "events are numbered 0 to"),
        ("-1", "events are numbered 0 to"),
        ("qqqqqqqq", "no event makes a value called qqqqqqqq$"),
    ],
)
def test_goto_nowhere_says_what_there_is(session, target, answer):
    with pytest.raises(NoMove, match=answer.replace("?", r"\?")):
        session.goto(target)
    assert session.position == 0


def test_the_ends_are_no_mistakes(session):
    with pytest.raises(AtEdge, match="beginning"):
        session.back()
    session.resume()
    for move in (session.step, session.next):
        with pytest.raises(AtEdge, match="end of the recording"):
            move()


def test_where_leads_to_the_loss_in_forward_and_back_to_it_along_the_gradient(session):
    assert [event.title for event in session.chain()] == ["matmul", "add", "Squash", "multiply", "mean"]
    session.goto("w@GRAD")
    chain = [event.title for event in session.chain()]
    assert (chain[0], chain[-1], "Squash" in chain) == ("matmul", "mean", True)


def test_a_name_stands_for_what_it_held_at_the_cursor(session):
    first = session.find("w@GRAD")
    session.goto("end")
    assert session.find("w@GRAD").id > first.id
    assert session.find("nobody") is None


def test_nothing_recorded_is_no_session(record):
    with pytest.raises(NoMove, match="nothing was recorded"):
        Session(record(lambda: None))


def test_a_pattern_goes_to_the_next_event_that_makes_a_name_like_it(session):
    for pattern in ("matmul*", "*_grad", "w*GRAD"):
        first = session.goto(pattern).index
        assert session.goto(pattern).index != first or pattern == "w*GRAD"
    with pytest.raises(NoMove, match="no event makes a value called q"):
        session.goto("q*")


def test_rnext_returns_to_where_next_began_over_bodies(trace):
    session = Session(trace)
    for position in range(len(session.stops) - 1):
        session.position = position
        began = session.event
        with suppress(NoMove):
            if session.next().depth == began.depth and began.kind != "enter":
                assert session.next_back() is began
    session.position = 0
    with pytest.raises(AtEdge, match="beginning"):
        session.next_back()


COMMANDS = st.lists(
    st.sampled_from(
        ["step", "step 3", "next", "rnext", "back", "back 2", "finish", "continue", "rcontinue", "goto 7"]
    ),
    max_size=30,
)


@given(moves=COMMANDS)
def test_whatever_the_way_a_place_shows_the_same(trace, moves):
    session = Session(trace)
    said = []
    prompt = Prompt(session, UNICODE, said.append, as_json=True)
    for line in ("break op:matmul*", "break backward if norm > 1", "display h"):
        prompt.run(line)
    shown = {}
    for move in moves:
        prompt.run(move)
        said.clear()
        prompt.show()
        assert shown.setdefault(session.position, without_id(said[0])) == without_id(said[0])


WALKS = st.lists(
    st.tuples(st.sampled_from(["step", "back", "goto", "set", "switch", "next"]), st.integers(0, 40)),
    max_size=25,
)


@given(walk=WALKS)
def test_back_after_step_restores_exactly_in_every_fork(trace, walk):
    """For any walk, and any changes on the way: as many steps back as forward show the same again."""
    session = Session(trace)
    said = []
    prompt = Prompt(session, UNICODE, said.append, as_json=True)
    for move, number in walk:
        if move == "set":
            prompt.run(f"set w = w * {1 + number / 10}")
            continue
        if move == "switch":
            prompt.run(f"switch {number % len(prompt.forks.all)}")
            continue
        prompt.run(move if move == "next" else f"{move} {number % len(session.stops) or 1}")
        here = session.position
        before = seen_at(prompt, said)
        count = min(number or 1, len(session.stops) - 1 - here)
        if count:
            prompt.run(f"step {count}")
            assert session.position == here + count
            prompt.run(f"back {count}")
            assert (session.position, seen_at(prompt, said)) == (here, before)


def seen_at(prompt, said):
    """Return all that is visible at the cursor: the stop, why, and the places around."""
    said.clear()
    for line in ("list", "where"):
        prompt.run(line)
    prompt.show()
    return [without_id(line) for line in said]


def without_id(line):
    return {key: value for key, value in json.loads(line).items() if key != "id"}


def user_s_own_np():
    W = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    np = W * 2
    (np * np).sum().backward()
    return W


def test_expressions_look_ahead_and_names_stay_as_they_are_written(record):
    session = Session(record(user_s_own_np))
    text = {
        "W@GRAD + 1": "[ 9. 17.]",
        "W.grad.max()": "16.0",
        "W@GRAD[0]": "8.0",
        '"W@GRAD"': "W@GRAD",
        "np * 2": "[4. 8.]",
        "np.sum()": "6.0",
        "max(np)": "4.0",
        "np.abs(W)": "[1. 2.]",
    }
    assert {asked: str(evaluate(session, asked)) for asked in text} == text
    for name in ("zz@GRAD", "zz.grad", "zz__grad"):
        with pytest.raises(Mistake, match=rf"name '{re.escape(name)}' is not defined"):
            evaluate(session, f"{name} + 1")
