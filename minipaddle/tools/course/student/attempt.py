"""One question to a student's code: its answer, or its error, as the line of a message."""

import io
from collections.abc import Callable
from traceback import walk_tb
from typing import Any

from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.course.json_lines import to_line
from minipaddle.tools.record import Recorder, Trace
from minipaddle.tools.record.file import pack


def recording(place: str, question: Callable[[], Any]) -> Trace:
    """Return a recording of the run."""
    recorder = Recorder(place)
    with watching(recorder):
        question()
    return recorder.finish()


def packed(place: str, question: Callable[[], Any]) -> bytes:
    """Return a recording of the run, as the bytes of a file."""
    file = io.BytesIO()
    pack(recording(place, question), file)
    return file.getvalue()


def attempt(place: str, function: Callable[..., Any], *arguments: Any) -> bytes:
    """Return the message with a function's result, or its error."""
    try:
        return to_line({"answer": function(*arguments)})
    except SystemExit:
        return to_line({"ended": "exit"})
    except BaseException as error:
        own = _own(place, error)
        if isinstance(own, MemoryError):
            return to_line({"ended": "memory"})
        return to_line({"raised": type(own).__name__, "text": _text(own), "line": _line(place, own)})


def _own(place: str, error: BaseException) -> BaseException:
    """Return the error that began in the student's file, if `error` is the engine's rewording of it."""
    cause = error.__cause__ or error.__context__
    return error if cause is None or not _line(place, cause) else _own(place, cause)


def _text(error: BaseException) -> str:
    """Return the first sentence of an error, whose text a student's file may control."""
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        lines = [line.strip() for line in text.splitlines()]
    except Exception:
        return ""
    return next(filter(None, lines), "")[:300]


def _line(place: str, error: BaseException) -> int:
    """Return the line of the student's file that an error came from, or 0."""
    if isinstance(error, SyntaxError) and error.filename == place:
        return error.lineno or 0
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == place]
    return lines[-1] if lines else 0
