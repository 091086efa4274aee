"""Python's variables in a recording are those that Python itself has at each line, whatever the script does."""

import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.debug.cursor import AtEdge
from minipaddle.tools.debug.expressions import evaluate
from minipaddle.tools.debug.line_stops import says
from minipaddle.tools.record import Recorder, load, save
from minipaddle.tools.record.user_code import lines as user_lines
from minipaddle.tools.record.user_code.lines import text_of
from minipaddle.tools.words.terminal import ASCII

LINES = (
    "k = k + 1",
    "s = {'k': k, 'x': s}",
    "s = 'a' * (len(str(s)) % 4)",
    "k = -0.0 if k is True else True",
    "xs.append(len(xs))",
    "xs = xs[:2] + [xs]",
    "x = x * 2",
    "n = f(x, 1)",
    "global_one()",
    "k = sum(k for k in range(3))",
    "k = next(g)",
)
BLOCKS = (
    "if len(xs) % 2:\n    {}\nelse:\n    {}",
    "for i in range(2):\n    {}\n    {}",
    "try:\n    {}\n    [][0]\nexcept IndexError as error:\n    {}",
    "with paddle.no_grad():\n    {}\n    {}",
    "def f(x, k):\n    x = x + k\n    xs.append(0)\n    return k if len(xs) > 5 else f(x, k + 1)\n{}\n{}",
)
BEFORE = """\
once = 0
def f(x, k):
    (x * k).sum()
    return k
def global_one():
    global once
    once = once + 1
def counted():
    n = 0
    while True:
        n = n + 1
        yield n
g = counted()
k, s, xs, n, x = 0, "", [], 0, paddle.ones([2])
"""


def run(text, path):
    """Run a script, up to an error that it may end with."""
    path.write_text(text, encoding="utf-8")
    with suppress(TypeError):
        exec(compile(text, path, "exec"), {"paddle": paddle})


def followed(text, path):
    """Return a recording of a script."""
    recorder = Recorder(str(path))
    with watching(recorder), recorder.lines.followed():
        run(text, path)
    return recorder.finish()


def seen(text, path):
    """Return each line, and what a trace function sees there."""
    found = []

    def tracer(frame, event, arg):
        function = frame.f_code.co_name
        if frame.f_code.co_filename != str(path) or (function[0] == "<" and function != "<module>"):
            return None
        if event == "line":
            texts = {name: text_of(one, 0) for name, one in frame.f_locals.items() if name[0] != "_"}
            found.append((frame.f_lineno, {name: text for name, text in texts.items() if text}))
        return tracer

    sys.settrace(tracer)
    run(text, path)
    sys.settrace(None)
    return found


def shown(trace, path):
    """Yield each line of a script, and what a session shows there."""
    variables = Session(trace).variables
    for step, ran in enumerate(trace.lines):
        if ran.file == str(path) and "return" not in ran.changed:
            texts = variables.of(step, step).items()
            yield (
                ran.line,
                {name: text.partition(" v")[0] if text[:3] == "Ten" else text for name, text in texts},
            )


@given(st.lists(st.tuples(st.sampled_from(("{}", *BLOCKS)), st.sampled_from(LINES), st.sampled_from(LINES))))
def test_variables_at_each_line_are_those_that_python_has(tmp_path_factory, pieces):
    text = BEFORE + "".join(f"{block.format(one, other)}\n" for block, one, other in pieces)
    path = tmp_path_factory.mktemp("script") / "script.py"
    assert list(shown(followed(text, path), path)) == seen(text, path)


SCRIPT = "def double(x, k):\n    return x * k\nk = 3\ny = double(paddle.ones([2]), 2)\n"


def answers(trace, *commands):
    said = []
    prompt = Prompt(Session(trace), ASCII, said.append)
    for command in ("end", *commands):
        prompt.run(command)
    return said


def test_a_recording_without_lines_has_no_locals(tmp_path):
    trace = followed(SCRIPT, tmp_path / "script.py")
    assert answers(trace, "print k", "up", "print k")[-1] == "3"
    trace.lines.clear()
    save(trace, tmp_path / "run.mpt")
    assert answers(load(tmp_path / "run.mpt"), "locals")[-1] == "*** there are no locals in this recording"


@pytest.mark.parametrize(
    "bad", [{"outer": 99}, {"line": 10**9}, {"layers": 99}, {"changed": {"x": f"Tensor [2] v{10**17}"}}]
)
def test_damaged_lines_are_answered(tmp_path, bad):
    trace = followed(SCRIPT, tmp_path / "script.py")
    trace.lines[:] = [ran._replace(**bad) for ran in reversed(trace.lines)]
    save(trace, tmp_path / "run.mpt")
    assert answers(load(tmp_path / "run.mpt"), "stack", "locals", "up", "print k", "source", "watch k")


@pytest.mark.parametrize("most", ["_IN_A_ROW", "_MOST_LINES"])
def test_too_many_lines_are_not_followed_and_that_is_said(monkeypatch, tmp_path, most):
    monkeypatch.setattr(user_lines, most, 20)
    loop = "for i in range(40):\n    k = i\n"
    said = answers(
        followed(f"{loop}y = paddle.ones([2])\nk = 5\nz = y * 2\n", tmp_path / "script.py"), "print k"
    )
    assert (said[-1] == "5") is (most == "_IN_A_ROW")
    said = answers(followed(f"{loop}y = paddle.ones([2])\n", tmp_path / "script.py"), "locals")
    assert said[-1] == "*** the lines that run here were not followed"


def test_lines_are_walked_back_in_the_order_of_the_run(tmp_path):
    trace = followed(f"{BEFORE}for k in range(2):\n    n = f(x, k)\nf(x, 2)\n", tmp_path / "script.py")
    session, walked = Session(trace), list[int]()
    with suppress(AtEdge):
        while True:
            session.go_to_line(-1, over=False)
            walked.append(session.at_line)
            assert session.behind < session.ahead == session.behind + 1
            assert session.stops[session.ahead] > session.moment >= [-1, *session.stops][session.ahead]
    ran = [at for at, one in enumerate(trace.lines) if "return" not in one.changed]
    assert walked == ran[: len(walked)][::-1]
    assert session.step() is trace.events[session.stops[0]]
    session.go_to_event(session.stops[-1])
    session.next_back()
    functions = [trace.lines[session.behind_line].function]
    with suppress(AtEdge):
        while True:
            session.go_to_line(-1, over=True)
            functions.append(trace.lines[session.at_line].function)
    assert functions == sorted(functions, key=["f", "<module>", "run"].index)
    assert functions.count("f") <= 3


@given(
    st.lists(st.tuples(st.sampled_from(BLOCKS), st.sampled_from(LINES), st.sampled_from(LINES)), max_size=4)
)
def test_a_condition_is_true_where_python_finds_it_true(tmp_path_factory, pieces):
    path = tmp_path_factory.mktemp("script") / "script.py"
    text = BEFORE + "".join(f"{block.format(one, other)}\n" for block, one, other in pieces)
    session = Session(followed(f"{text}(x * 2).sum()\nif k:\n    n = 1\n(x * 2).sum()\n", path))
    session.goto("end")
    head = len(text.splitlines()) + 2
    if any(ran.line == head for ran in session.trace.lines):  # no error was before it
        while session.at_line is None or session.trace.lines[session.at_line].line != head:
            session.go_to_line(-1, over=True)
        *_, said = says(session, "->")
        assert said.split() == ["if", "k", str(bool(evaluate(session, "k")))]
