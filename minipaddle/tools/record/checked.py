"""Checks of data read from a recording, which may be damaged, or made by an attacker."""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import Any

from minipaddle.tools.words.control_characters import JOINERS, visible

LONGEST = 10_000
"""Characters in a name, a title, a line of source: far more than honest ones have."""
DEEPEST = 10_000
"""The deepest nesting of calls that a recording may claim: ten times Python's own limit."""
_LARGEST = 1 << 62


class BadRecording(ValueError):
    """The data is no recording, or a damaged one; the message names the fault."""


@contextmanager
def naming(what: str) -> Iterator[None]:
    """A ``with`` block that puts the name of the part being read before the message of any failure."""
    try:
        yield
    except BadRecording as error:
        raise BadRecording(f"{what}: {error}") from error
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadRecording(f"{what}: {type(error).__name__}: {error}") from error


def text_in(data: Any) -> str:
    """Return a text with control characters escaped, so that it is safe to print.

    Raises TypeError if it is no text, ValueError if it is longer than `LONGEST`.
    """
    if not isinstance(data, str):
        raise TypeError(f"{data!r:.40} is no text")
    if len(data) > LONGEST:
        raise ValueError(f"a text of {len(data)} characters")
    return visible(data, JOINERS)


def one_of(data: Any, allowed: Set[str | None]) -> Any:
    """Return `data` if it is one of the allowed words. Raises ValueError: it is none of them."""
    if data not in allowed:
        raise ValueError(f"{data!r:.40} is none of {', '.join(sorted(one for one in allowed if one))}")
    return data


def count_in(data: Any, most: int = _LARGEST) -> int:
    """Return `data` if it is an integer from 0 to `most`. Raises ValueError: it is none; IndexError: it is beyond."""
    if not isinstance(data, int) or data < 0:
        raise ValueError(f"{data!r:.40} is no count")
    if data > most:
        raise IndexError(f"{data!r:.40} is beyond {most}")
    return data
