"""The kernel: records all cells of a notebook, as if they were one script.

IPython reports when a cell begins and ends. Between them the mode is watched; a mode set in a cell (``enable_static``)
stays for the next, also if every cell runs as its own task, as in JupyterLite. Read next: ``magics``.
"""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from minipaddle.engine.errors import CELLS
from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.watch.watched_mode import Watching
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.sources.eager.recorder import Recorder
from minipaddle.tools.run.advice import advice

_MOST_EVENTS = 50_000  # older steps are dropped beyond it: the magics stay quick
_MAX_MB = 128  # of numbers: half of the command line's, as a notebook stays open


class KernelRecorder(Recorder):
    """A recorder without end: once there are too many events, those before the current training step are dropped."""

    def __init__(self) -> None:
        super().__init__("notebook", _MAX_MB, 4 * _MOST_EVENTS)

    @property
    def is_full(self) -> bool:
        """Whether the recording is so large that a new one should begin."""
        return self._over or self._count > _MOST_EVENTS

    def begin_anew(self, frame: FrameType) -> None:
        """Begin a new recording, with the tape of the tensors in the variables of `frame`."""
        self._over = False
        self._begin()
        self.begin_with(frame)

    def value_of(self, tensor: Tensor) -> Value | None:
        """Return the recorded value of this Tensor; None if it was not recorded, or changed without an event."""
        self._flush()
        value = self._trace.value(self._source.builder.now(tensor))
        missed = self._over and value is not None and value.kept is not tensor.array
        return None if missed else value

    def _step_is_complete(self) -> None:
        self._updated = None
        if self.is_full:
            self._begin()


class Kernel:
    """The cells that a notebook has run so far, and the values of its variables."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell: Any = shell  # IPython's own code is not typed
        self.recorder = KernelRecorder()
        self.begun = 0
        """The number of events when the current cell began."""
        self._running = 0
        self._mode = current.get()
        self.recorder.begin_with(_frame_of(shell.user_ns))
        shell.events.register("pre_run_cell", self.begin_cell)
        shell.events.register("post_run_cell", self.end_cell)
        CELLS.append(self._name_of_cell)

    def close(self) -> None:
        """Stop recording cells."""
        self.shell.events.unregister("pre_run_cell", self.begin_cell)
        self.shell.events.unregister("post_run_cell", self.end_cell)
        CELLS.remove(self._name_of_cell)
        current.set(self._unwatched(current.get()))

    def begin_cell(self, info: Any = None) -> None:
        """Record from now on: IPython's event ``pre_run_cell``; a cell may begin within another."""
        self._running += 1
        if self._running > 1:
            return
        if self.recorder.is_full and not _has_only_magics(getattr(info, "raw_cell", "")):
            self.recorder.begin_anew(_frame_of(self.shell.user_ns))
        self.begun = len(self.recorder.trace.events)
        current.set(Watching(self._mode, self.recorder))

    def end_cell(self, result: Any = None) -> None:
        """Stop recording: the cell has ended, IPython's event ``post_run_cell``."""
        self._running = max(self._running - 1, 0)
        if not self._running:
            self._mode = self._unwatched(current.get())
            current.set(self._mode)
            error = getattr(result, "error_in_exec", None)
            said = "" if error is None else advice(error)
            if said:
                sys.stderr.write(f"[Hint: {said}]\n")

    @property
    def trace(self) -> Trace:
        """The recording so far; the next cells are not added to it."""
        return self.recorder.finish().snapshot()

    def aside(self, function: Callable[..., Any], *args: Any) -> Any:
        """Return ``function(*args)``, run without recording it."""
        return run_inside(self._unwatched(current.get()), function, *args)

    def holds(self, expression: str) -> Any:
        """Return the current value of the user's expression.

        Raises NameError or SyntaxError if it has none, and any error of its own.
        """
        return self.aside(eval, expression.strip(), self.shell.user_ns)

    def _name_of_cell(self, file: str) -> str:
        """Return the name of a cell in IPython's own tracebacks, by its file; "" if there is none."""
        found = self.shell.compile.format_code_name(file)
        return "" if found is None else str(found[1])

    def _unwatched(self, mode: Mode) -> Mode:
        """Return a mode without the recorder around it."""
        while isinstance(mode, Watching) and mode.observer is self.recorder:
            mode = mode.inner
        return mode


def _frame_of(namespace: dict[str, Any]) -> FrameType:
    """Return a frame with the variables of the notebook."""
    frame: FrameType = eval("_frame()", {**namespace, "_frame": lambda: sys._getframe(1)})
    return frame


def _has_only_magics(cell: str) -> bool:
    """Whether all lines of a cell are magics: they look at the recording, so it must not be replaced now."""
    lines = [line for line in cell.splitlines() if line.strip()]
    return bool(lines) and all(line.startswith("%") and not line.startswith("%%") for line in lines)
