"""A student's process, seen from here: started, asked, watched and ended.

Read next: :mod:`minipaddle.tools.course.student.__main__`, the other side.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from math import prod
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple

from minipaddle.tools.checks.gradient.check import check_trace
from minipaddle.tools.checks.gradient.report import what_is_wrong
from minipaddle.tools.course.json_lines import NotPlain, from_line, to_line
from minipaddle.tools.course.memory import memory_of
from minipaddle.tools.course.start import TO_BEGIN, start
from minipaddle.tools.record import BadRecording, Trace, load
from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.language import say


class Limits(NamedTuple):
    """What a student's process may take."""

    seconds: int = 10
    """Of CPU, and from when its file is loaded to its end."""
    megabytes: int = 2048
    """Of address space (of memory, where the system has no such limit)."""
    printed: int = 1_000_000
    """Characters; the first few thousand are kept."""


AS_USUAL = Limits()
JUDGING = threading.Condition()
"""Held by who judges: what he uses need not know of threads. While he waits for an answer, another one does."""
_KEPT = 4000
_MOST = 1 << 27
"""Bytes of all answers; one counts for a thousand at least. Beyond them nothing is read any more."""
_LEAST = 1000
_GLANCE = 0.2
"""Seconds between two looks at the memory, where the system does not watch it."""


class Ended(Exception):
    """The student's process is over, or not to be asked any more; the message is the one line that says why."""


class Raised(Exception):
    """A question raised in the student's process; the message says what, and at which line of the file."""


class StudentProcess:
    """A student's file in a process of its own, for a ``with`` block."""

    def __init__(self, file: Path, text: str, questions: str, limits: Limits = AS_USUAL) -> None:
        self.file, self.source, self.limits = file, text, limits
        self._printed = bytearray()
        self._too_much = False
        self._lines: deque[bytes] = deque()
        self._until = time.monotonic() + TO_BEGIN
        self._over: Ended | None = None
        self._process = start()
        self._readers = [_in_a_thread(self._listen), _in_a_thread(self._read_what_is_printed)]
        job = {"file": os.path.realpath(file), "text": text, "questions": questions}
        allowed = {"seconds": limits.seconds, "megabytes": limits.megabytes}
        try:
            self._exchange(job | {"limits": allowed})  # it is ready: from here on time is the file's own
            self._until = time.monotonic() + limits.seconds
            self._answer()
        except Raised as error:
            self._over = Ended(str(error))
        except Ended:
            pass  # every question is answered with it

    def __enter__(self) -> StudentProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kill()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):  # what was not sent any more
                _open(pipe).close()

    @property
    def printed(self) -> str:
        """What the file printed: the first few thousand characters."""
        return self._printed[:_KEPT].decode("utf-8", "replace")

    @property
    def ended(self) -> str:
        """Why nothing more can be asked: one line; "": it can."""
        return str(self._over or "")

    # -- what a claim may do (see claims.Ask) ------------------------------------------------------------------------

    def __call__(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a question computes there.

        Raises:
            Raised: it **raised**.
            Ended: the process is over.
        """
        return self._ask(question, arguments, record=False)

    def wrong_gradient(self, question: Callable[..., Any], *arguments: Any) -> str | None:
        """Return what the gradient check finds wrong in a run of a question, or None.

        Raises:
            Raised: it **raised**.
            Ended: the process is over.
        """
        packed = self._ask(question, arguments, record=True)
        try:
            return wrong_in(load(BytesIO(packed if isinstance(packed, bytes) else b"")))
        except BadRecording:
            raise self._end(_garbled()) from None
        except Ended as ended:
            raise self._end(str(ended)) from None

    def _ask(self, question: Callable[..., Any], arguments: tuple[Any, ...], record: bool) -> Any:
        message = {"question": question.__name__, "arguments": list(arguments), "record": record}
        return self._exchange(message)

    # -- the channel ---------------------------------------------------------------------------------------------------

    def _exchange(self, message: dict[str, Any]) -> Any:
        """Send a message and return what is answered."""
        if self._over is not None:
            raise self._over
        try:
            requests = _open(self._process.stdin)
            requests.write(to_line(message))
            requests.flush()
        except OSError:
            pass  # it has ended: what it said last tells why
        return self._answer()

    def _answer(self) -> Any:
        """Return what the next message from there tells."""
        try:
            answer = from_line(self._next_line())
            return told(answer, self.file.name)
        except Ended as ended:
            raise self._end(str(ended)) from None
        except (NotPlain, AssertionError, KeyError):
            raise self._end(_garbled()) from None

    def _next_line(self) -> bytes:
        """Return the next line that the process sends.

        Raises:
            Ended: it sends none within its time.
        """
        watched = sys.platform != "linux"
        while True:
            left = self._until - time.monotonic()
            with JUDGING:
                came = JUDGING.wait_for(lambda: self._lines, min(left, _GLANCE) if watched else left)
            if not came:
                if time.monotonic() >= self._until:
                    raise self._end(self._too_slow()) from None
                if watched and memory_of(self._process.pid) > self.limits.megabytes << 20:
                    raise self._end(_why("memory")) from None
                continue
            if line := self._lines.popleft():
                return line
            raise self._end(self._how_it_died())

    def _how_it_died(self) -> str:
        """Return the line for a process that ended without a word."""
        if self._too_much:
            return say("it prints without end")
        code = self._process.returncode
        if code in (-getattr(signal, "SIGXCPU", 0), -9):
            return self._too_slow()
        return say(
            "it ended the program before it answered (exit code {code})", code="?" if code is None else code
        )

    def _too_slow(self) -> str:
        return say("it does not come to an end within {seconds} seconds", seconds=self.limits.seconds)

    def _end(self, line: str) -> Ended:
        self._over = Ended(say("it prints without end") if self._too_much else line)
        self._kill()
        return self._over

    def _kill(self) -> None:
        """End the process, and what it may have started."""
        if self._process.returncode is not None:
            return
        try:
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                os.kill(self._process.pid, signal.SIGTERM)  # which is the end of it, on Windows
        except (ProcessLookupError, PermissionError):
            pass

    # -- in threads of their own ---------------------------------------------------------------------------------------

    def _listen(self) -> None:
        channel, left = _open(self._process.stdout), _MOST
        while left > 0 and (line := channel.readline(left)):
            left -= max(len(line), _LEAST)
            self._came(line)
        if left <= 0:
            self._came(b"too much")
        with suppress(OSError):  # who started it has ended, too: nobody knows how it died
            self._process.wait()
        self._came(b"")

    def _came(self, line: bytes) -> None:
        with JUDGING:
            self._lines.append(line)
            JUDGING.notify_all()

    def _read_what_is_printed(self) -> None:
        printed, total = _open(self._process.stderr).fileno(), 0
        while chunk := os.read(printed, 1 << 16):
            total += len(chunk)
            self._printed += chunk[: max(0, _KEPT - len(self._printed))]
            if total > self.limits.printed:
                self._too_much = True
                self._kill()


def _in_a_thread(function: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    return thread


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def told(answer: Any, file: str) -> Any:
    """Return what a student's code has answered, by the message that tells of it.

    Raises:
        Raised: it raised.
        Ended: it did what ends its process.
    """
    assert isinstance(answer, dict)
    if "answer" in answer:
        return answer["answer"]
    if "raised" in answer:
        raise Raised(_raised(answer["raised"], answer["text"], answer["line"], file))
    raise Ended(_why(str(answer.get("forbidden") or answer["ended"])))


_EVENTS, _ELEMENTS = 2000, 100_000


def wrong_in(trace: Trace) -> str | None:
    """Return what the gradient check finds wrong in a recording, in one sentence, or None.

    Raises:
        Ended: it is far more than a task needs: the check would take long, and it is here that it runs.
    """
    if len(trace.events) > _EVENTS or any(prod(value.shape) > _ELEMENTS for value in trace.values):
        raise Ended(say("it computes far more than the task needs"))
    wrong = next((one for one in check_trace(trace) if one.verdict == "wrong"), None)
    return None if wrong is None else what_is_wrong(wrong)


def _raised(kind: object, text: object, line: object, file: str) -> str:
    what = visible(f"{kind}: {text}" if text else f"{kind}")
    place = say("{file}, line {line}", file=file, line=line) if line else file
    return say("{what} ({place})", what=what, place=place)


def _garbled() -> str:
    return say("it writes where the answers go")


def _why(kind: str) -> str:
    """Return the line for a file that did what no task needs."""
    told = {
        "exit": say("it ends the program"),
        "memory": say("it takes more memory than there is for it"),
        "network": say("it uses the network"),
        "process": say("it starts or ends processes"),
        "write": say("it writes files"),
        "read": say("it reads files that are not its own"),
        "limits": say("it changes the limits of processes"),
        "machine": say("it reaches into the interpreter"),
    }
    return told.get(kind, _garbled())
