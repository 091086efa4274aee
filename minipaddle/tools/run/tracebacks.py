"""Tracebacks with the user's frames only: without minipaddle's, and without those that start a script."""

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

_PACKAGE = str(Path(__file__).resolve().parents[2]) + os.sep
_WHOLE = "MINIPADDLE_TRACEBACK"
"""Environment variable: "full" keeps every frame, for debugging minipaddle itself."""


def keep_user_frames(error: BaseException) -> None:
    """Take minipaddle's frames out of the traceback of `error` and of all errors it is chained to."""
    if os.environ.get(_WHOLE) == "full":
        return
    for one in list(_chain(error)):
        one.__traceback__ = _user_frames(one.__traceback__)
    for one in _chain(error):
        if one.__context__ is not None and one.__context__.__traceback__ is None:
            one.__context__ = None  # it happened wholly inside minipaddle


def is_user_file(file: str) -> bool:
    """Return whether a frame's file is neither minipaddle's nor a frozen part of Python (runpy, importlib)."""
    return not file.startswith((_PACKAGE, "<frozen "))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield `error` and the errors in its causes, contexts and groups, each once."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting += [one.__cause__, one.__context__]
            waiting += one.exceptions if isinstance(one, BaseExceptionGroup) else ()


def _user_frames(traceback: TracebackType | None) -> TracebackType | None:
    kept: dict[object, TracebackType] = {}  # Python 3.11.2 has a frame twice where its tracer has raised
    while traceback is not None:
        if is_user_file(traceback.tb_frame.f_code.co_filename):
            kept[traceback.tb_frame, traceback.tb_lineno] = traceback
        traceback = traceback.tb_next
    result = None
    for one in reversed(kept.values()):
        result = TracebackType(result, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return result
