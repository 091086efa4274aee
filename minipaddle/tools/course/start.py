"""How a student's process is started: as a fork of one that has minipaddle loaded, or as a new interpreter.

Read next: :mod:`minipaddle.tools.course.student.fork_server`, which forks.
"""

from __future__ import annotations

import atexit
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

FORKS = sys.platform == "linux"
"""On macOS a process that has used the system's linear algebra may not fork."""
TO_BEGIN = 120
"""Seconds that an interpreter may take to start, on a machine that has much to do."""
_KEPT_OF_THE_ENVIRONMENT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "APPDATA", "USERPROFILE"),
)
"""Whoever grades may have secrets in the others."""


class Forked:
    """A fork of the server, with what is used of a Popen."""

    returncode: int | None = None

    def __init__(self, server: ForkServer) -> None:
        (requests, ask), (answered, answers), (seen, printed) = (os.pipe() for _ in range(3))
        self.stdin, self.stdout, self.stderr = (
            os.fdopen(ask, "wb"),
            os.fdopen(answered, "rb"),
            os.fdopen(seen, "rb"),
        )
        self._server, theirs = server, (requests, answers, printed)
        try:
            self.pid = int(server.ask(b"fork", theirs))
            self._ending = os.pidfd_open(self.pid)
        except OSError:
            for pipe in (self.stdin, self.stdout, self.stderr):
                pipe.close()
            raise
        finally:
            for end in theirs:
                os.close(end)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code.

        Raises:
            subprocess.TimeoutExpired: it has not ended.
            OSError: the **server has ended**, and nobody knows.
        """
        if self.returncode is None:
            if not select.select([self._ending], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("student", timeout or 0)
            self.returncode = int(self._server.ask(str(self.pid).encode()))
            os.close(self._ending)
        return self.returncode


class ForkServer:
    """The process that forks, seen from here."""

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair()
        self._channel.settimeout(TO_BEGIN)
        self._asking = threading.Lock()
        with theirs:
            self._process = _interpreter(
                "minipaddle.tools.course.student.fork_server", theirs.fileno(), subprocess.DEVNULL
            )
        atexit.register(self.close)

    def ask(self, question: bytes, files: Sequence[int] = ()) -> bytes:
        """Return its answer.

        Raises:
            OSError: it has **ended**.
        """
        with self._asking:
            socket.send_fds(self._channel, [question], files)
            answer = self._channel.recv(64)
        if not answer:
            raise ConnectionResetError("the fork server has ended")
        return answer

    def close(self) -> None:
        """End it, and every process that it forked."""
        self._channel.close()
        self._process.wait()


_server = cache(ForkServer)
_using = threading.Lock()


def start() -> subprocess.Popen[bytes] | Forked:
    """Return a student's process that waits for its file."""
    if FORKS:
        try:
            with _using:
                server = _server()
            return Forked(server)
        except OSError:  # it has ended; the next file gets a new one
            _server.cache_clear()
    return _interpreter("minipaddle.tools.course.student", subprocess.PIPE, subprocess.PIPE)


def _interpreter(module: str, requests: int, printed: int) -> subprocess.Popen[bytes]:
    package = Path(__file__).resolve().parents[3]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    kept = {name: os.environ[name] for name in _KEPT_OF_THE_ENVIRONMENT if name in os.environ}
    path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    told = {
        "PYTHONPATH": path,
        "PYTHONIOENCODING": "utf-8:replace",
        "PYTHONSAFEPATH": "1",
        "PYTHONUNBUFFERED": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=requests,
        stdout=printed,
        stderr=printed,
        env=kept | threads | told,
        start_new_session=os.name == "posix",
    )
