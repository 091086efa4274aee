"""The prompt in a running process: at a line of a loop, or after an error, in a script, a notebook or ``python -i``.

Where a command of minipaddle or a notebook records already, that recording is shown. Read next:
:mod:`minipaddle.tools.debug.api`, which records a block.
"""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from traceback import walk_tb
from types import FrameType

from minipaddle.engine.errors import file_title, user_frame
from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.watch.watched_mode import Watching, observers
from minipaddle.tools.debug.api import converse
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.kinds import Raised
from minipaddle.tools.record.sources.eager.recorder import Recorder

_MAX_MB = 256  # of numbers that are kept, as by `minipaddle step`
_TO_THE_END = ExitStack()
"""The lines that are followed until the process ends."""


def breakpoint(commands: Sequence[str] | None = None) -> None:
    """Open the prompt at the end of what was recorded so far (or carry out `commands`); then the script goes on.

    The first call in a process that records nothing begins to: with the calls on the tape that led to the tensors in
    the caller's variables. The next call shows those, and all since then. Raises NoMove if nothing was recorded.
    """
    recorder = _recorder()
    if recorder is None or recorder.trace.cut_off:
        recorder = _begun(sys._getframe(1))
        current.set(Watching(current.get(), recorder))
        _TO_THE_END.enter_context(recorder.lines.followed(caller=sys._getframe(1)))
    _open(recorder.trace, commands)


def pm(commands: Sequence[str] | None = None) -> None:
    """Open the prompt at the last error, as ``pdb.pm`` does: on the recording, else on the tape of its tensors.

    Raises NoMove if there was no error, or nothing was recorded.
    """
    error = sys.exc_info()[1] or getattr(sys, "last_value", None)
    if not isinstance(error, Exception):
        raise NoMove("there was no error")
    recorder = _recorder()
    if recorder is None:
        *_, innermost = [sys._getframe(1), *(frame for frame, _ in walk_tb(error.__traceback__))]
        recorder = _begun(user_frame(innermost) or innermost)
    if not any(isinstance(event, Raised) for event in recorder.trace.events[-1:]):
        recorder.failed(error)
    _open(recorder.trace, commands)


def _recorder() -> Recorder | None:
    """Return the recorder that observes now, the innermost."""
    return next((one for one in reversed(observers()) if isinstance(one, Recorder)), None)


def _begun(frame: FrameType) -> Recorder:
    """Return a recorder that has the tape of the tensors in a frame's variables."""
    recorder = Recorder(file_title(frame.f_code.co_filename), _MAX_MB)
    recorder.begin_with(frame)
    return recorder


def _open(so_far: Trace, commands: Sequence[str] | None) -> None:
    """Open the prompt at the end of a recording that goes on later; what the prompt computes is not recorded."""
    session = Session(so_far.snapshot())
    session.position = len(session.stops) - 1
    *_, plain = current.get().layers()
    run_inside(plain, converse, session, commands)
