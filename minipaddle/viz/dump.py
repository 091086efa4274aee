"""Pictures as a by-product: Paddle's own ways to dump a graph, written into files while a script runs.

The names, arguments and files are Paddle's (3.3: ``backward(dump_backward_graph_path=...)`` and two guards in
``paddle.utils``); beside each ``.dot`` there is the page.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Any

from minipaddle.core.eager import current, within
from minipaddle.core.errors import user_frame
from minipaddle.core.mode import Around, Mode, Saving
from minipaddle.core.node import Node, Port, Step
from minipaddle.core.watching import watching
from minipaddle.trace.builder import Builder
from minipaddle.trace.events import Trace
from minipaddle.trace.memory import Memory
from minipaddle.trace.sources.eager.recorder import Recorder
from minipaddle.trace.sources.tape import Tape
from minipaddle.trace.user_code.names import names_in
from minipaddle.viz.draw.render import NoRenderer
from minipaddle.viz.model.mirror import NoBackward, forward_only, mirror
from minipaddle.viz.options import Options
from minipaddle.viz.picture import Picture
from minipaddle.words.numbers import look


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
    collecting = _Collecting(current.get(), lambda steps: _write(directory, steps, grad_tensors, frame))
    with within(collecting):
        yield
    collecting.write_last()


@contextmanager
def forward_into(path: str) -> Iterator[None]:
    """Draw what the ``with`` block computes: as DOT into the file `path`, and as a picture beside it."""
    recorder = Recorder(os.path.basename(path))
    with watching(recorder):
        yield
    trace = recorder.finish()
    try:
        picture = Picture(forward_only(trace), trace, Options(view="forward"))
    except NoBackward:
        return  # nothing ran, so there is nothing to draw
    Path(path).write_text(picture.dot, encoding="utf-8")
    try:
        picture.save(f"{path}.pdf")
    except NoRenderer:
        picture.save(f"{path}.svg")


class _Collecting(Around):
    """A mode that hands the steps of every backward pass to `write`, once its gradients are stored."""

    __slots__ = ("steps", "write")

    def __init__(
        self, inner: Mode, write: Callable[[list[Step]], None], steps: list[Step] | None = None
    ) -> None:
        super().__init__(inner)
        self.write = write
        self.steps: list[Step] = [] if steps is None else steps

    def with_grad(self, flag: bool) -> Mode:
        """Keep collecting."""
        return _Collecting(self.inner.with_grad(flag), self.write, self.steps)

    def with_saving(self, hooks: Saving) -> Mode:
        """Keep collecting."""
        return _Collecting(self.inner.with_saving(hooks), self.write, self.steps)

    def drain(self, steps: Iterator[Step]) -> Iterable[Step]:
        """Note each step before the caller takes it."""
        self.write_last()
        for step in self.inner.drain(steps):
            self.steps.append(step)
            yield step

    def write_last(self) -> None:
        """Write the pass that is over."""
        done = list(self.steps)
        self.steps.clear()
        if done:
            self.write(done)


def _caller() -> FrameType | None:
    """Return the user's frame, past the standard library's part in a ``with`` statement."""
    frame = user_frame(sys._getframe(1))
    while frame is not None and frame.f_code.co_filename == contextlib.__file__:
        frame = user_frame(frame.f_back)
    return frame


def _write(directory: Path, steps: Sequence[Step], grad_tensors: bool, frame: FrameType | None) -> None:
    """Write the files of one pass."""
    trace = _trace_of(steps, frame)
    if trace is None:
        return
    whole = mirror(trace)
    stamp = str(datetime.now()).replace(" ", "_")
    for name, options in (
        ("backward_graph.dot", Options(view="backward")),
        ("ref_forward_graph.dot", Options(view="forward")),
        ("graph.html", Options()),
    ):
        Picture(whole, trace, options).save(directory / f"{stamp}_{name}")
    (directory / f"{stamp}_call_stack.log").write_text(_call_stacks(trace), encoding="utf-8")
    if grad_tensors:
        (directory / f"{stamp}_grad_tensors.log").write_text(_gradients(trace), encoding="utf-8")


def _trace_of(steps: Sequence[Step], frame: FrameType | None) -> Trace | None:
    """Read the tape behind the nodes that a pass has visited, and put the gradients in."""
    reached = {edge.record if isinstance(edge, Port) else edge for node, *_ in steps for edge in _edges(node)}
    roots = [
        Port(node, 0) if node.metas is not None else node for node in _records(steps) if node not in reached
    ]
    if not roots:
        return None
    trace = Trace("backward")
    tape = Tape(
        Builder(trace, Memory(trace, sys.maxsize)), dict(names_in(frame) if frame is not None else ())
    )
    tape.read(roots)
    for step in steps:
        tape.fill(step)
    return trace


def _records(steps: Sequence[Step]) -> Iterator[Node]:
    return (node for node, *_ in steps if isinstance(node, Node))


def _edges(node: Any) -> Sequence[Any]:
    return node.edges if isinstance(node, Node) else ()


def _call_stacks(trace: Trace) -> str:
    lines = [f"{event.title} {event.where or ''}".rstrip() for event in trace.events if event.kind == "grad"]
    return "\n".join(lines) + "\n"


def _gradients(trace: Trace) -> str:
    lines = []
    for event in trace.events:
        for id_ in event.outputs if event.kind in ("grad", "store") else ():
            if id_ is not None:
                value = trace.values[id_]
                lines.append(f"{value.name} {list(value.shape)} {value.dtype} {look(value)}")
    return "\n".join(lines) + "\n"
