"""`minipaddle step` at a real terminal: keys, completion, history, Ctrl-C, the size of the window."""

import os

import pytest

from tests.support.scripts import SQUASH
from tests.support.terminal import Terminal, in_a_terminal


@pytest.fixture
def script(write_script):
    return write_script(SQUASH)


@pytest.fixture
def open_terminal(script, tmp_path):
    """`open_terminal(NAME="value")` opens another terminal, with such an environment."""
    opened = []

    def open_one(**extra):
        opened.append(Terminal(script, tmp_path, **extra))
        opened[-1].until("(mp 0/")
        return opened[-1]

    yield open_one
    for one in opened:
        one.process.kill()
        one.process.wait()
        os.close(one.master)


@pytest.fixture
def terminal(open_terminal):
    return open_terminal()


def test_typing_repeating_and_leaving(terminal):
    terminal.type("s\n")
    terminal.until("(mp 1/")
    terminal.type("\n")  # the empty line does it again
    terminal.until("(mp 2/")
    terminal.type("back 2\n")
    terminal.until("(mp 0/")
    terminal.type("\x04")  # Ctrl-D
    assert terminal.process.wait(60) == 0


def test_names_and_commands_are_completed(terminal):
    terminal.type("print W@G\t\n")
    assert "W@GRAD  [2, 2]" in terminal.until("(mp 0/")
    terminal.type("conti\t\n")
    terminal.until("next: the end")


def test_the_line_before_comes_back(terminal):
    terminal.type("print 40 + 2\n")
    terminal.until("\r\n42")
    terminal.type("\x10\n")  # Ctrl-P: the line before
    terminal.until("\r\n42")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("help fork\t\n", "What if this number were another?"),
        ("break li\tscript.py:23\n", "break 1: line:script.py:23"),
        ("break pylayer:Sq\t\n", "break 1: pylayer:Squash"),
        ("goto W@\t\n", "┌ 11/12  matmul_grad"),
        ("finis\t\n", "the cursor is in no body to leave"),
    ],
)
def test_whatever_can_be_asked_for_is_completed(terminal, typed, said):
    terminal.type(typed)
    assert said in terminal.until("(mp ")


def leave(terminal):
    terminal.type("quit\n")
    assert terminal.process.wait(60) == 0


def test_ctrl_c_drops_the_line_and_the_session_goes_on(terminal):
    terminal.type("print 1 +")
    terminal.until("1 +")
    terminal.interrupt_until("(mp 0/")
    terminal.until(") ")
    terminal.type("s\n")
    terminal.until("(mp 1/")


def test_a_command_that_takes_long_is_interrupted(terminal):
    terminal.type("!import signal; signal.raise_signal(signal.SIGINT)\n")
    terminal.until("(mp 0/")
    terminal.type("print 40 + 2\n")
    assert "42" in terminal.until("(mp 0/")


def test_a_window_that_changes_its_size_is_no_matter(terminal):
    import fcntl
    import signal
    import struct
    import termios

    fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    terminal.process.send_signal(signal.SIGWINCH)
    terminal.type("goto W@GRAD\n")
    terminal.until("(mp 11/")


def test_at_a_terminal_lines_are_folded_and_lists_are_cut(open_terminal):
    one = open_terminal(COLUMNS="44")
    one.type("goto W@GRAD\n")
    one.until("(mp 11/")
    one.type("list\n")
    said = one.until("(mp 11/")
    assert max(map(len, said.splitlines())) <= 44
    assert "backw" in said


@pytest.mark.parametrize("columns", [80, 100])
def test_an_array_keeps_its_rows_at_a_terminal(run_cli, write_script, columns):
    script = write_script("import paddle\nx = paddle.rand([6, 30]) * 3000\ny = x * 1")
    words = "step", script, "--seed", "1", "-c", "p y * 1", "-c", "tensor y"
    in_a_pipe = run_cli(*words).stdout.partition("\n[[")[2]
    assert in_a_pipe.count("]\n") == 12
    assert in_a_terminal(columns, *words).replace("\r", "").partition("\n[[")[2] == in_a_pipe
