"""Dynamic or static: whether operators run at once, or are appended to a Program.

Next: :mod:`minipaddle.paddle.static.build.mode`, the mode that ``paddle.enable_static`` switches to.
"""

from __future__ import annotations

from typing import Any

from minipaddle.engine.mode.eager import EAGER, current
from minipaddle.engine.mode.mode import Mode


def in_dynamic_mode() -> bool:
    """Return whether operators run at once, and are not appended to a Program."""
    return current.get().dynamic


def disable_static(place: Any = None) -> None:
    """Run operators at once from here on (in this thread)."""
    if not current.get().dynamic:
        switch_to(EAGER)


def switch_to(mode: Mode) -> None:
    """Apply operators in `mode` from here on (in this thread); modes around the present one stay."""
    current.set(current.get().replaced(mode))
