"""The student's process: loads the file, and answers questions with its results; it grades nothing.

Started by :mod:`minipaddle.tools.course.process`. The output of the file goes to another file, and its input is empty.
It may not use files, network or processes: an attempt ends it, and is reported. A fence against accidents and
mischief, not a jail: Python's audit hooks see what Python does and give the reason, and on Linux
:mod:`minipaddle.tools.course.student.kernel` holds what passes them. To grade files of strangers, give the command a
user or a container of its own.
"""

import ctypes
import importlib
import linecache
import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import minipaddle
from minipaddle.importer import install
from minipaddle.ops.random.generator import switch, unforeseen
from minipaddle.tools.course.messages import attempt, reply, to_line
from minipaddle.tools.course.student import kernel
from minipaddle.tools.words.language import speak

_PACKAGE = Path(minipaddle.__file__).resolve().parent
_NEEDED_ONCE = (ctypes, minipaddle.paddle.Tensor)
"""Imported before restrictions apply: importing ctypes opens the interpreter's own library."""


def main(channel: Connection, job: dict[str, Any]) -> None:
    """Report readiness, load the file of a job, and answer questions until there are no more."""
    place = job["file"]
    _isolate(channel, job)
    install()
    speak(job["language"])
    limit(job["limits"])
    kernel.fence_calls()
    os.chdir(os.path.dirname(place))
    forbid(channel.send_bytes, os.path.dirname(place))
    channel.send_bytes(to_line({"answer": "ready"}))
    space: dict[str, Any] = {}
    channel.send_bytes(attempt(place, _load, space, job))
    while True:
        try:
            asked = channel.recv_bytes()
        except EOFError:
            return
        channel.send_bytes(reply(place, space, asked))


def _isolate(channel: Connection, job: Mapping[str, str]) -> None:
    """Isolate the process: its own group, random seed, output, and only `channel` open; it ends with the grader."""
    grader = parent_process()
    assert grader is not None
    if os.name == "posix":
        os.setsid()
        for number in {*range(3, 256)} - {channel.fileno(), grader.sentinel, sys.stdin.fileno()}:
            with suppress(OSError):
                os.close(number)
    np.random.seed()
    switch(unforeseen())
    printed = os.open(job["output"], os.O_WRONLY | os.O_APPEND)
    for number, stream in enumerate((sys.stdout, sys.stderr), 1):
        os.dup2(printed, number)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    os.close(printed)
    own = os.path.dirname(job["file"])
    kernel.fence_files([own, *_code_folders(), *_LIBRARIES])  # first: it holds for threads started later
    threading.Thread(target=lambda: (wait([grader.sentinel]), os._exit(0)), daemon=True).start()


def limit(limits: Mapping[str, int]) -> None:
    """Limit seconds of CPU, bytes of memory, files, processes and output; on POSIX the system enforces it."""
    if sys.platform == "win32":
        return
    import resource

    wanted = {
        resource.RLIMIT_CPU: limits["seconds"],
        resource.RLIMIT_AS: limits["megabytes"] << 20,
        resource.RLIMIT_FSIZE: limits["printed"],
        resource.RLIMIT_CORE: 0,
    }
    if hasattr(resource, "RLIMIT_NPROC") and os.getuid() != 0:
        wanted[resource.RLIMIT_NPROC] = 0
    for what, most in wanted.items():
        _, hard = resource.getrlimit(what)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        with suppress(ValueError, OSError):  # macOS cannot limit address space: the grader watches the memory
            resource.setrlimit(what, (most, most))


def _load(space: dict[str, Any], job: dict[str, Any]) -> None:
    """Define the grader's questions in a space, and the student's file as the module ``student``."""
    place, text = job["file"], job["text"]
    name = os.path.basename(place).removesuffix(".py")
    sys.path.insert(0, os.path.dirname(place))
    exec(compile(job["questions"], "<questions>", "exec"), space)
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    student = ModuleType(name)
    student.__file__ = place
    sys.modules[name] = student
    exec(compile(text, place, "exec"), vars(student))
    space["student"] = student


_FORBIDDEN = {
    "network": ("socket.", "urllib.", "http.client.", "ftplib.", "smtplib.", "webbrowser."),
    "process": (
        *("subprocess.", "os.system", "os.exec", "os.fork", "os.pidfd_send_signal", "os.posix_spawn"),
        *("os.spawn", "os.startfile", "os.kill", "pty.", "_winapi.CreateProcess"),
    ),
    "write": (
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
        *("os.chmod", "os.chown", "os.utime", "os.mkfifo", "os.mknod", "shutil.", "tempfile."),
    ),
    "read": ("os.chdir", "os.chroot", "os.scandir", "glob.", "sqlite3."),
    "limits": ("resource.",),
    "machine": ("ctypes.dl", "ctypes.call_function", "ctypes.string_at", "ctypes.wstring_at", "gc.get_"),
}
"""Audit events by the beginning of their names (docs.python.org, "Audit events table")."""
_SILENT = {
    "mkfifo": ("os", "posix"),
    "mknod": ("os", "posix"),
    "chroot": ("os", "posix"),
    "fork_exec": ("_posixsubprocess",),
    "pidfd_send_signal": ("signal", "_signal"),
}
"""Functions that Python does not audit, and the modules in which they are."""
_KIND = {start: kind for kind, starts in _FORBIDDEN.items() for start in starts}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LIBRARIES = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    sys.base_prefix,
)
"""Where the system looks for the libraries of a module that is imported late."""
_SYSTEM_FILES = ("/usr/share/zoneinfo", "/etc/localtime", "/dev/urandom", "/dev/null")


def forbid(tell: Callable[[bytes], None], folder: Path) -> None:
    """From now on, end the process on a forbidden event, after reporting its kind by `tell`.

    It may read code (Python's, NumPy's, minipaddle's) and the Python files beside the student's own in `folder`.
    """
    sys.dont_write_bytecode = True
    may_read = _reader(folder)
    end, beginnings = os._exit, tuple(_KIND)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        kind = ""
        if event == "open":
            kind = "write" if _writes(*arguments[1:3]) else "" if may_read(arguments[0]) else "read"
        elif event == "os.listdir":
            kind = "" if may_read(arguments[0]) else "read"
        elif event.startswith(beginnings):
            kind = next(_KIND[start] for start in beginnings if event.startswith(start))
        if kind:
            tell(to_line({"forbidden": kind}))
            end(1)

    sys.addaudithook(hook)
    for name, modules in _SILENT.items():
        for module in modules if os.name == "posix" else ():
            setattr(importlib.import_module(module), name, partial(sys.audit, f"os.{name}"))


def _writes(mode: object, flags: object) -> bool:
    """Return whether a file is opened for writing."""
    asked = isinstance(mode, str) and any(letter in mode for letter in "wax+")
    return asked or (isinstance(flags, int) and bool(flags & _WRITING))


def _reader(folder: Path) -> Callable[[Any], bool]:
    """Return a function that tells whether a file may be read, or a folder listed."""
    separator, real, parent = os.sep, os.path.realpath, os.path.dirname
    roots = tuple(real(root) + separator for root in _code_folders())
    hidden = real(_PACKAGE / "tutorials") + separator
    own = real(folder)
    beside = {own: ".py", os.path.join(own, "__pycache__"): ".pyc"}
    listed = {own, *map(real, sys.path)}

    def may_read(path: Any) -> bool:
        if isinstance(path, int):
            return True
        place = real(os.fsdecode(path or "."))
        if place in listed:  # an import looks into each of these folders
            return True
        if parent(place) in beside:
            return place.endswith(beside[parent(place)])
        place += separator
        return place.startswith(roots) and not place.startswith(hidden)

    return may_read


def _code_folders() -> set[str]:
    """Return where code lies that any program may read, and the system's files that NumPy and `time` want."""
    code = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return code | {str(_PACKAGE), str(Path(np.__file__).parent.parent), *_SYSTEM_FILES}
