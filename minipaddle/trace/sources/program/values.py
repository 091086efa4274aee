"""The values of a Program's run: what its Variables hold, and where that came from."""

from __future__ import annotations

import linecache
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minipaddle.core.dtype.bfloat16 import as_array
from minipaddle.core.errors import Line
from minipaddle.core.meta import Array, Meta
from minipaddle.static.program.operator import GradientPlace, Operator
from minipaddle.static.program.var_type import VarType
from minipaddle.static.program.variable import Parameter, Variable
from minipaddle.static.scope import ScopeVariable
from minipaddle.trace.builder import At, Builder
from minipaddle.trace.events import Event, Kind, MadeBy, Scope, Trace, ValueKind
from minipaddle.trace.sources.program.tables import Tables
from minipaddle.trace.values import Held


@dataclass
class Given:
    """What Variables hold before anything runs."""

    arrays: dict[Variable, Array | Meta]
    """The numbers of what is fed, and of what is loaded from the Scope."""
    places: Mapping[Variable, ScopeVariable] = field(default_factory=dict)
    """Where the Scope keeps what a persistable Variable holds."""
    same: dict[Variable, int] = field(default_factory=dict)
    """Of what the Scope has kept since a run that is in the recording, the value that it was there."""


class ProgramValues:
    """Tells `builder` of the values of one run; of a sketch, Metas stand in the place of arrays."""

    def __init__(self, builder: Builder, given: Given, made_by: MadeBy) -> None:
        self.builder = builder
        self.trace: Trace = builder.trace
        self.given = given
        self.made_by = made_by
        self.tables = Tables()
        self._scopes: dict[str, Scope] = {}
        self._zeros: set[Variable] = set()  # gradients that a Block is handed, of which there are none

    # -- values ---------------------------------------------------------------------------------------------------

    def _id(self, variable: Any, array: Any = None) -> int | None:
        """Return the id of what a Variable holds, making a value for one that came from outside."""
        if variable is None or variable.type is not VarType.LOD_TENSOR:
            return None
        now = self.tables.now
        if variable not in now:
            array = self.given.arrays.get(variable, array)
            if array is None:
                return None
            now[variable] = self.builder.append(
                _array(array),
                self._kind(variable),
                variable.name,
                None,
                variable.stop_gradient,
                same=self.given.same.get(variable),
                held=self._held(variable),
            )
        return now[variable]

    def _kind(self, variable: Variable) -> ValueKind:
        """Return what a Variable is that nothing here has made."""
        if isinstance(variable, Parameter):
            return "parameter"
        return "gradient" if variable in self._zeros else "data" if variable.stop_gradient else "leaf"

    def _made(self, variable: Variable, array: Any, event: Event | None, of: int | None = None) -> int:
        """Append the value that `event` gave to a Variable: of a gradient, that of value `of`."""
        parameter = isinstance(variable, Parameter)
        kind: ValueKind = "parameter" if parameter else "result" if of is None else "gradient"
        name, stops, held = variable.name, variable.stop_gradient, self._held(variable)
        made = self.builder.append(_array(array), kind, name, event, stops, of, held=held)
        self.tables.now[variable] = made
        return made

    def renew(self, variable: Variable, array: Any, of: int | None) -> None:
        """Note that a Variable holds other numbers, which no event has made."""
        self._made(variable, array, None, of)

    def _held(self, variable: Variable) -> Held:
        return self.builder.held(self.given.places.get(variable, variable))

    def _value_at(self, place: GradientPlace) -> int | None:
        """Return the value whose gradients arrive at a place."""
        maker, variable = place
        gave = None if maker is None else self.tables.gave.get(maker)
        return self._id(variable) if gave is None else gave.get(variable)

    # -- events ---------------------------------------------------------------------------------------------------

    def _event(self, kind: Kind, op: Operator, type: str, title: str) -> Event:
        event = self.builder.event(kind, type, title, self._at(op))
        event.block, event.control = op.block.idx, op.control
        return event

    def _at(self, op: Operator) -> At:
        """Return the line that appended an Operator, and the ``name_scope`` that it is in."""
        return self._line(op.where), self._scope(op.namescope)

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


def _array(value: Any) -> Any:
    """Return an array for a number; what else there is (a shape without numbers) as it is."""
    return as_array(value) if isinstance(value, np.generic) else value
