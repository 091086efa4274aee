"""Python's variables and the user's call stack at any line of a recording, put together from what changed."""

import ast
import re
from functools import lru_cache
from typing import Any

from minipaddle.tools.debug.bindings import until
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.reads_and_cuts import GLOBAL, MARKS, Ran

_NO_LITERALS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "…": ...}


class Variables:
    """The lines of a recording, in the order of the run; a *step* is the index of one, in a frame."""

    def __init__(self, trace: Trace) -> None:
        self._trace, self._lines = trace, trace.lines
        self._known: dict[object, dict[str, list[tuple[int, str]]]] = {}
        """By frame, or file of a module, and name: the step from which on each meaning holds."""
        for step, ran in enumerate(trace.lines):
            for name, text in ran.changed.items():
                known = self._known.setdefault(ran.file if name.startswith(GLOBAL) else _owner(ran), {})
                known.setdefault(name.removeprefix(GLOBAL), []).append((step, text))
        self.names = frozenset(name for those in self._known.values() for name in those if name not in MARKS)

    def stack(self, step: int) -> list[int]:
        """Return the steps that the frames are at after a step, innermost first."""
        found = [step]
        while 0 < self._lines[found[-1]].outer <= found[-1]:
            found.append(self._lines[found[-1]].outer - 1)
        return found["return" in self._lines[step].changed :]

    def layer(self, at: int) -> str:
        """Return the layer whose forward a step is in, ``net.blocks[2]``; "" if it is in none, or ran no operator."""
        ran = self._lines[at]
        mine = [one.before_event for one in self._lines if one.frame == ran.frame]
        scopes = (event.scope for event in self._trace.events[mine[0] : mine[-1]])
        around = next(([*scope.around()][::-1] for scope in scopes if scope is not None), [])
        outer = self._lines[ran.outer - 1].layers if 0 < ran.outer <= at else 0
        there = around[ran.layers - 1 : ran.layers] if ran.layers > outer else []
        return re.sub(r"\.(\d+)", r"[\1]", there[0].names[-1]) if there else ""

    def of(self, at: int, step: int) -> dict[str, str]:
        """Return the variables of the frame that is at a step, as Python writes them, later, at `step`."""
        owner = _owner(self._lines[at])
        there = {name: self._text(owner, name, step) for name in self._known.get(owner, ())}
        return {name: text for name, text in there.items() if text and name not in MARKS}

    def text(self, name: str, stack: list[int], step: int) -> str:
        """Return what a name means at `step` in the innermost of these frames that knows it; "" if nothing."""
        owners = (owner for at in stack for owner in (self._lines[at].frame, self._lines[at].file))
        return next(filter(None, (self._text(owner, name, step) for owner in owners)), "")

    def changes(self, name: str) -> set[int]:
        """Return the events before which a variable of this name had changed, in whatever frame."""
        those = (step for known in self._known.values() for step, _ in known.get(name, ()))
        return {self._lines[step].before_event for step in those}

    def _text(self, owner: object, name: str, step: int) -> str:
        return until(self._known.get(owner, {}).get(name, ()), step) or ""


def _owner(ran: Ran) -> object:
    """Return whose the local variables of a line are."""
    return ran.file if ran.function == "<module>" else ran.frame


@lru_cache(maxsize=1024)
def literal(text: str) -> Any:
    """Return the number, text or container that is written so; Ellipsis where it is not written whole."""
    try:
        return _NO_LITERALS[text] if text in _NO_LITERALS else ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return ...
