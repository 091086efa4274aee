"""What a student's file is kept from: files, network, processes. An attempt ends its process, and is told by its kind.

A fence against accidents and mischief, not a jail: Python's audit hooks see what Python does. To grade files of
strangers, give the command a user or a container of its own.
"""

import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import minipaddle
from minipaddle.tools.course.json_lines import to_line

_FORBIDDEN = {
    "network": ("socket.", "urllib.", "http.client.", "ftplib.", "smtplib.", "webbrowser."),
    "process": (
        *("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile"),
        *("os.kill", "pty.", "_winapi.CreateProcess"),
    ),
    "write": (
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
        *("os.chmod", "os.chown", "os.utime", "shutil.", "tempfile."),
    ),
    "read": ("os.chdir", "os.scandir", "glob.", "sqlite3."),
    "limits": ("resource.",),
    "machine": ("ctypes.dl", "ctypes.call_function", "ctypes.string_at", "ctypes.wstring_at", "gc.get_"),
}
"""Audit events by how they begin (docs.python.org, "Audit events table")."""
_KIND = {start: kind for kind, starts in _FORBIDDEN.items() for start in starts}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OF_THE_SYSTEM = ("/usr/share/zoneinfo", "/etc/localtime", "/dev/urandom", "/dev/null")


def arm(tell: Callable[[bytes], None], folder: Path) -> None:
    """From here on end the process, and `tell` why, if it does what no task needs.

    It may read code (Python's, NumPy's, ours) and the Python files beside the student's own in `folder`.
    """
    sys.dont_write_bytecode = True
    may_read = _reader(folder)
    end, beginnings = os._exit, tuple(_KIND)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        kind = ""
        if event == "open":
            kind = "write" if _writes(*arguments[1:3]) else "" if may_read(arguments[0]) else "read"
        elif event.startswith(beginnings):
            kind = next(_KIND[start] for start in beginnings if event.startswith(start))
        if kind:
            tell(to_line({"forbidden": kind}))
            end(1)

    sys.addaudithook(hook)


def _writes(mode: object, flags: object) -> bool:
    """Return whether a file is opened to be changed."""
    asked = isinstance(mode, str) and any(letter in mode for letter in "wax+")
    return asked or (isinstance(flags, int) and bool(flags & _WRITING))


def _reader(folder: Path) -> Callable[[Any], bool]:
    """Return a function that says whether a file may be read."""
    package = Path(minipaddle.__file__).resolve().parent
    code = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    code |= {str(package), str(Path(np.__file__).parent.parent), *_OF_THE_SYSTEM}
    roots = tuple(os.path.realpath(root) for root in code)
    hidden = os.path.realpath(package / "tutorials")
    own = os.path.realpath(folder)
    compiled = os.path.join(own, "__pycache__")
    real, inside, parent = os.path.realpath, _is_inside, os.path.dirname

    def may_read(path: Any) -> bool:
        if isinstance(path, int):
            return True
        place = real(os.fsdecode(path))
        if parent(place) == own:
            return place.endswith(".py")
        if parent(place) == compiled:
            return place.endswith(".pyc")
        return any(inside(place, root) for root in roots) and not inside(place, hidden)

    return may_read


def _is_inside(place: str, root: str) -> bool:
    return place == root or place.startswith(root + os.sep)
