"""What a recorder does while an Executor runs a Program."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from contextvars import Token
from typing import TYPE_CHECKING, Any

from minipaddle.core.errors import user_frame
from minipaddle.core.watching import Observer
from minipaddle.static.custom.py_func import reading
from minipaddle.trace.sources.program.events import ProgramScribe
from minipaddle.trace.sources.program.registry import Census, Found
from minipaddle.trace.sources.program.roles import gives_first_values

if TYPE_CHECKING:
    from minipaddle.static.executor.run import Run
    from minipaddle.trace.sources.eager.events import Scribe


class ProgramWatch(Observer, ABC):
    """The part of an observer that Programs tell; a Recorder is one."""

    _program: ProgramScribe | None = None
    _ran: Census | None = None
    """The Programs that were run."""
    _unread: Token[Any]
    """Brings back how functions of the user's were called before."""
    _over: bool
    _pass: int
    _scribe: Scribe

    def program_began(self, run: Run) -> None:
        """A run begins: what was noted before is written down first."""
        if not self._over:
            self._flush()
            self._ran = self._ran or Census()
            self._ran.met(run.program, user_frame(sys._getframe(1))).runs += 1
            self._program = ProgramScribe(run.program, self._scribe.builder, self._pass)
            self._unread = reading.set(self._program.reader)

    def program_stepped(self, event: Any, seconds: float) -> None:
        """One step of a run is done."""
        if self._program is not None:
            self._program.step(event, seconds)

    def program_ended(self, error: BaseException | None) -> None:
        """A run is over; a training step ends with the first run that has changed parameters."""
        scribe, self._program = self._program, None
        if scribe is None:
            return
        reading.reset(self._unread)
        scribe.finish()
        self._went_on(scribe.passes)
        if error is not None:
            self.failed(error)
        elif scribe.updated:
            self._step_is_complete()

    def _programs(self) -> list[Found]:
        """Return the Programs that were run, each under a name of its own; those that only give first values last."""
        ran = [] if self._ran is None else [one for one in self._ran.finish() if one.runs]
        for one in ran:
            one.starts = gives_first_values(one.program)
        return sorted(ran, key=lambda one: one.starts)

    def _went_on(self, passes: int) -> None:
        """Note the number of backward passes so far."""
        self._pass = passes
        self._scribe.builder.passes = passes

    @abstractmethod
    def _flush(self) -> None:
        """Make events of what is noted."""

    @abstractmethod
    def _step_is_complete(self) -> None:
        """End the recording, begin it anew or go on, as was asked."""

    @abstractmethod
    def failed(self, error: BaseException) -> None:
        """Write down that the script raised."""
