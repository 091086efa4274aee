"""What is told of rewriting: the source that was made, and why a function was left as it is."""

from __future__ import annotations

import os
import sys

LAST_PASS = 100
"""The level at which Paddle prints what all its passes have made."""


class Levels:
    """What `set_verbosity` and `set_code_level` set; None leaves it to the environment."""

    verbosity: int | None = None
    code: int | None = None
    to_stdout = False


def set_verbosity(level: int = 0, also_to_stdout: bool = False) -> None:
    """Say why functions are not rewritten, from level 1 on.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/jit/set_verbosity_en.html)

    Args:
        level: 0 says nothing; TRANSLATOR_VERBOSITY in the environment says the same.
        also_to_stdout: write to standard output instead of standard error.

    Raises:
        TypeError: if `level` is no int.
    """
    Levels.verbosity, Levels.to_stdout = _checked(level), also_to_stdout


def set_code_level(level: int = LAST_PASS, also_to_stdout: bool = False) -> None:
    """Print the source of every function that is rewritten from here on.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/jit/set_code_level_en.html)

    Args:
        level: 0 prints nothing; TRANSLATOR_CODE_LEVEL in the environment says the same. There is one level only: the
            source after all passes.
        also_to_stdout: write to standard output instead of standard error.

    Raises:
        TypeError: if `level` is no int.
    """
    Levels.code, Levels.to_stdout = _checked(level), also_to_stdout


def _checked(level: int) -> int:
    if isinstance(level, bool) or not isinstance(level, int):
        raise TypeError(f"Level is not an integer: {level!r}")
    return level


def get_verbosity() -> int:
    """Return the level of :func:`set_verbosity`."""
    return int(os.getenv("TRANSLATOR_VERBOSITY", "0")) if Levels.verbosity is None else Levels.verbosity


def get_code_level() -> int:
    """Return the level of :func:`set_code_level`."""
    return int(os.getenv("TRANSLATOR_CODE_LEVEL", "-1")) if Levels.code is None else Levels.code


def tell_code(name: str, text: str) -> None:
    """Print the source that was made of a function, if it was asked for."""
    if get_code_level() > 0:
        _write(f"After the last pass, the source of {name!r} is:\n{text}")


def tell_reason(name: str, reason: str) -> None:
    """Print why a function was left as it is, if it was asked for."""
    if get_verbosity() > 0:
        _write(f"{name!r} is called as it is written: {reason}.\n")


def _write(text: str) -> None:
    (sys.stdout if Levels.to_stdout else sys.stderr).write(text)
