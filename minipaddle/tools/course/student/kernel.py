"""The part of the fence that Linux holds: Landlock for files, a seccomp filter for everything else.

Python's audit hooks (:mod:`minipaddle.tools.course.student.process`, read it first) see what Python does, and give the
reason; what reaches the system past them ends here. No library is needed: both are system calls.
"""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

_FILTERED, _NO_NEW_PRIVILEGES = 21, 38  # of prctl; both fences ask for the second where the user is not root
_SECCOMP, _FILTER, _ALL_THREADS = {"x86_64": 317, "aarch64": 277}, 1, 1
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # of Landlock, the same on every machine
_RIGHTS = {0: 0, 1: 13, 2: 14, 3: 15, 4: 15}
"""How many kinds of access Landlock knows, by its version; 16 from version 5 on."""
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_ALLOW, _KILL, _NO_SUCH_CALL = 0x7FFF0000, 0x80000000, 0x00050000 | 38

_REFUSED = {
    "x86_64": (
        *(57, 58, 59, 322),  # fork, vfork, execve, execveat
        *(62, 200, 129, 297, 424),  # kill, tkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal
        *(101, 310, 311, 438),  # ptrace, process_vm_readv, process_vm_writev, pidfd_getfd
        *(41, 53, 425),  # socket, socketpair, io_uring_setup
        *(160, 141, 203),  # setrlimit, setpriority, sched_setaffinity
        *(90, 91, 268, 452, 92, 93, 94, 260),  # chmod and chown in all forms
        *(132, 235, 261, 280, 188, 189, 190, 197, 198, 199),  # times and attributes of files
        *(165, 166, 155, 161, 272, 308, 428, 429, 430),  # mount, umount, chroot, unshare, setns and their kin
        *(321, 298, 250, 248, 323, 175, 313, 169, 304),  # bpf, perf, keys, userfaultfd, modules, reboot
    ),
    "aarch64": (
        *(221, 281, 129, 130, 138, 240, 424, 117, 270, 271, 438, 198, 199, 425, 164, 140, 122),
        *(52, 53, 452, 55, 54, 88, 5, 6, 7, 14, 15, 16, 40, 39, 41, 51, 97, 268, 428, 429, 430),
        *(280, 241, 219, 217, 282, 105, 273, 142, 265),
    ),
}
"""Numbers of the system calls that end the process (arch/x86/entry/syscalls/syscall_64.tbl, asm-generic/unistd.h)."""
_THREAD = 0x10000  # CLONE_THREAD: a thread of the same process
_CONDITIONED = {"x86_64": (56, 234, 302), "aarch64": (220, 131, 261)}
"""clone starts threads only, tgkill is for this process only, prlimit64 sets nothing."""
_CLONE3 = 435  # its flags lie in memory, which no filter sees: the C library then takes clone


def missing() -> bool:
    """Return whether this system lacks one of the two fences."""
    if sys.platform != "linux" or platform.machine() not in _ARCHITECTURE:
        return True
    return _landlock() == 0 or ctypes.CDLL(None).prctl(_FILTERED, 0, 0, 0, 0) < 0


def fence_files(readable: Iterable[str]) -> None:
    """From now on let this thread, and those that it starts, read only these files and folders, and write nothing."""
    if missing():
        return
    every = (1 << _RIGHTS.get(_landlock(), 16)) - 1
    rules = _call(_CREATE, struct.pack("Q", every), 8, 0)
    for place in readable:
        with suppress(OSError):  # not every system has each of them
            opened = os.open(place, os.O_PATH)
            rights = _READ_FILE | (_READ_FOLDER if os.path.isdir(place) else 0)
            _call(_ADD, rules, 1, struct.pack("=Qi", rights, opened), 0)
            os.close(opened)
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call(_RESTRICT, rules, 0)
    os.close(rules)


def fence_calls() -> None:
    """From now on, end this process when it starts another, opens a socket, or reaches for another process."""
    if missing():
        return
    steps = [struct.pack("HBBI", *step) for step in _steps(platform.machine())]
    program = ctypes.create_string_buffer(b"".join(steps))
    described = struct.pack("HP", len(steps), ctypes.addressof(program))
    _call(_SECCOMP[platform.machine()], _FILTER, _ALL_THREADS, described)


_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06


def _steps(machine: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the filter's instructions: code, jump if true, jump if false, operand (linux/filter.h)."""
    yield _LOAD, 0, 0, 4
    yield _EQUAL, 1, 0, _ARCHITECTURE[machine]
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, 0
    yield _AT_LEAST, 0, 1, 0x40000000  # calls of the x32 kind have numbers of their own
    yield _RETURN, 0, 0, _KILL
    for number in _REFUSED[machine]:
        yield _EQUAL, 0, 1, number
        yield _RETURN, 0, 0, _KILL
    yield _EQUAL, 0, 1, _CLONE3
    yield _RETURN, 0, 0, _NO_SUCH_CALL
    clone, signal, limit = _CONDITIONED[machine]
    every = 0xFFFFFFFF
    wanted = ((clone, 0, _THREAD, _THREAD), (signal, 0, every, os.getpid()), (limit, 2, every, 0))
    for number, argument, mask, value in wanted:
        yield _EQUAL, 0, 5, number
        yield _LOAD, 0, 0, 16 + 8 * argument
        yield _AND, 0, 0, mask
        yield _EQUAL, 1, 0, value
        yield _RETURN, 0, 0, _KILL
        yield _RETURN, 0, 0, _ALLOW
    yield _RETURN, 0, 0, _ALLOW


def _landlock() -> int:
    """Return the version of Landlock; 0: this system has none."""
    return max(0, int(ctypes.CDLL(None).syscall(_CREATE, None, 0, 1)))


def _call(number: int, *arguments: int | bytes) -> int:
    """Return the result of a system call. Raises OSError: it failed."""
    library = ctypes.CDLL(None, use_errno=True)
    words = (ctypes.c_long(one) if isinstance(one, int) else one for one in arguments)
    result = int(library.syscall(ctypes.c_long(number), *words))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
