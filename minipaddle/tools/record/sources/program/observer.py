"""The recorder's observer of Programs."""

from __future__ import annotations

import sys
import weakref
from functools import cached_property
from typing import TYPE_CHECKING

from minipaddle.engine.errors import user_frame, user_line
from minipaddle.tools.record.sources.eager.log import Log, said_by
from minipaddle.tools.record.sources.program.events import ProgramSource
from minipaddle.tools.record.sources.program.registry import Builders, Found, Registry, gives_first_values
from minipaddle.tools.record.sources.program.values import Given

if TYPE_CHECKING:
    from minipaddle.paddle.static.executor.run import Run


class ProgramWatch(Log):
    """The part of a recorder that observes Programs."""

    _program: ProgramSource | None = None
    _running: Run
    _ran: Registry | None = None
    """The Programs that were run."""

    @cached_property
    def _builders(self) -> Builders:
        """The functions that build Programs."""
        return Builders()

    def appends(self) -> None:
        """A user function builds a Program: its variables name the results of its Operators."""
        self._builders.append(user_frame(sys._getframe(1)))

    def program_began(self, run: Run) -> ProgramSource | None:
        """Return the observer of a run, after turning earlier notes into events."""
        if self._over:
            return None
        self._flush()
        self._ran = self._ran or Registry()
        frame = user_frame(sys._getframe(1))
        self._ran.met(run.program, frame).runs += 1
        given = self._given(run)
        given.held = self._builders.held(run.program, frame)
        self._program = ProgramSource(run.program, run.job.operators, self._source.builder, given)
        self._running = run
        return self._program

    def program_ended(self, error: BaseException | None) -> None:
        """A run has ended; a training step ends with the first run that has changed parameters."""
        source, self._program = self._program, None
        if source is None:
            return
        source.finish("" if error is None else said_by(error))
        self._pass = self._source.builder.passes
        self._note_what_stays(source, self._running)
        if error is not None:
            self.failed(error)
            return
        where = user_line()
        for variable in self._running.job.fetches:
            source.fetched(variable, where)
        if source.updated:
            self._step_is_complete()

    def _given(self, run: Run) -> Given:
        """Return the contents of Variables before the run; a value that the Scope still holds is the same value."""
        given = Given(dict(run.given()), run.places())
        for variable in run.job.loaded:
            place = given.places[variable]
            held = self._stays.get(place)
            now = self._source.builder.now(place)
            if now is not None and held is not None and held() is given.arrays[variable]:
                given.same[variable] = now
        return given

    def _note_what_stays(self, source: ProgramSource, run: Run) -> None:
        """Store the values that the Scope holds from now on."""
        for variable, place in run.places().items():
            id_ = source.tables.now.get(variable)
            if id_ is not None and place.value is not None:
                self._source.builder.held(place).now = id_
                self._stays[place] = weakref.ref(place.value)

    def _programs(self) -> list[Found]:
        """Return the Programs that were run, each with a unique name; those that only set first values come last."""
        ran = [] if self._ran is None else [one for one in self._ran.finish() if one.runs]
        for one in ran:
            one.starts = gives_first_values(one.program)
        return sorted(ran, key=lambda one: one.starts)
