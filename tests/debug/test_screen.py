"""The full screen: keys and the mouse move one session, and every pane shows the event under the cursor."""

import asyncio
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.widgets import DataTable

from minipaddle import paddle
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.cli.console import ExitCode
from minipaddle.tools.debug import Prompt, Session
from minipaddle.tools.debug.screen.app import FullScreen
from minipaddle.tools.debug.screen.panes import Source
from minipaddle.tools.debug.screen.tape import Tape
from minipaddle.tools.debug.stop_spec import parse
from minipaddle.tools.record import Recorder, load, save
from minipaddle.tools.words.language import speak
from minipaddle.tools.words.terminal import UNICODE
from tests.support import runs
from tests.support.commands import run_command

LINE = Path(runs.__file__).read_text("utf-8").splitlines().index("    h = x @ w + b") + 1
BODY = 3
"""The position in `train` of the first operator in Squash.forward."""


def pressing(session, *keys, size=(120, 40), before=lambda app: None):
    """Press keys on the full screen of a session, after `before`; return what the panes show then, by their names."""
    shown = {}

    async def drive():
        app = FullScreen(session, UNICODE)
        before(app)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for key in keys:
                await (
                    key(pilot) if callable(key) else pilot.press(*([key] if isinstance(key, str) else key))
                )
                await pilot.pause()
            for name in ("said", "text"):
                shown[name] = str(app.query_one(f"#{name}").content)
            table = app.query_one(DataTable)
            shown["values"] = [table.get_row_at(row) for row in range(table.row_count)]
            selected = app.query_one(Tape).cursor_node
            selected = selected or app.query_one(Tape).root  # a damaged recording has no rows
            shown["tape"] = str(selected.label)
            above = selected.parent
            shown["path"] = [str(one.label) for one in (above, above and above.parent) if one]
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


def test_each_break_at_a_line_is_marked_there_and_taken_away(session):
    def marked(*keys):
        return [row for row in pressing(session, *keys)["text"].splitlines() if "●" in row]

    typed = tuple(f":break {LINE} backward do print w".replace(" ", "~"))
    (row,) = marked(["space" if key == "~" else key for key in typed], "enter")
    assert row.startswith(f"●►{LINE:>4}")
    assert marked("b") == []
    assert not session.breakpoints


def test_what_a_breakpoint_says_on_the_way_is_shown(session):
    session.stop_at(partial(parse, f"{LINE} forward"), do="print 40 + 2")
    assert pressing(session, "c")["said"].splitlines() == ["42"]


def test_commands_before_the_screen_and_on_it_are_one_session(session):
    def with_a_fork(app):
        app.prompt.run("set w = w * 0")
        app.prompt.run("nosuch")

    assert "no command 'nosuch'" in pressing(session, before=with_a_fork)["said"]
    assert "1: w set at event 0" in pressing(session, tuple(":forks"), "enter", before=with_a_fork)["said"]


def test_an_error_is_told_is_no_update_and_an_expression_has_no_explanation():
    recorder = Recorder(__file__)
    with watching(recorder), pytest.raises(ValueError, match="mismatch") as raised:
        paddle.ones([2]) + paddle.ones([3])
    recorder.failed(raised.value)
    session = Session(recorder.finish())
    session.displays.append("40 + 2")
    shown = pressing(session, "G", "tab", "down", "down", "enter")
    assert "Broadcast dimension mismatch" in shown["said"]
    assert shown["tape"].startswith(f"{session.position} raised")
    assert "optimize" not in shown["path"]
    assert shown["values"][-1][3] == " 42"


def test_a_damaged_recording_is_told(session, tmp_path):
    save(session.trace, tmp_path / "whole.mpt")
    with ZipFile(tmp_path / "whole.mpt") as whole, ZipFile(tmp_path / "run.mpt", "w") as damaged:
        for name in whole.namelist():
            damaged.writestr(name, b"" if name.startswith("arrays/") else whole.read(name))
    assert "is damaged" in pressing(Session(load(tmp_path / "run.mpt")), "n")["said"]


def test_help_names_the_keys_as_they_are_typed(session):
    said = pressing(session, "?")["said"].splitlines()
    assert ["f10", "n", "next"] in [line.split() for line in said]
    assert [":", "command"] in [line.split() for line in said]


def test_at_the_edge_there_is_a_remark(session):
    assert pressing(session, "N")["note"] == ["this is the beginning of the recording"]


def test_the_mouse_goes_where_it_clicks(session):
    async def far_right(pilot):
        await pilot.click("#timeline", offset=(119, 0))

    pressing(session, far_right)
    assert session.at_end

    async def row_of_w(pilot):
        await pilot.click("#values", offset=(4, 3))
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


def test_keys_typed_ahead_keep_their_order(session):
    async def in_a_burst(pilot):
        for key in (":", *"goto 3", "enter", "n", *":display 40 + 2", "enter", "n"):
            name = key if len(key) > 1 else _character_to_key(key)
            pilot.app.post_message(events.Key(name, key if len(key) == 1 else None))
        await pilot.pause()
        table = pilot.app.query_one(DataTable)
        cells = [len(cell) for cell in table.get_column_at(1)]
        assert table.ordered_columns[1].width == max(cells)

    shown = pressing(session, in_a_burst)
    other = Session(session.trace)
    prompt = Prompt(other, UNICODE, lambda line: None)
    for command in ("goto 3", "next", "next"):
        prompt.run(command)
    assert session.position == other.position
    assert shown["values"][-1][1] == "40 + 2"


def test_a_key_of_the_panes_is_a_letter_in_the_line(session):
    shown = pressing(session, tuple(":print 'nsqlc'"), "enter")
    assert (shown["said"], session.position) == ("nsqlc", 0)


def test_a_table_is_scrolled_and_a_sentence_wrapped(session):
    said = []
    Prompt(session, UNICODE, said.append).run("flow")
    assert pressing(session, tuple(":flow"), "enter", size=(30, 24))["said"].splitlines()[:3] == said[:3]
    explained = pressing(session, size=(30, 24))["said"].splitlines()
    assert max(map(len, explained)) <= 30


def test_the_line_stays_in_sight_when_the_terminal_gets_smaller(session):
    async def smaller(pilot):
        await pilot.resize_terminal(60, 14)
        await pilot.pause()
        source = pilot.app.query_one(Source)
        assert 0 <= source.where.number - 1 - source.scroll_offset.y < source.size.height

    pressing(session, "n", smaller, size=(120, 60))
