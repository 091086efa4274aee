"""Every writer on a full disk, every command on a broken standard output: one line, the right exit code."""

import errno
import os
import resource
import subprocess
import sys
from contextlib import contextmanager

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.paddle import jit, static
from minipaddle.tools.debug import record
from minipaddle.tools.picture import graph
from tests.support.process import CLI, clean_environment

SCRIPT = """
    import paddle
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    (x * x).sum().backward()
"""


@contextmanager
def full_disk():
    """A ``with`` block in which no file of this process grows beyond 20 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# -- functions ------------------------------------------------------------------------------------------------------


def loss():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    return (x * x).sum()


def recorded():
    with record() as trace:
        loss().backward()
    return trace


def a_program(write):
    with paddle.static.program_guard(static.Program(), static.Program()):
        paddle.enable_static()
        try:
            x = static.data("x", [None, 3], "float32")
            y = static.nn.fc(x, 2)
            exe = static.Executor()
            exe.run(static.default_startup_program())
            write(x, y, exe)
        finally:
            paddle.disable_static()


def a_layer():
    return jit.to_static(paddle.nn.Linear(2, 2), input_spec=[static.InputSpec([None, 2], "float32")])


WRITERS = {
    "paddle.save": lambda path: paddle.save({"a": np.ones(50)}, f"{path}.pd"),
    "static.save": lambda path: a_program(lambda x, y, exe: static.save(static.default_main_program(), path)),
    "save_inference_model": lambda path: a_program(
        lambda x, y, exe: static.save_inference_model(path, [x], [y], exe)
    ),
    "jit.save": lambda path: jit.save(a_layer(), path),
    "a recording": lambda path: recorded().save(f"{path}.mpt"),
    "a picture": lambda path: graph(loss()).save(f"{path}.svg"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_files(tmp_path, name):
    path = str(tmp_path / "kept")
    WRITERS[name](path)
    before = contents(tmp_path)
    assert before
    with full_disk(), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        WRITERS[name](path)
    assert contents(tmp_path) == before


# -- commands -------------------------------------------------------------------------------------------------------

COMMANDS = {
    "trace": ("trace", "script.py", "-o", "kept.mpt"),
    "graph": ("graph", "script.py", "-o", "kept.svg"),
    "page": ("graph", "script.py", "-o", "kept.html"),
    "lesson": ("lesson", "1", "--force"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_on_a_full_disk_says_one_line_and_leaves_the_old_file(
    run_cli, write_script, tmp_path, name
):
    script = write_script(SCRIPT)
    folder = script.parent
    script.rename(folder / "script.py")
    assert run_cli(*COMMANDS[name], cwd=folder).returncode == 0
    before = contents(folder)
    assert len(before) > 1
    with full_disk():
        done = run_cli(*COMMANDS[name], cwd=folder)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1].endswith(os.strerror(errno.EFBIG))
    assert "Traceback" not in done.stderr
    assert contents(folder) == before


def test_the_prompt_on_a_full_disk_goes_on(run_cli, write_script):
    line = "record kept.mpt"
    script = write_script(SCRIPT)
    folder = script.parent
    first = run_cli("step", script, "-c", line, cwd=folder)
    assert "***" not in first.stdout + first.stderr
    before = contents(folder)
    assert len(before) > 1
    with full_disk():
        done = run_cli("step", script, "-c", line, "-c", "where", cwd=folder)
    assert os.strerror(errno.EFBIG) in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert contents(folder) == before


# -- standard output ------------------------------------------------------------------------------------------------

TALKATIVE = ["graph", "ops", "--help", "step"]


def words_of(command, script):
    return [command, *{"graph": [script], "step": [script, "-c", "tree"]}.get(command, [])]


def in_a_process(words, python=CLI[:1], unbuffered="", **options):
    return subprocess.run(
        [*python, *CLI[1:], *map(str, words)],
        env=clean_environment({"PYTHONUNBUFFERED": unbuffered}),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        **options,
    )


@pytest.mark.parametrize(
    ("command", "unbuffered"), [*[(command, "") for command in TALKATIVE], ("graph", "1")]
)
def test_a_full_standard_output_is_told_in_one_line(write_script, command, unbuffered):
    script = write_script(SCRIPT)
    with open("/dev/full", "w") as full:
        done = in_a_process(words_of(command, script), unbuffered=unbuffered, stdout=full)
    assert_told_in_one_line(done, errno.ENOSPC)


def assert_told_in_one_line(done, why):
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1] == f"minipaddle: standard output: {os.strerror(why)}"
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("command", TALKATIVE)
def test_nobody_reads_standard_output(write_script, command):
    script = write_script(SCRIPT)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = in_a_process(words_of(command, script), stdout=writing)
    finally:
        os.close(writing)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


CLOSED = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"


@pytest.mark.parametrize("command", [*TALKATIVE, "--version"])
def test_standard_output_that_was_closed_before_the_command_began(write_script, command):
    script = write_script(SCRIPT)
    done = in_a_process(words_of(command, script), python=[sys.executable, "-c", CLOSED])
    assert_told_in_one_line(done, errno.EBADF)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("absent.svg", "does not exist"),
        ("no/folder.svg", "does not exist"),
        ("script.py", "a script stands there"),
        ("", "a script stands there"),
    ],
)
def test_a_picture_is_written_over_no_script_and_through_no_dangling_link(
    run_cli, write_script, target, said
):
    script = write_script(SCRIPT)
    picture = script.parent / "picture.svg"
    if target:
        picture.symlink_to(script.parent / target)
    else:
        script = script.rename(picture)
    text, beside = script.read_text(), sorted(script.parent.rglob("*"))
    done = run_cli("graph", script, "-o", picture)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (script.read_text(), sorted(script.parent.rglob("*"))) == (text, beside)
