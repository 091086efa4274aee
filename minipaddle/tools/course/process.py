"""A student's process, seen from here: started, asked, watched and ended.

Read next: :mod:`minipaddle.tools.course.student.process`, the other side.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from minipaddle.tools.course.claims import Ask, Ended, Raised, why_over
from minipaddle.tools.course.messages import NotPlain, asking, from_line
from minipaddle.tools.words.control_characters import visible
from minipaddle.tools.words.language import language, say
from minipaddle.tools.words.numbers import at_line

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


class Limits(NamedTuple):
    """Limits on time, memory and output of a student's process."""

    seconds: int = 10
    """Of CPU, and from when its file is loaded to its end."""
    megabytes: int = 2048
    """Of address space (of memory, where the system has no such limit)."""
    printed: int = 1_000_000
    """Bytes; the first few thousand are kept."""


AS_USUAL = Limits()
STARTS = "forkserver" if sys.platform == "linux" else "spawn"
"""On macOS a process that has used the system's linear algebra must not fork."""
TO_BEGIN = 120
"""Seconds for an interpreter to start, even on a very busy machine."""
_KEPT_OF_THE_ENVIRONMENT = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "APPDATA", "USERPROFILE"),
)
"""The other variables may hold secrets of the grader."""
_KEPT = 4000  # characters of printed output: enough to see what a print shows
_MOST = 1 << 27
"""Most bytes of an answer, 128 MiB; a message with a longer length is refused."""
_GLANCE = 0.2
"""Seconds between two checks of the process's time, output and memory."""


class StudentProcess(Ask):
    """A student's file in a process of its own, for a ``with`` block."""

    def __init__(self, file: Path, text: str, questions: str, limits: Limits = AS_USUAL) -> None:
        self.file, self.source, self.limits = file, text, limits
        self.printed = ""
        """The output of the file, once its process is over: the first few thousand characters."""
        self._stopped = ""  # why this side ended it
        self._until = time.monotonic() + TO_BEGIN
        self._folder = TemporaryDirectory(prefix="minipaddle-", ignore_cleanup_errors=True)
        self._output = Path(self._folder.name, "printed")
        self._output.touch()
        told = {"file": os.path.realpath(file), "text": text, "questions": questions, "language": language()}
        self._channel, self._process = _started(
            {**told, "output": str(self._output), "limits": limits._asdict()}
        )
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        try:
            self._answer()  # it is ready: the file's time starts now
            self._until = time.monotonic() + limits.seconds
            self._answer()
        except Raised as error:
            self.ended = str(error)
        except Ended:
            pass  # every later question raises it

    def __enter__(self) -> StudentProcess:
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._watcher.join()
        self._process.kill()
        self._process.join()
        self._channel.close()
        with self._output.open("rb") as printed:
            self.printed = printed.read(_KEPT).decode("utf-8", "replace")
        self._folder.cleanup()

    # -- questions of a claim (see claims.Ask) -------------------------------------------------------------------------

    def _ask(self, question: Callable[..., Any], arguments: tuple[Any, ...], record: bool) -> Any:
        if self.ended:
            raise Ended(self.ended)
        with suppress(OSError):  # it has ended: its last message has the reason
            self._channel.send_bytes(asking(question, arguments, record))
        return self._answer()

    def _answer(self) -> Any:
        """Return the answer in the next message from the process."""
        try:
            line = self._received()
            if self._prints_without_end:
                raise self._end(why_over("prints"))
            return told(from_line(line), self.file.name)
        except Ended as ended:
            raise self._end(str(ended)) from None
        except (EOFError, ConnectionError):
            raise self._end(self._how_it_died()) from None
        except (OSError, NotPlain, AssertionError, KeyError):
            raise self._end(why_over("garbled")) from None

    def _received(self) -> bytes:
        return self._channel.recv_bytes(_MOST)

    def _how_it_died(self) -> str:
        """Return the reason, in one line, for a process that ended without a message."""
        self._process.join()
        code = self._process.exitcode
        if code in (-getattr(signal, "SIGXCPU", 0), -9):
            return self._too_slow()
        if code == -getattr(signal, "SIGSYS", 0):
            return say("it asks the system for what no task needs")
        return say("it ended the program before it answered (exit code {code})", code=code)

    def _end(self, line: str) -> Ended:
        self.ended = self._stopped or line
        self._process.kill()
        return Ended(self.ended)

    # -- limits --------------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """End the process if it exceeds a limit; runs in its own thread."""
        while not self._over.wait(_GLANCE):
            if time.monotonic() >= self._until:
                self._stopped = self._too_slow()
            elif self._prints_without_end:
                self._stopped = why_over("prints")
            elif sys.platform != "linux" and _memory_of(self._process.pid) > self.limits.megabytes << 20:
                self._stopped = why_over("memory")
            if self._stopped:
                self._process.kill()
                return

    @property
    def _prints_without_end(self) -> bool:
        return self._output.stat().st_size >= self.limits.printed

    def _too_slow(self) -> str:
        return say("it does not come to an end within {seconds} seconds", seconds=self.limits.seconds)


def _started(job: dict[str, Any]) -> tuple[Connection, BaseProcess]:
    """Return a process that loads the file of a job, and the channel to it.

    Where possible, it is a fork of a process with minipaddle loaded and no student code, else a new interpreter.
    """
    import multiprocessing  # a browser has no such module, and grades inside

    from minipaddle.tools.course.student.process import main

    how: Any = multiprocessing.get_context(STARTS)  # typeshed does not know what a context starts
    how.set_forkserver_preload([main.__module__])
    with _without_secrets():
        for again in (True, False):
            ours, theirs = how.Pipe()
            process = how.Process(target=main, args=(theirs, job), daemon=True)
            try:
                process.start()
                break
            except (OSError, EOFError):  # the fork server has died; the next try restarts it
                if not again:
                    raise
            finally:
                theirs.close()
    return ours, process


_starting = threading.Lock()


@contextmanager
def _without_secrets() -> Iterator[None]:
    """Hide the grader's environment and script within a ``with`` block, as started processes inherit both."""
    package = Path(__file__).resolve().parents[3]
    given = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    path = os.pathsep.join(dict.fromkeys([str(package), *given]))
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    with _starting:
        environment, script = dict(os.environ), sys.modules["__main__"]
        for name in environment.keys() - {*_KEPT_OF_THE_ENVIRONMENT}:
            del os.environ[name]
        os.environ.update(threads, PYTHONPATH=path, PYTHONSAFEPATH="1")
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script
            os.environ.clear()
            os.environ.update(environment)


def _memory_of(process: int | None) -> int:
    """Return the bytes of memory that a process has now, where no system limits it (Windows, macOS); 0: it ended."""
    asked = ["ps", "-o", "rss=", "-p", str(process)]
    if sys.platform == "win32":
        asked = ["tasklist", "/NH", "/FO", "CSV", "/FI", f"PID eq {process}"]  # ...,"12,345 K"
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    digits = re.sub(r"\D", "", told.rpartition('","')[2])
    return int(digits or 0) << 10


def told(answer: Any, file: str) -> Any:
    """Return the answer of a student's code that a message contains.

    Raises Raised if it raised, Ended if it did something that ends its process.
    """
    assert isinstance(answer, dict)
    if "answer" in answer:
        return answer["answer"]
    if "raised" in answer:
        kind, text, hint = (str(answer[one]) for one in ("raised", "text", "hint"))
        line, hint = answer["line"], hint and f" [Hint: {hint}]"
        what = visible((f"{kind}: {text}" if text else kind) + hint)
        raised = Raised(at_line(what, file, line) if line else say("{what} ({place})", what=what, place=file))
        raised.is_the_students = bool(line) or text.startswith(("module ", "type object "))
        raised.is_the_engines = text.startswith("(")
        raise raised
    raise Ended(why_over(str(answer.get("forbidden") or answer["ended"])))
