"""The prompt in a running process: at a line of a loop, or after an error, in a script, a notebook or ``python -i``.

Where a command of minipaddle or a notebook records already, its recording is shown. Read next:
:mod:`minipaddle.tools.debug.api`, which records a block.
"""

import atexit
import sys
from collections.abc import Sequence
from threading import RLock
from traceback import walk_tb
from types import FrameType

from minipaddle.engine.errors import file_title, user_frame
from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.watch.watched_mode import Watching, observers
from minipaddle.tools.debug.api import complete_shapes, converse
from minipaddle.tools.debug.commands.base import write_line
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.kinds import Raised
from minipaddle.tools.record.sources.eager.recorder import Recorder
from minipaddle.tools.record.user_code.lines import Lines
from minipaddle.tools.words.language import say

_ONE_AT_A_TIME = RLock()
"""Held while a prompt is open: two threads cannot read one terminal."""


def breakpoint(commands: Sequence[str] | None = None) -> None:
    """Open the prompt at the end of what was recorded so far (or carry out `commands`); then the script goes on.

    The first call where nothing records begins to: with the calls on the tape that led to the tensors in the caller's
    variables. The next call shows those, and all since then.
    """
    frame, recorder, said = sys._getframe(1), _recorder(), ""
    if recorder is None:
        recorder = _with_tape(frame)
        current.set(Watching(current.get(), recorder))
        before = getattr(sys.gettrace(), "__self__", None)
        if isinstance(before, Lines):  # of a recording that ended in the block in which it began, as no_grad
            before.close()
        recorder.lines.follow(frame)
        atexit.register(recorder.lines.close)  # before Python takes its modules apart
        said = say("recording begins here; of what ran before, the tape knows what led to your variables")
    _open(recorder, frame, commands, said)


def pm(commands: Sequence[str] | None = None) -> None:
    """Open the prompt at the last error, as ``pdb.pm`` does: on the recording, else on the tape of its tensors."""
    error, recorder, said = sys.exc_info()[1] or getattr(sys, "last_value", None), _recorder(), ""
    if not isinstance(error, Exception):
        write_line(say("there was no error"))
        return
    *_, innermost = [sys._getframe(1), *(frame for frame, _ in walk_tb(error.__traceback__))]
    frame = user_frame(innermost) or innermost
    is_noted = recorder is not None and "noted" in vars(error)
    if recorder is None:
        recorder = _with_tape(frame)
        said = say(
            "nothing was recording: this is what the tape knows; after `gd.breakpoint()` all is recorded"
        )
    if not is_noted:
        recorder.failed(error)
    _open(recorder, frame, commands, said, Raised)


def _recorder() -> Recorder | None:
    """Return the recorder that observes now, the innermost that goes on."""
    mine = [one for one in observers() if isinstance(one, Recorder) and not one.trace.cut_off]
    return mine[-1] if mine else None


def _with_tape(frame: FrameType) -> Recorder:
    """Return a new recorder that has the tape of the tensors in a frame's variables."""
    recorder = Recorder(file_title(frame.f_code.co_filename))
    recorder.begin_with(frame)
    return recorder


def _open(
    recorder: Recorder, frame: FrameType, commands: Sequence[str] | None, said: str, at: type = object
) -> None:
    """Open the prompt at the last event of a class, with a frame's variables; what it computes is not recorded."""
    with _ONE_AT_A_TIME:
        if said:
            write_line(said)
        recorder.lines.turn(False)
        try:
            recorder.look(frame)
            trace = recorder.trace.snapshot()
            complete_shapes(trace)
            session = Session(trace)
            stops = enumerate(session.stops)
            places = [place for place, index in stops if isinstance(trace.events[index], at)]
            session.position = places[-1] if places else len(session.stops) - 1
            session.goes_on = True
            *_, plain = current.get().layers()
            run_inside(plain, converse, session, commands)
        except NoMove:
            write_line(say("there is nothing to show yet"))
        finally:
            recorder.lines.turn(True)
