"""Exit codes, the same for every command."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minipaddle.compat.runner import ScriptEnd

__all__ = ["ExitCode", "exit_code_of"]


class ExitCode(IntEnum):
    """What the exit code of a command means."""

    OK = 0
    SCRIPT_RAISED = 1
    USAGE = 2
    """The command line is wrong: no such option, no such script, a place that cannot be written."""
    FINDING = 3
    """It ran, and found what it was to look for: a NaN, a failed check, two graphs that differ."""
    UNSUPPORTED = 4
    """The script needs something of Paddle that minipaddle lacks."""
    NO_RENDERER = 5
    """The picture asked for needs a program or package that is not installed."""
    INTERRUPTED = 130


def exit_code_of(end: ScriptEnd) -> int:
    """Return the exit code for how a script ended: what Python would give, or UNSUPPORTED."""
    return ExitCode.UNSUPPORTED if end.lacks_paddle_name else end.exit_code
