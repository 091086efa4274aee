"""The prompt as an object: what the loop does with what it reads."""

import builtins

import pytest

from minipaddle.debug import Prompt
from minipaddle.viz.glyphs import ASCII


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
    assert prompt.completedefault("w") == ["w", "w.grad", "w@GRAD"]
    assert "tree" in prompt.completenames("tr")


@pytest.mark.parametrize("short", ["s", "n", "bk", "c", "f", "g 1", "w", "p w", "h", "l"])
def test_short_forms(prompt, short):
    prompt.session.goto("h")
    prompt.session.step()
    prompt.run(short)
    assert not prompt.failed
