"""Programs that work for us, each in a process group of its own: it can be ended with all that it has started."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from subprocess import PIPE, CompletedProcess, Popen
from threading import Lock


class Ended(RuntimeError):
    """The programs were ended before this one had finished, or begun."""


class Processes:
    """Programs that several threads wait for, and that can be ended at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[Popen[bytes]] = set()
        self._over = False

    def run(self, command: Sequence[str], given: bytes, seconds: float) -> CompletedProcess[bytes]:
        """Feed `given` to a program, and return how it ended and what it wrote.

        Raises:
            OSError: if it cannot be run.
            TimeoutExpired: if it takes longer than `seconds`.
            Ended: after :meth:`end`.
        """
        with self._started(command) as process:
            try:
                written, complaints = process.communicate(given, seconds)
            except BaseException:
                _kill(process)
                raise
            finally:
                self._running.discard(process)
        if self._over:
            raise Ended(command[0])
        return CompletedProcess(command, process.returncode, written, complaints)

    def end(self) -> None:
        """End what runs now, and let nothing begin any more."""
        with self._lock:
            self._over = True
            for process in list(self._running):
                _kill(process)

    def _started(self, command: Sequence[str]) -> Popen[bytes]:
        with self._lock:
            if self._over:
                raise Ended(command[0])
            process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=0)
            self._running.add(process)
            return process


def _kill(process: Popen[bytes]) -> None:
    """End a program with its group, unless somebody has seen its end: its number may be another one's by then."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # Windows has no groups of this kind
            process.kill()
