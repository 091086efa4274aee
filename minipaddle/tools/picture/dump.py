"""Pictures as a by-product: Paddle's own ways to dump a graph, written into files while a script runs.

The names, arguments and files are Paddle's (3.3: ``backward(dump_backward_graph_path=...)`` and two guards in
``paddle.utils``); beside each ``.dot`` there is the page.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Any

from minipaddle.engine.core.errors import user_frame
from minipaddle.engine.core.node import Edge, Node, Step
from minipaddle.engine.core.observer import Observer
from minipaddle.engine.core.tell import PassKind
from minipaddle.engine.core.watching import watching
from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.render import NoRenderer
from minipaddle.tools.picture.model.mirror import NoBackward, forward_only, mirror
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.sources.eager.recorder import Recorder
from minipaddle.tools.record.sources.tape import Tape
from minipaddle.tools.record.user_code.names import names_in
from minipaddle.tools.words.numbers import look


@contextmanager
def backward_into(path: Any, grad_tensors: bool = False) -> Iterator[None]:
    """Draw every backward pass of the ``with`` block into the directory `path`, which is made if it is not there.

    For each pass there are, behind the time of day: ``_backward_graph.dot``, ``_ref_forward_graph.dot``,
    ``_call_stack.log`` (the line of each node), ``_graph.html``, and with `grad_tensors` ``_grad_tensors.log``.

    Raises:
        AssertionError: **path must be string type**.
        OSError: **Create ... failed**.
    """
    assert isinstance(path, str), "path must be string type"
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise OSError(f"Create '{path}' failed : {error}") from error
    directory, frame = Path(path), _caller()
    with watching(_Passes(lambda roots, steps: _write(directory, roots, steps, grad_tensors, frame))):
        yield


@contextmanager
def forward_into(path: str) -> Iterator[None]:
    """Draw what the ``with`` block computes: as DOT into the file `path`, and as a picture beside it."""
    recorder = Recorder(os.path.basename(path))
    with watching(recorder):
        yield
    trace = recorder.finish()
    try:
        picture = Picture(forward_only(trace), trace, Options(view="forward", depth="all"))
    except NoBackward:
        return  # nothing ran, so there is nothing to draw
    write_whole(path, picture.dot.encode())
    try:
        picture.save(f"{path}.pdf")
    except NoRenderer:
        picture.save(f"{path}.html")


class _Passes(Observer):
    """Hands the roots and the steps of every backward pass to `write`, once its gradients are stored."""

    def __init__(self, write: Callable[[list[Edge], list[Step]], None]) -> None:
        self.write = write
        self.running: list[tuple[list[Edge], list[Step]]] = []  # a hook may begin one within another

    def backward_began(self, kind: PassKind, seeds: Sequence[tuple[Edge, Any]], given: Sequence[Any]) -> None:
        """Note where a pass begins."""
        self.running.append(([edge for edge, _ in seeds], []))

    def stepped(self, step: Step, seconds: float) -> None:
        """Note a node of the walk."""
        self.running[-1][1].append(step)

    def backward_ended(self, error: BaseException | None) -> None:
        """Write the pass that is over."""
        self.write(*self.running.pop())


def _caller() -> FrameType | None:
    """Return the user's frame, past the standard library's part in a ``with`` statement."""
    frame = user_frame(sys._getframe(1))
    while frame is not None and frame.f_code.co_filename == contextlib.__file__:
        frame = user_frame(frame.f_back)
    return frame


def _write(
    directory: Path, roots: list[Edge], steps: list[Step], grad_tensors: bool, frame: FrameType | None
) -> None:
    """Write the files of one pass: what the tape knows of it, and the gradients that it made."""
    if not any(isinstance(node, Node) for node, *_ in steps):
        return
    trace = Trace("backward")
    names = {} if frame is None else names_in(frame)
    tape = Tape(Builder(trace, Memory(trace, sys.maxsize)), names)
    tape.read(roots)
    for step in steps:
        tape.fill(step)
    whole = mirror(trace)
    stamp = str(datetime.now()).replace(" ", "_")
    for name, options in (
        ("backward_graph.dot", Options(view="backward", depth="all")),
        ("ref_forward_graph.dot", Options(view="forward", depth="all")),
        ("graph.html", Options()),
    ):
        Picture(whole, trace, options).save(directory / f"{stamp}_{name}")
    write_whole(directory / f"{stamp}_call_stack.log", _call_stacks(trace).encode())
    if grad_tensors:
        write_whole(directory / f"{stamp}_grad_tensors.log", _gradients(trace).encode())


def _call_stacks(trace: Trace) -> str:
    ran = (event for event in trace.of_pass(trace.last_pass) if event.kind == "grad")
    lines = [f"{event.title} {event.where or ''}".rstrip() for event in ran]
    return "\n".join(lines) + "\n"


def _gradients(trace: Trace) -> str:
    made = [id_ for event in trace.events if event.kind in ("grad", "store") for id_ in event.outputs]
    values = [trace.values[id_] for id_ in made if id_ is not None]
    return "".join(f"{value.name} {list(value.shape)} {value.dtype} {look(value)}\n" for value in values)
