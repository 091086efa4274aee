"""A process with minipaddle loaded and no student in it: it forks itself for each file that is to be run.

Started by :mod:`minipaddle.tools.course.start`, which asks over the socket that is standard input here.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
from contextlib import suppress

import numpy as np

from minipaddle.ops.random.generator import Generator
from minipaddle.tools.course.student.__main__ import main
from minipaddle.tools.run.importer import install


def serve() -> None:
    """Fork when three open files come, and return in the child; else tell how the process of a number has ended.

    The system keeps a process that ended until it is asked for: nobody else has its number meanwhile.
    """
    channel, children = socket.socket(fileno=0), set[int]()
    while True:
        asked, ends, _, _ = socket.recv_fds(channel, 64, 3)
        if ends:
            child = os.fork()
            if child == 0:
                _become_a_student(channel, ends)
                return
            children.add(child)
            for end in ends:
                os.close(end)
        elif asked:
            child, status = os.waitpid(int(asked), 0)
            children.discard(child)
            channel.sendall(str(os.waitstatus_to_exitcode(status)).encode())
        else:
            _end(children)


def _become_a_student(channel: socket.socket, ends: list[int]) -> None:
    """Be as a new process is, with a group, files and random numbers of its own."""
    os.setsid()
    channel.sendall(str(os.getpid()).encode())  # now it can be ended
    channel.detach()
    for number, end in enumerate(ends):
        os.dup2(end, number)
        os.close(end)
    np.random.seed()
    Generator().seed()


def _end(children: set[int]) -> None:
    """End with all that was forked: who asked for it is no more."""
    for child in children:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    install()
    gc.freeze()  # the collector would write into memory that all of them share
    serve()
    main()
