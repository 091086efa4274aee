"""The API for graders: claims about a student's file, each worth points.

A grader has functions of two kinds. One whose first parameter is called ``student`` runs in the student's process: it
asks the student's module for numbers, and only its text (with the grader's imports) is sent there. A claim runs
here: it draws inputs, asks, and judges the answer. It returns None, or a sentence that names the mistake.
"""

import ast
from collections.abc import Callable
from importlib.resources.abc import Traversable
from io import BytesIO
from math import prod
from typing import Any, NamedTuple

import numpy as np

from minipaddle.importer import paddle_is_minipaddle
from minipaddle.tools.checks.gradient.check import check_trace
from minipaddle.tools.checks.gradient.results import what_is_wrong
from minipaddle.tools.record import BadRecording, Trace, load
from minipaddle.tools.words.language import say

HINTS = 3
"""General hints of a task, each more detailed than the one before: where to look, what to use, the idea."""
FULL = 100
"""The points of all claims of a task together."""
PASS = 60
"""The points of a pass, as in China's schools: with a mistake in it a task stays below."""


class BadGrader(ValueError):
    """A grader that cannot be used; the message has the reason."""


class Ended(Exception):
    """The student's process has ended, or must not be used any more; the message is the reason, in one line."""


class Raised(Exception):
    """A student's function, or a question about it, has raised; the message has the error and the line of the file."""

    is_the_students = False
    """Whether the error came from a line of the student's file."""
    is_the_engines = False
    """Whether the engine raised it, with its own words: after the student's lines, of what they made."""


class Ask:
    """A student's code, as a claim sees it: it calls a grader's functions in the student's process."""

    source: str
    """The text of the student's file."""
    ended = ""
    """Why nothing more can be asked, in one line; "": the process still answers, or there is none."""
    last: Any = ...
    """The last answer; an Ellipsis before the first."""

    def _ask(self, question: Callable[..., Any], arguments: tuple[Any, ...], record: bool) -> Any:
        """Return the result of a question; to `record` it, the bytes of a recording of its run."""
        raise NotImplementedError

    def _end(self, line: str) -> Ended:
        """Return the error after which nothing more is asked; `line` is the reason."""
        return Ended(line)

    def __call__(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a question there: numbers, texts, arrays, and lists of these.

        Raises Raised if it raised, Ended if the process is over; so does every other question.
        """
        self.last = self._ask(question, arguments, record=False)
        return self.last

    def recorded(self, question: Callable[..., Any], *arguments: Any) -> Trace:
        """Return the recording of a run of a question."""
        packed = self._ask(question, arguments, record=True)
        try:
            return load(BytesIO(packed))
        except (BadRecording, TypeError):
            raise self._end(why_over("garbled")) from None

    def wrong_gradient(self, question: Callable[..., Any], *arguments: Any) -> str | None:
        """Return the mistake that `minipaddle check` finds in a run of a question, in one sentence, or None.

        Raises Ended if it is far larger than a task needs: the check runs in this process, and would take long.
        """
        trace = self.recorded(question, *arguments)
        if len(trace.events) > _EVENTS or any(prod(value.shape) > _ELEMENTS for value in trace.values):
            raise self._end(why_over("large"))
        wrong = next((one for one in check_trace(trace) if one.verdict == "wrong"), None)
        return None if wrong is None else what_is_wrong(wrong)

    def ran(self, question: Callable[..., Any], *arguments: Any) -> list[str]:
        """Return the operators and PyLayers that ran, in their order: ``["tanh", "Cube", "Cube_grad"]``."""
        trace = self.recorded(question, *arguments)
        ran = ((event.title.removesuffix("_grad"), event.kind) for event in trace.events)
        return [f"{title}_grad" if kind == "grad" else title for title, kind in ran if kind in ("op", "grad")]


_EVENTS, _ELEMENTS = 2000, 100_000  # far more than a task's small numbers need, a few seconds of checking


def why_over(kind: str) -> str:
    """Return the line about a file that did something forbidden."""
    garbled = say("it writes where the answers go")
    told = {
        "exit": say("it ends the program"),
        "memory": say("it takes more memory than there is for it"),
        "network": say("it uses the network"),
        "process": say("it starts or ends processes"),
        "write": say("it writes files"),
        "read": say("it reads files that are not its own"),
        "limits": say("it changes the limits of processes"),
        "machine": say("it reaches into the interpreter"),
        "prints": say("it prints without end"),
        "large": say("it computes far more than the task needs"),
    }
    return told.get(kind, garbled)


Judge = Callable[[Ask, np.random.Generator], str | None]


class Claim(NamedTuple):
    """One requirement on a student's file."""

    points: int
    says: str
    """The claim, in a few words: ``forward gives the cube``."""
    judge: Judge


class Grader(NamedTuple):
    """The claims of a task, its hints, and the functions that run in the student's process."""

    claims: tuple[Claim, ...]
    hints: tuple[str, ...]
    questions: str
    """The text of the functions that run there."""


def claim(points: int, says: str) -> Callable[[Judge], Claim]:
    """Return a decorator that turns a function ``(ask, draw)`` into a claim worth `points`."""
    return lambda judge: Claim(points, says, judge)


def close(answer: object, right: object, tolerance: float = 1e-6) -> bool:
    """Return whether an answer equals `right`: same shape, numbers equal up to rounding.

    >>> close(np.float32(0.1), 0.1), close([1.0, 2.0], np.array([1, 2])), close(None, 0.0), close([1.0], 1.0)
    (True, True, False, False)
    """
    try:
        given, wanted = np.asarray(answer), np.asarray(right)
        if given.dtype.kind not in "biufc" or given.shape != wanted.shape:
            return False
        return bool(np.allclose(given, wanted, rtol=tolerance, atol=tolerance, equal_nan=True))
    except (TypeError, ValueError):
        return False


def uses(ask: Ask, *names: str) -> bool:
    """Return whether a student's file imports, or takes out of a module, one of these names.

    A comment, or a variable of the student's own, is no use of it.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(ask.source)):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {one.name.partition(".")[0] for one in node.names}
            found.add(str(getattr(node, "module", "")).partition(".")[0])
    return not found.isdisjoint(names)


def read_grader(file: Traversable) -> Grader:
    """Return the grader in a file, which is executed: it is the teacher's own.

    Raises BadGrader if it raises, lacks its hints, or its points do not add up to 100.
    """
    text = file.read_text(encoding="utf-8")
    space: dict[str, Any] = {"__name__": file.name.removesuffix(".py"), "__file__": str(file)}
    try:
        with paddle_is_minipaddle():
            exec(compile(text, str(file), "exec"), space)
    except Exception as error:
        raise BadGrader(f"{file.name}: {type(error).__name__}: {error}") from error
    claims = tuple(one for one in space.values() if isinstance(one, Claim))
    hints = tuple(space.get("HINTS", ()))
    if len(hints) != HINTS or not all(isinstance(hint, str) for hint in hints):
        raise BadGrader(
            say("{file}: HINTS are {count} sentences, each saying more", file=file.name, count=HINTS)
        )
    if sum(one.points for one in claims) != FULL:
        raise BadGrader(
            say("{file}: the claims are worth {points} points together", file=file.name, points=FULL)
        )
    asked = [node for node in ast.parse(text).body if _is_import(node) or asks_the_student(node)]
    return Grader(claims, hints, "\n\n".join(map(ast.unparse, asked)))


def _is_import(node: ast.stmt) -> bool:
    ours = isinstance(node, ast.ImportFrom) and str(node.module).startswith("minipaddle.tools.course")
    return isinstance(node, ast.Import | ast.ImportFrom) and not ours


def asks_the_student(node: ast.stmt) -> bool:
    """Return whether a statement of a grader is a function that runs in the student's process."""
    return isinstance(node, ast.FunctionDef) and [one.arg for one in node.args.args[:1]] == ["student"]
