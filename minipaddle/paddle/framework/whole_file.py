"""Atomic file writes: a full disk, an error or a kill leaves the old file unchanged."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

_ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file that replaces `path` when the ``with`` block ends without an error.

    Missing directories are made. A link stays, and its target is replaced. A device or a pipe cannot be
    replaced: it is written to during the block.

    Raises:
        OSError: if the path cannot be written.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target) and not os.path.isdir(target):
        with open(target, "wb") as file:
            yield file
        return
    import tempfile  # takes as long to import as a tenth of minipaddle

    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=f"{os.path.basename(target)[:200]}.", dir=folder)
    with _removing_if_ended(beside):
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(beside, _mode_of(target))
        os.replace(beside, target)


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file that appears when complete, as :func:`whole_file` does."""
    with whole_file(path) as file:
        file.write(content)


@contextmanager
def _removing_if_ended(file: str) -> Iterator[None]:
    """Remove `file` if an error ends the ``with`` block, or a signal that should end the process."""

    def end(number: int, frame: Any) -> None:
        os.unlink(file)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    heard = []
    if threading.current_thread() is threading.main_thread():  # only this thread may set signal handlers
        heard = [number for number in _ENDING_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in heard:
        signal.signal(number, end)
    try:
        yield
    except BaseException:
        os.unlink(file)
        raise
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


def _mode_of(target: str) -> int:
    """Return the permissions of the file that is replaced; for a new file, the default ones."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
