"""The command line inside the test process: a hundred times quicker than in a new one, and the same.

That it is the same is tested (tests/cli/test_environment.py).
"""

import io
import os
import sys
import traceback
import warnings
from collections.abc import Mapping
from contextvars import copy_context
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from typer import Typer
from typer.main import get_command

from minipaddle.importer import paddle_is_minipaddle
from minipaddle.paddle.utils.clean_start import begun_anew
from minipaddle.tools.cli import main
from minipaddle.tools.words.language import language
from tests.support.environment import Environment
from tests.support.process import Completed, clean_environment

__all__ = ["run_command", "shown_by_command"]


def run_command(
    *arguments: str | Path,
    input: str | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
) -> Completed:
    """Run `minipaddle ARGUMENTS` as in a new process, whose streams are pipes; without `input` its input is empty."""
    stdout, stderr = io.BytesIO(), io.BytesIO()
    words = [str(argument) for argument in arguments]
    code = _run(
        words, (input or "").encode(), stdout, stderr, clean_environment(env), Path(cwd or os.getcwd())
    )
    return Completed(["minipaddle", *words], code, _written(stdout), _written(stderr))


def shown_by_command(words: list[str], cwd: Path) -> tuple[int, str]:
    """Run `minipaddle WORDS` as in a new process; return its exit code, and what it writes to one pipe, also errors."""
    pipe = io.BytesIO()
    code = _run(words, b"", pipe, pipe, clean_environment(), cwd)
    return code, _written(pipe)


def _run(
    words: list[str],
    input: bytes,
    out: io.BytesIO,
    errors: io.BytesIO,
    variables: Mapping[str, str],
    cwd: Path,
) -> int:
    """Run a command over these bytes, and return its exit code."""
    stdin, stdout = _stream(variables, io.BytesIO(input)), _stream(variables, out)
    stderr = _stream(variables, errors, errors="backslashreplace", line_buffering=True)
    environment = Environment(words, stdin, stdout, stderr, cwd, variables)
    try:
        return copy_context().run(_exit_code, environment)  # modes and languages that are chosen end with it
    finally:
        stdout.flush()
        stderr.flush()
        stdout.detach()
        stderr.detach()


def _exit_code(environment: Environment) -> int:
    """Run the command, and return what it would end its process with."""
    with (
        paddle_is_minipaddle(),
        begun_anew(),
        warnings.catch_warnings(),
        patch("typer.main.get_command", lambda app: _built(app, language())),
    ):
        _filter_warnings_as_python_does()
        try:
            with environment.in_effect():
                main()
        except SystemExit as end:
            return int(end.code or 0)
        except BaseException:  # a command that fails: the test shall see how, as it would of a process
            environment.stderr.write(traceback.format_exc())
            return 1
    raise AssertionError("main always ends by SystemExit")


@cache
def _built(app: Typer, language: str) -> Any:
    """Return the commands of the application, built once for all calls: that takes longer than most calls."""
    return get_command(app)


def _filter_warnings_as_python_does() -> None:
    """Show and hide warnings as in a new process that has imported minipaddle; pytest collects them, or raises."""
    warnings.showwarning = lambda *said: sys.stderr.write(warnings.formatwarning(*said[:4]))
    warnings.resetwarnings()
    for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", category)
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minipaddle\.")


def _stream(variables: Mapping[str, str], memory: io.BytesIO, **options: Any) -> io.TextIOWrapper:
    """Return a text stream over memory, with the encoding that Python would choose by these variables."""
    return io.TextIOWrapper(memory, variables.get("PYTHONIOENCODING", "utf-8"), **options)


def _written(memory: io.BytesIO) -> str:
    """Return what was written to memory; bytes that are no UTF-8 are shown as escapes."""
    return memory.getvalue().decode("utf-8", "backslashreplace")
