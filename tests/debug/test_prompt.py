"""The prompt as an object: its loop over the lines that it reads."""

import builtins

import pytest

from minipaddle import paddle
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.debug.cards import event_object
from minipaddle.tools.record import load, save
from minipaddle.tools.words.terminal import ASCII
from tests.support.runs import train


@pytest.fixture
def prompt(session):
    said = []
    made = Prompt(session, ASCII, said.append)
    made.said = said
    return made


@pytest.fixture
def typed(monkeypatch):
    """`typed("step", KeyboardInterrupt, ...)`: what the user types; it ends with Ctrl-D. Gives the prompts shown."""
    shown = []

    def script(*events):
        waiting = iter(events)

        def read(words=""):
            shown.append(words)
            event = next(waiting, EOFError)
            if isinstance(event, str):
                return event
            raise event

        monkeypatch.setattr(builtins, "input", read)
        return shown

    return script


def test_the_prompt_tells_where_the_cursor_is(prompt, typed):
    shown = typed("step 2", "continue")
    prompt.cmdloop()
    last = len(prompt.session.stops) - 1
    assert shown == [
        f"(mp {at}/{last} {phase}) " for at, phase in ((0, "forward"), (2, "forward"), (last, "backward"))
    ]


def test_an_update_is_in_no_phase(record):
    def script():
        x = paddle.to_tensor([1.0, 1.0], stop_gradient=False)
        (x * x).sum().backward()
        paddle.optimizer.SGD(0.1, parameters=[x]).step()

    prompt = Prompt(Session(record(script)), ASCII)
    prompt.onecmd("end")
    prompt.postcmd(False, "end")
    assert prompt.prompt == "(mp 6/6) "
    assert [event_object(prompt.session)[key] for key in ("kind", "phase", "pass")] == ["update", None, 1]


def test_ctrl_c_returns_to_the_prompt_and_loses_nothing(prompt, typed):
    shown = typed("step", KeyboardInterrupt, "step")
    prompt.cmdloop()
    assert prompt.session.position == 2
    assert len(shown) == 4


def test_an_empty_line_does_it_again(prompt, typed):
    typed("next", "", "")
    prompt.cmdloop()
    assert prompt.session.position > 2
    assert not prompt.failed


def test_an_empty_line_at_first_does_nothing(prompt, typed):
    typed("")
    prompt.cmdloop()
    assert prompt.said == []


@pytest.mark.parametrize("line", ["quit", "q", "exit", "EOF"])
def test_ways_out(prompt, line):
    assert prompt.run(line) is True


@pytest.mark.parametrize(
    "line", ["@", "!ls", "?", "step -1", "goto \x00", "print (", "p __import__('os')", "  why  "]
)
def test_nothing_typed_ends_the_session(prompt, line):
    assert prompt.run(line) is False
    assert prompt.said


def test_completion_of_names(prompt):
    assert prompt.completedefault("w", "print w", 6, 7) == ["w", "w.grad", "w@GRAD"]
    assert "tree" in prompt.completenames("tr")


@pytest.mark.parametrize("short", ["s", "n", "bk", "c", "f", "g 1", "w", "p w", "h", "l"])
def test_short_forms(prompt, short):
    prompt.session.goto("h")
    prompt.session.step()
    prompt.run(short)
    assert not prompt.failed


@pytest.mark.parametrize(
    ("line", "text", "some"),
    [("b op:ma", "op:ma", "op:matmul"), ("break var:w", "var:w", "var:w@GRAD"), ("b na", "na", "nan")],
)
def test_completion_of_specs(prompt, line, text, some):
    assert some in prompt.completedefault(text, line, line.index(" ") + 1, len(line))


def test_what_python_binds_stays_pythons(prompt):
    for line in ("!position_of = 41 + 1", "print position_of", "!print(position_of)"):
        prompt.run(line)
    assert "42" in prompt.said
    assert any(line.startswith("*** position_of") for line in prompt.said)


MISTAKES = """
    goto; goto 99999; goto ---1; goto ²; next ²; jac ²; switch ²; delete ²; break; break zzz; watch; watch nobody;
    delete 9; print; print 1 +; print 1 / 0; print nobody; tensor; tensor nobody; tensor w --what; tensor w[9];
    display 1 +; undisplay w; jac 9; check; set; set w; set nobody = 1; set w = nobody;
    switch 9; switch x; diff 9; record; record x.txt; record /nowhere/x.mpt; !; !1 / 0; !)(;
    help nobody; back 0; step -1; nonsense; finish; source x; flow; nan; list
"""


@pytest.mark.parametrize("line", [line.strip() for line in MISTAKES.split(";")])
def test_whatever_is_typed_the_session_goes_on(prompt, line):
    assert not prompt.run(line)
    assert prompt.said
    assert not prompt.run("step")


def test_as_json_every_answer_is_an_object(session):
    import json

    said = []
    prompt = Prompt(session, ASCII, said.append, as_json=True)
    every = (
        "step;next;back;goto w@GRAD;why;jac;check;flow;nan;tree;where;list;source;display w;undisplay w;"
        "tensor w;break op:relu;watch h;breaks;delete 1;begin;continue;rcontinue;next;rnext;set w = w * 2;"
        "forks;diff;switch 0;help;help spec;help step;!print(1);nonsense;print w;print 1 + 1;end;step;begin;back"
    )
    for number, line in enumerate(every.split(";"), 1):
        before = len(said)
        prompt.run(line)
        answers = [json.loads(text) for text in said[before:]]
        assert [answer["id"] for answer in answers] == [number], line
        assert not any(
            isinstance(item, str)
            for key in ("where", "list", "source", "tree")
            for item in answers[0].get(key, ())
        )
    for line, answer in (
        ('{"id": "a", "command": "print 1 + 1"}', {"id": "a", "print": "2"}),
        ("# a remark", {"id": number + 2, "done": "# a remark"}),
        ("", {"id": number + 3, "done": ""}),
        ("quit", {"id": number + 4, "done": "quit"}),
    ):
        prompt.run(line)
        assert json.loads(said[-1]) == answer
    prompt.run("{")
    assert "a request is" in json.loads(said[-1])["error"]


@pytest.mark.parametrize(
    "line", ["print z", "print z * 2", "print z.max()", "print w@GRAD + 1", "set z = z * 2"]
)
def test_numbers_that_nobody_has_are_said_to_be_missing(record, tmp_path, line):
    save(record(train), tmp_path / "a.mpt")
    said, trace = [], load(tmp_path / "a.mpt")
    for value in trace.values:
        value.fetch = None
    prompt = Prompt(Session(trace), ASCII, said.append)
    prompt.run("goto end")
    prompt.run(line)
    name = "w@GRAD" if "w@GRAD" in line else "z"
    assert said[-1].endswith(f"the numbers of {name} are not known")


def test_what_a_command_has_no_use_for_is_refused(session):
    said = []
    prompt = Prompt(session, ASCII, said.append)
    for line in ("begin 3", "nan x", "step 1 2", "flow all of it", "tree w"):
        prompt.run(line)
        assert prompt.failed, line
        assert f"{line.split()[0]} takes " in said[-1]


def test_list_where_and_finish_take_a_number(session):
    said = []
    prompt = Prompt(session, ASCII, said.append)
    prompt.run("goto w@GRAD")
    said.clear()
    prompt.run("list 2")
    assert len(said) == 5
    said.clear()
    prompt.run("where 2")
    assert len(said) == 2
    prompt.run("finish 3")
    assert "no body to leave" in said[-1]


def test_long_answers_are_cut_with_a_count(record):
    def script():
        w = h = paddle.to_tensor([1.0], stop_gradient=False)
        for _ in range(600):
            h = h * 1.0
        h.sum().backward()
        return w

    said = []
    prompt = Prompt(Session(record(script)), ASCII, said.append)
    for line in ("where", "flow"):
        said.clear()
        prompt.run(line)
        assert len(said) == 501, line
        assert said[-1].startswith("... and 10")
