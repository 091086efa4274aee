"""A student's code asked in this very process: for a notebook, and where there are no processes (a browser).

Nothing stands between the code and its judge: it can read the grader, change it, run for ever. What is counted for a
mark is graded by :mod:`minipaddle.tools.course.process`.
"""

import linecache
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.course.json_lines import from_line, to_line
from minipaddle.tools.course.process import told, wrong_in
from minipaddle.tools.course.student.attempt import attempt
from minipaddle.tools.record import Recorder
from minipaddle.tools.run.importer import paddle_is_minipaddle

HAS_PROCESSES = sys.platform not in ("emscripten", "wasi")


class StudentInside:
    """A student's names as a module, and what a claim may ask of it (see ``Ask`` in tools/course/claims.py)."""

    ended = ""
    """Why nothing more can be asked: it always can."""

    def __init__(self, names: Mapping[str, Any], file: str, source: str, questions: str) -> None:
        self.source, self._file = source, file
        self._student = ModuleType(file.removesuffix(".py"))
        vars(self._student).update(names)
        self._questions: dict[str, Any] = {}
        with paddle_is_minipaddle():
            exec(compile(questions, "<questions>", "exec"), self._questions)

    def __call__(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a question computes; what it writes into its arguments is not seen here. Raises Raised."""
        copied = from_line(to_line(list(arguments)))
        return _told(self._file, self._questions[question.__name__], self._student, *copied)

    def wrong_gradient(self, question: Callable[..., Any], *arguments: Any) -> str | None:
        """Return what the gradient check finds wrong in a run of a question, or None. Raises Raised."""
        recorder = Recorder(self._file)
        with watching(recorder):
            self(question, *arguments)
        return wrong_in(recorder.finish())


def loaded(file: str, text: str) -> dict[str, Any]:
    """Return the names that a student's file has when it was run, as an import would. Raises Raised."""
    names: dict[str, Any] = {"__name__": file.removesuffix(".py")}
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    _told(file, lambda: exec(compile(text, file, "exec"), names))
    return names


def _told(file: str, function: Callable[..., Any], *arguments: Any) -> Any:
    with paddle_is_minipaddle():
        return told(from_line(attempt(file, function, *arguments)), file)
