"""The debugger from Python: around a few lines of a script, or in a notebook."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minipaddle.engine.errors import file_title
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.debug.prompt import Prompt
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.file import save
from minipaddle.tools.record.sources.eager.recorder import Recorder
from minipaddle.tools.words.terminal import symbols_for

if TYPE_CHECKING:
    from minipaddle.tools.picture.picture import Picture


class Run:
    """The recording of a ``with record()`` block, with ways to view and save it."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    @property
    def trace(self) -> Trace:
        """The recording."""
        return self._recorder.trace

    def step(self, commands: Sequence[str] | None = None) -> None:
        """Open the prompt, or carry out `commands` and print their answers. Raises NoMove if nothing was recorded."""
        converse(Session(self.trace), commands)

    def graph(self, pass_number: int | None = None, **options: Any) -> Picture:
        """Draw one of its backward passes, the last by default; `options` are those of :func:`minipaddle.graph`."""
        from minipaddle.tools.picture.api import graph

        return graph(self, pass_number, **options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the recording as an ``.mpt``. Raises OSError if the file cannot be written."""
        save(self.trace, Path(path))


@contextmanager
def record(max_mb: float = 256, locals: bool = True) -> Iterator[Run]:
    """Record the tensor operations of a ``with`` block, and what Python's own variables (`locals`) are at its lines.

    Earlier calls that led to tensors in the caller's variables are included, as far as they are on the tape.

    Example::

        with minipaddle.tools.debug.record() as run:
            loss.backward()
        run.graph()
    """
    frame = sys._getframe(1)  # of the with statement: below those of contextlib and of `step`
    while frame.f_code.co_filename.endswith(("contextlib.py", __file__)) and frame.f_back is not None:
        frame = frame.f_back
    recorder = Recorder(file_title(frame.f_code.co_filename), max_mb)
    recorder.begin_with(frame)
    run = Run(recorder)
    try:
        with watching(recorder), recorder.lines.followed(locals, frame):
            yield run
    finally:
        complete_shapes(recorder.finish())


@contextmanager
def step(commands: Sequence[str] | None = None, max_mb: float = 256, locals: bool = True) -> Iterator[Run]:
    """Record the ``with`` block, then open the prompt on it (or carry out `commands`).

    Example::

        with minipaddle.tools.debug.step():
            loss.backward()
    """
    with record(max_mb, locals) as run:
        yield run
    run.step(commands)


def converse(session: Session, commands: Sequence[str] | None) -> None:
    """Open the prompt on a session, or carry out `commands` and print their answers."""
    prompt = Prompt(session, symbols_for(sys.stdout.encoding))
    prompt.begin()
    if commands is not None:
        any(map(prompt.run, commands))  # up to the one that ends the session
    elif sys.stdin is not None and not sys.stdin.closed:
        prompt.cmdloop()


def complete_shapes(trace: Trace) -> None:
    """Give each value that the tape does not keep the shape of its gradient."""
    for value in trace.values:
        of: Any = trace.value(value.of)
        if of is not None and not of.dtype:
            of.shape, of.dtype = value.shape, value.dtype
    for value in trace.values:
        value.dtype = value.dtype or "float32"
