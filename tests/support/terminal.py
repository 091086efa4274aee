"""The command line at a pseudo-terminal: what is shown there, and a session in which keys are pressed."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios

from tests.support.process import CLI, ROOT, clean_environment

__all__ = ["Terminal", "in_a_terminal"]


def in_a_terminal(columns, *arguments):
    """Run the command line in a terminal of that many columns, and return what is seen."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        environment.pop(name, None)
    child = subprocess.Popen([*CLI, *map(str, arguments)], stdout=theirs, env=environment)
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 65536):
            seen += chunk
    except OSError:  # the terminal is gone: its last user has ended
        pass
    child.wait()
    os.close(ours)
    return seen.decode()


class Terminal:
    """`minipaddle step` (or another command) on a pseudo-terminal; what is typed is answered, and waited for."""

    def __init__(self, script, home, verb="step", **extra):
        self.master, slave = pty.openpty()
        env = {"TERM": "dumb", "COLUMNS": "80", "LINES": "24", "HOME": str(home), **extra}
        env = clean_environment(env)
        command = [*CLI, verb, str(script)]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=env,
            cwd=home,
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        os.close(slave)
        self.seen = ""

    def until(self, words):
        """Read until `words` appear; return all read since the last time."""
        assert self._comes(words, 60), self.seen
        before, _, self.seen = self.seen.partition(words)
        return before

    def interrupt_until(self, words):
        """Press Ctrl-C, and again if nothing comes: just before it waits for a key, Python's readline is deaf to it."""
        self.type("\x03")
        if not self._comes(words, 1):
            self.type("\x03")
        return self.until(words)

    def _comes(self, words, seconds):
        """Read until `words` appear, or until there was nothing to read for so many seconds."""
        while words not in self.seen:
            if not select.select([self.master], [], [], seconds)[0]:
                return False
            try:
                self.seen += os.read(self.master, 4096).decode("utf-8", "replace")
            except OSError:
                raise AssertionError(f"{words!r} never came: {self.seen}") from None
        return True

    def type(self, text):
        """Press keys."""
        os.write(self.master, text.encode())


def _own_terminal():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
