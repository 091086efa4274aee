"""What all events of a Program's run need: values for Variables, places, and the user's functions that it calls."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.core.errors import Line
from minipaddle.core.meta import Array
from minipaddle.static.custom.py_func import PyFuncOperator
from minipaddle.static.program.operator import Operator
from minipaddle.static.program.variable import Parameter, Variable
from minipaddle.trace.events import Event, Kind, Scope, Trace, ValueKind
from minipaddle.trace.user_code.lines import Reader
from minipaddle.trace.values import Values


class ProgramNotes:
    """Writes values and single events of a run into the trace of `values`."""

    def __init__(self, values: Values, passes_before: int) -> None:
        self.values = values
        self.trace: Trace = values.trace
        self.passes = passes_before
        """Number of backward passes so far."""
        self._ids: dict[Variable, int] = {}  # what each Variable holds now
        self._fed: dict[Variable, int] = {}  # what data held at first: a loop may write over it
        self._of: dict[Variable, Variable] = {}  # gradient -> what it is the gradient of
        self._open: list[int] = []
        self._bodies: dict[Operator, tuple[int, int]] = {}
        self._backward = False
        self._scopes: dict[str, Scope] = {}
        self._reader: Reader | None = None  # of the user's function that was called last

    def _id(self, variable: Any, value: Any) -> int | None:
        """Return the id of what a Variable holds, making a value for one that came from outside."""
        if variable is None or value is None or variable.type != "LOD_TENSOR":
            return None
        if variable not in self._ids:
            kind: ValueKind = "parameter" if isinstance(variable, Parameter) else "data"
            if not variable.stop_gradient and kind == "data":
                kind = "leaf"
            self._ids[variable] = self.values.append(
                _array(value), kind, variable.name, None, variable.stop_gradient
            )
            if kind != "parameter":
                self._fed[variable] = self._ids[variable]
        return self._ids[variable]

    def _made(self, variable: Variable, value: Any, event: Event | None) -> int:
        of = self._of.get(variable)
        kind: ValueKind = "gradient" if of is not None else "result"
        if isinstance(variable, Parameter):
            kind = "parameter"
        self._ids[variable] = self.values.append(
            _array(value),
            kind,
            variable.name,
            event,
            variable.stop_gradient,
            None if of is None else self._ids.get(of),
        )
        return self._ids[variable]

    def _event(self, kind: Kind, op: Operator | None, type: str, title: str) -> Event:
        event = Event(
            len(self.trace.events),
            kind,
            type,
            title,
            where=None if op is None else self._line(op.where),
            depth=len(self._open),
            parent=self._open[-1] if self._open else None,
            pass_number=self.passes,
            phase="backward" if self._backward else "forward",
            scope=None if op is None else self._scope(op.namescope),
        )
        self.trace.events.append(event)
        return event

    def _scope(self, path: str) -> Scope | None:
        """Return the ``name_scope`` with the path ``/outer/inner/``, within those around it; None for ``/``."""
        path = path.strip("/")
        if path and path not in self._scopes:
            outer = self._scope(path.rpartition("/")[0])
            self._scopes[path] = Scope(len(self._scopes) + 1, path, "name_scope", outer)
        return self._scopes.get(path)

    def _line(self, line: Line | None) -> Line | None:
        """Return the user's line, and keep the text of its file."""
        if line is not None and line.file not in self.trace.sources:
            self.trace.sources[line.file] = "".join(linecache.getlines(line.file))
        return line

    # -- functions of the user's ----------------------------------------------------------------------------------

    def reader(self, function: Callable[..., Any]) -> Reader:
        """Return what to call in the place of a function of the user's."""
        self._reader = Reader(function)
        return self._reader

    def _called_back(self, op: PyFuncOperator, inputs: Sequence[int | None]) -> None:
        """Note that the user's function was called, and what its lines did: Python, not operators."""
        reader, self._reader = self._reader, None
        enter = self._event("enter", op, "function", op.forward.name)
        enter.inputs = list(inputs)
        enter.where = self._line(op.forward.where) or enter.where
        if reader is not None:
            self._open.append(enter.index)
            self._write_lines(reader, op, enter)
            self._open.pop()
        leave = self._event("leave", op, "function", op.forward.name)
        leave.origin, leave.where = enter.index, enter.where
        self._bodies[op] = enter.index, leave.index

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
        return self.values.append(array, "result", name, event, False)


def _array(value: Any) -> Any:
    """Return an array for a number; what else there is (a shape without numbers) as it is."""
    return np.asarray(value) if isinstance(value, np.generic) else value
