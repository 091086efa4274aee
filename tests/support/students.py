"""A student's process as a fork of this one: ten times quicker than a new interpreter, and judged the same.

What a process of its own keeps out is tested with such (tests/course); here it is only a place to compute.
"""

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

from minipaddle.course.student.__main__ import main

__all__ = ["Fork"]


class Fork:
    """A fork that answers as :mod:`minipaddle.course.student` does, with what is used of a Popen."""

    returncode: int | None = None

    def __init__(self, folder: Path) -> None:
        pipes = [os.pipe() for _ in range(3)]
        (requests, ask), (answered, answers), (seen, printed) = pipes
        sys.stdout.flush()
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # other threads: they do not matter to the child
            self.pid = os.fork()
        if self.pid == 0:
            _be_a_student(folder, requests, answers, printed)
        for end in (requests, answers, printed):
            os.close(end)
        self.stdin, self.stdout, self.stderr = (
            os.fdopen(ask, "wb"),
            os.fdopen(answered, "rb"),
            os.fdopen(seen, "rb"),
        )

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, as Popen does."""
        if self.returncode is not None:
            return self.returncode
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            pid, status = os.waitpid(self.pid, 0 if until is None else os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
                return self.returncode
            if until is not None and time.monotonic() >= until:
                raise subprocess.TimeoutExpired("student", timeout or 0)


def _be_a_student(folder: Path, requests: int, answers: int, printed: int) -> None:
    code = 1
    try:
        os.setsid()
        for number, end in enumerate((requests, answers, printed)):
            os.dup2(end, number)
        os.closerange(3, 256)
        os.chdir(folder)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, closefd=False) for number, mode in enumerate("rww")
        )
        alone = threading.Thread(target=main)  # with no lines of tests below it, to be read
        alone.start()
        alone.join()
        code = 0
    finally:
        os._exit(code)
