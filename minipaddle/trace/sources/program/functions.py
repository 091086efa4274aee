"""The user's own functions that a Program calls (py_func): bodies whose lines are Python, not operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.core.meta import Array
from minipaddle.static.custom.py_func import PyFuncOperator
from minipaddle.trace.events import Event
from minipaddle.trace.sources.program.values import ProgramValues
from minipaddle.trace.user_code.lines import Reader


class ProgramFunctions(ProgramValues):
    """Tells of the calls of functions in a run."""

    _reader: Reader | None = None  # of the function that was called last

    def reader(self, function: Callable[..., Any]) -> Reader:
        """Return what to call in the place of a function of the user's."""
        self._reader = Reader(function)
        return self._reader

    def _called_back(self, op: PyFuncOperator, inputs: Sequence[int | None]) -> tuple[int, int]:
        """Tell that the user's function was called, and what its lines did; return where it begins and ends."""
        reader, self._reader = self._reader, None
        where, scope = self._line(op.forward.where) or self._line(op.where), self._scope(op.namescope)
        enter = self.builder.enter("function", op.forward.name, op.type, where, scope)
        enter.inputs = list(inputs)
        if reader is not None:
            self._write_lines(reader, op, enter)
        leave = self.builder.leave(op.forward.name, [], where=where, scope=scope)
        return enter.index, leave.index

    def _write_lines(self, reader: Reader, op: PyFuncOperator, enter: Event) -> None:
        held = {name: self._local(name, array, enter) for name, array in reader.arguments.items()}
        enter.outputs = list(held.values())
        for ran in reader.lines:
            event = self._event("op", op, "python", ", ".join(ran.made))
            event.where = self._line(ran.where)
            event.inputs = [held[name] for name in ran.reads if name in held]
            made = {name: self._local(name, array, event) for name, array in ran.made.items()}
            event.outputs = list(made.values())
            held |= made

    def _local(self, name: str, array: Array, event: Event) -> int:
        return self.builder.append(array, "result", name, event, False)
