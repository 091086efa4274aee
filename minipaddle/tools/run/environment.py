"""Process state that a script may change: arguments, path, streams, directory, exception hook."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

_replaced: list[TextIO | None] = []
"""Streams that scripts put in the place of sys.stdout: they may share its buffer, and would close it when freed."""


@contextmanager
def script_environment(argv: list[str], directory: str) -> Iterator[None]:
    """Give a script its arguments and path within a ``with`` block; after it, the process is as it was before.

    Args:
        argv: `sys.argv` for the script.
        directory: the folder of its own modules, which comes first in `sys.path`.
    """
    kept = sys.argv, sys.path[:], sys.excepthook
    streams = sys.stdin, sys.stdout, sys.stderr
    working_directory = os.getcwd()
    sys.argv = argv
    if not sys.flags.safe_path:
        sys.path[:1] = [directory]
    try:
        yield
    finally:
        sys.argv, sys.path[:], sys.excepthook = kept
        sys.stdin, sys.stdout, sys.stderr = map(_restored, streams, (sys.stdin, sys.stdout, sys.stderr))
        with suppress(OSError):  # it may be gone
            os.chdir(working_directory)


def _restored(ours: TextIO, now: TextIO | None) -> TextIO:
    """Return the original stream; or the script's, if the original is unusable (after ``sys.stdout.detach()``)."""
    if now is None or now is ours:
        return ours
    _replaced.append(now)
    try:
        if now.writable():
            now.flush()
        ours.writable()
    except ValueError:
        return now
    return ours
