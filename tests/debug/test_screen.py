"""The full screen: keys and the mouse move one session, and every pane shows the event under the cursor."""

import asyncio
from pathlib import Path

import pytest
from textual.widgets import DataTable

from minipaddle.tools.cli.console import ExitCode
from minipaddle.tools.debug.screen.app import FullScreen
from minipaddle.tools.debug.screen.tape import Tape
from minipaddle.tools.words.language import speak
from minipaddle.tools.words.terminal import UNICODE
from tests.support import runs
from tests.support.commands import run_command

LINE = Path(runs.__file__).read_text("utf-8").splitlines().index("    h = x @ w + b") + 1
BODY = 3
"""The position in `train` of the first operator in Squash.forward."""


def pressing(session, *keys, size=(120, 40)):
    """Press keys on the full screen of a session; return what the panes show then, by their names."""
    shown = {}

    async def drive():
        app = FullScreen(session, UNICODE)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for key in keys:
                await (
                    key(pilot)
                    if callable(key)
                    else pilot.press(*key)
                    if isinstance(key, tuple)
                    else pilot.press(key)
                )
                await pilot.pause()
            for name in ("said", "text"):
                shown[name] = str(app.query_one(f"#{name}").content)
            table = app.query_one(DataTable)
            shown["values"] = [table.get_row_at(row) for row in range(table.row_count)]
            selected = app.query_one(Tape).cursor_node
            shown["tape"] = str(selected.label)
            shown["path"] = [str(selected.parent.label), str(selected.parent.parent.label)]
            shown["is tape there"] = app.query_one(Tape).display
            shown["note"] = [one.message for one in app._notifications]

    asyncio.run(drive())
    return shown


def test_the_panes_show_the_event_under_the_cursor(session):
    shown = pressing(session)
    (line,) = [line for line in shown["text"].splitlines() if "►" in line]
    assert "h = x @ w + b   → matmul_0  [3, 2]" in line
    assert shown["tape"].startswith("0 matmul  matmul_0")
    assert [row[:2] for row in shown["values"]] == [
        ["in", "x"],
        ["in", "w"],
        ["*out", "matmul_0"],
        ["saved", "x"],
    ]
    assert "rule     matmul_0 = x @ w" in shown["said"]
    gradient_of_w = shown["values"][1][4]
    assert session.find("w@GRAD") is not None
    assert gradient_of_w != ""


@pytest.mark.parametrize(
    ("keys", "commands"),
    [
        (["n", "n", "N"], ["next", "next", "rnext"]),
        (["s"] * 4 + ["f"], ["step 4", "finish"]),
        (["f11"] * 4 + ["S"], ["step 4", "back"]),
        (["G", "N", "N"], ["end", "rnext", "rnext"]),
        (["f10", "b", "G", "C"], ["next", f"break line:{LINE}", "end", "rcontinue"]),
        ([tuple(":goto"), "space", "z", "enter"], ["goto z"]),
        ([("/", *"relu"), "enter"], ["goto relu"]),
    ],
)
def test_a_key_does_what_the_command_does(record, session, keys, commands):
    from minipaddle.tools.debug import Prompt, Session

    prompt = Prompt(Session(record(runs.train)), UNICODE, lambda line: None)
    for command in commands:
        prompt.run(command)
    pressing(session, *keys)
    assert session.position == prompt.session.position


def test_a_command_answers_in_the_pane_and_a_wrong_one_loses_nothing(session):
    shown = pressing(session, tuple(":flow"), "enter")
    assert "verdict" in shown["said"]
    shown = pressing(session, tuple(":nosuch"), "enter")
    assert "no command 'nosuch'" in shown["said"]
    assert shown["tape"].startswith("0 matmul")


def test_at_the_edge_there_is_a_remark(session):
    assert pressing(session, "N")["note"] == ["this is the beginning of the recording"]


def test_the_mouse_goes_where_it_clicks(session):
    async def far_right(pilot):
        await pilot.click("#timeline", offset=(119, 0))

    pressing(session, far_right)
    assert session.at_end

    async def row_of_w(pilot):
        await pilot.click("#around", offset=(4, 3))
        await pilot.press("enter")

    session.position = 0
    assert "the gradient of w" in pressing(session, row_of_w)["said"]


def test_the_tape_is_folded_by_pass_direction_and_body(session):
    session.position = BODY
    assert pressing(session)["path"] == ["Squash.forward", "forward"]


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (20, 6), (200, 60)])
def test_it_fits_any_size(session, size):
    shown = pressing(session, "n", size=size)
    assert shown["is tape there"] == (size[0] >= 100)
    assert "►" in shown["text"]


def test_it_speaks_chinese(session):
    speak("zh")
    try:
        shown = pressing(session, "G", "g")
    finally:
        speak("en")
    assert "前向" in shown["path"]


def test_it_needs_a_terminal_and_textual(write_script, monkeypatch):
    script = write_script("import paddle\nprint(paddle.ones([1]))\n")
    ran = run_command("step", script, "--tui")
    assert (ran.returncode, ran.stdout) == (ExitCode.USAGE, "")
    assert "needs a terminal" in ran.stderr
    monkeypatch.setattr("minipaddle.tools.cli.commands.step.find_spec", lambda name: None)
    assert "pip install textual" in run_command("step", script, "--tui").stderr
