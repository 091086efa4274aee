"""Messages to and from a student's process: plain data as lines of JSON, never a pickle.

Below: one question to a student's code, and its answer, or its error, as such a line.
"""

import base64
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod
from traceback import walk_tb
from typing import Any

import numpy as np

from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.file import pack
from minipaddle.tools.run.advice import advice

_HINT = re.compile(r"^ *\[Hint: (.*)\]$", re.MULTILINE)
_NUMBERS = "biufc"
"""The kinds of arrays that are sent."""


class NotPlain(ValueError):
    """A line that is no valid message."""


@dataclass(frozen=True)
class Other:
    """Stands for an object that cannot be sent; it keeps the name of its type."""

    type: str


def to_line(data: object) -> bytes:
    """Return data as a line of JSON.

    >>> from_line(to_line({"x": np.eye(2), "y": [1, None, print]}))["y"]
    [1, None, Other(type='builtin_function_or_method')]
    """
    return json.dumps(_encoded(data)).encode() + b"\n"


def _encoded(data: Any) -> Any:
    if data is None or isinstance(data, int) or type(data) in (float, str):  # x.size is a kind of int
        return data
    if isinstance(data, list | tuple):
        return [_encoded(one) for one in data]
    if isinstance(data, dict) and all(type(name) is str for name in data):
        return {"dict": [[name, _encoded(one)] for name, one in data.items()]}
    if isinstance(data, bytes):
        return {"bytes": base64.b64encode(data).decode()}
    data = data.numpy() if callable(getattr(data, "numpy", None)) else data
    if isinstance(data, np.ndarray | np.generic) and data.dtype.kind in _NUMBERS:
        array = np.asarray(data)
        raw = base64.b64encode(array.tobytes()).decode()
        return {"array": raw, "dtype": array.dtype.str, "shape": list(array.shape)}
    return {"other": type(data).__name__}


def from_line(line: bytes) -> Any:
    """Return the data of a line. Raises NotPlain if it is no valid message."""
    try:
        return json.loads(line, object_hook=_decoded)
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError) as error:
        raise NotPlain(f"this is no message: {error}") from error


def _decoded(data: dict[str, Any]) -> Any:
    if "dict" in data:
        return {str(name): one for name, one in data["dict"]}
    if "bytes" in data:
        return base64.b64decode(data["bytes"], validate=True)
    if "array" in data:
        raw, dtype = base64.b64decode(data["array"], validate=True), np.dtype(data["dtype"])
        if dtype.kind not in _NUMBERS or prod(data["shape"]) * dtype.itemsize != len(raw):
            raise NotPlain("an array that is not as it says")
        return np.frombuffer(raw, dtype).reshape(data["shape"]).copy()  # may be written to, as one's own
    return Other(str(data["other"]))


# -- questions and answers ---------------------------------------------------------------------------------------------


def packed(place: str, question: Callable[[], Any]) -> bytes:
    """Return a recording of the run, as the bytes of a file."""
    recorder, file = Recorder(place), io.BytesIO()
    with watching(recorder):
        question()
    pack(recorder.finish(), file)
    return file.getvalue()


def asking(question: Callable[..., Any], arguments: tuple[Any, ...], record: bool) -> bytes:
    """Return the message with a question of a grader."""
    return to_line({"question": question.__name__, "arguments": arguments, "record": record})


def reply(place: str, space: dict[str, Any], line: bytes) -> bytes:
    """Return the message with the answer to a question in a message; `space` has the questions, and the student."""
    asked = from_line(line)
    question = partial(space[asked["question"]], space["student"], *asked["arguments"])
    return attempt(place, partial(packed, place, question) if asked["record"] else question)


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
        return to_line({"raised": type(own).__name__, "line": _line(place, own), **_said(own)})


def _own(place: str, error: BaseException) -> BaseException:
    """Return the error that began in the student's file, if `error` is the engine's rewording of it."""
    cause = error.__cause__ or error.__context__
    return error if cause is None or not _line(place, cause) else _own(place, cause)


def _said(error: BaseException) -> dict[str, str]:
    """Return the first sentence of an error, whose text a student's file may control, and the hint of `run` on it."""
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
        hint = advice(error) or "".join(_HINT.findall(text)[:1])
    except Exception:
        return {"text": "", "hint": ""}
    lines = filter(None, map(str.strip, text.splitlines()))
    return {"text": next(lines, "")[:300], "hint": hint[:300]}


def _line(place: str, error: BaseException) -> int:
    """Return the line of the student's file that an error came from, or 0."""
    if isinstance(error, SyntaxError) and error.filename == place:
        return error.lineno or 0
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == place]
    return lines[-1] if lines else 0
