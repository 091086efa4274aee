"""Two scripts in one process: each begins as if it were the only one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from minipaddle.core.names import guard
from minipaddle.static.program import Program, program_guard
from minipaddle.static.scope import Scope, scope_guard

__all__ = ["begun_anew"]


@contextmanager
def begun_anew() -> Iterator[None]:
    """Run what stands in the ``with`` block on new default Programs, a new global Scope and new names."""
    with guard(), program_guard(Program(), Program()), scope_guard(Scope()):
        yield
