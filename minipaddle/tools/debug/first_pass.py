"""Finds the first training step in which a condition holds: in one run that keeps one step at a time.

Read next: :meth:`minipaddle.tools.debug.session.Session.first`, which finds the event.
"""

from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.sources.eager.recorder import Recorder


class FirstPass(Recorder):
    """A recorder that forgets each training step in which a SPEC holds nowhere; the first other one ends the script."""

    def __init__(self, script: str, max_mb: float, spec: str) -> None:
        super().__init__(script, max_mb, step=1, ends_script=True)
        self._spec = spec

    def _step_is_complete(self) -> None:
        try:
            Session(self.trace).first(self._spec)
            self._step = self._pass
        except NoMove:  # or a name in it that this step does not know
            self._step = self._pass + 1
        super()._step_is_complete()
