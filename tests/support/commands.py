"""The command line in the process of the tests: a hundred times quicker than in one of its own, and the same.

That it is the same is tested (tests/cli/test_environment.py).
"""

import io
import os
import sys
import traceback
import warnings
from collections.abc import Mapping
from contextvars import copy_context
from pathlib import Path
from typing import Any

from minipaddle.cli import main
from minipaddle.compat.anew import begun_anew
from minipaddle.compat.importer import paddle_is_minipaddle
from tests.support.environment import Environment
from tests.support.process import Completed, clean_environment

__all__ = ["run_command"]


def run_command(
    *arguments: str | Path,
    input: str | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
) -> Completed:
    """Run `minipaddle ARGUMENTS` as in a new process, whose streams are pipes; without `input` its input is empty."""
    words = [str(argument) for argument in arguments]
    variables = clean_environment(env)
    stdin = _stream(variables, (input or "").encode())
    stdout, stderr = _stream(variables), _stream(variables, errors="backslashreplace", line_buffering=True)
    environment = Environment(words, stdin, stdout, stderr, Path(cwd or os.getcwd()), variables)
    code = copy_context().run(_exit_code, environment)  # modes and languages that are chosen end with it
    return Completed(["minipaddle", *words], code, _written(stdout), _written(stderr))


def _exit_code(environment: Environment) -> int:
    """Run the command, and return what it would end its process with."""
    with paddle_is_minipaddle(), begun_anew(), warnings.catch_warnings():
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


def _filter_warnings_as_python_does() -> None:
    """Show and hide warnings as in a new process that has imported minipaddle; pytest collects them, or raises."""
    warnings.showwarning = lambda *said: sys.stderr.write(warnings.formatwarning(*said[:4]))
    warnings.resetwarnings()
    for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", category)
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minipaddle\.")


def _stream(variables: Mapping[str, str], content: bytes = b"", **options: Any) -> io.TextIOWrapper:
    """Return a text stream over memory, with the encoding that Python would choose by these variables."""
    return io.TextIOWrapper(io.BytesIO(content), variables.get("PYTHONIOENCODING", "utf-8"), **options)


def _written(stream: io.TextIOWrapper) -> str:
    """Return what was written to a stream; bytes that are no UTF-8 are shown as escapes."""
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "backslashreplace")
