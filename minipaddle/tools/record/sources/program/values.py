"""The values of a Program's run: the contents of its Variables, now and in every iteration, and their origins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from minipaddle.engine.value.meta import Array, Meta
from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.operator import GradientPlace, Operator
from minipaddle.paddle.static.program.variable import Parameter, Variable
from minipaddle.paddle.static.scope import ScopeVariable
from minipaddle.tools.record.builder import At, Builder
from minipaddle.tools.record.events import Event, Trace, ValueKind
from minipaddle.tools.record.kinds import Bodied, MadeBy, Scope
from minipaddle.tools.record.reads_and_cuts import Extent
from minipaddle.tools.record.sources.program.registry import ScriptNames

_Kind = TypeVar("_Kind", bound=Event)


class Tables:
    """The values of Variables and the events of Operators. Backward, those of each iteration are there again."""

    def __init__(self) -> None:
        self.now: dict[Variable, int] = {}
        """The value that each Variable holds."""
        self.made_by: dict[Operator, list[int]] = {}
        """The events of each Operator: one, except for a sum of several gradients."""
        self.gave: dict[Operator, dict[Variable, int]] = {}
        """The values that each Operator assigned to Variables."""
        self._pages: dict[Operator, list[list[dict[Any, Any]]]] = {}
        """For each iteration of a loop, the entries of these four tables for its Block."""
        self._tables: list[dict[Any, Any]] = [self.now, self.made_by, self.gave, self._pages]
        self._begun: dict[Operator, dict[Variable, int]] = {}
        self._after: dict[Operator, dict[Variable, int]] = {}

    def event_of(self, op: Operator | None) -> int | None:
        """Return the last event of an Operator."""
        found = None if op is None else self.made_by.get(op)
        return None if found is None else found[-1]

    def known(self, variables: Iterable[Any]) -> dict[Variable, int]:
        """Return the values of those Variables that have one."""
        return {one: self.now[one] for one in variables if one in self.now}

    # -- loops ----------------------------------------------------------------------------------------------------

    def begin(self, loop: Operator, first: bool) -> None:
        """An iteration begins: its gradient is with respect to the loop variables of now."""
        if first:
            self._pages[loop] = []
        self._begun[loop] = self.known(loop.writes())

    def end(self, loop: Operator, body: Block) -> None:
        """The iteration is over."""
        keys: list[Any] = [key for op in _inside(body) for key in (op, *op.writes())]
        page = [{key: table[key] for key in keys if key in table} for table in self._tables]
        page[0].update(self._begun[loop])
        self._pages[loop].append(page)

    def turn_back(self, gradient: Operator, iteration: int) -> None:
        """Restore the state of the iteration that the gradient of a loop goes through now."""
        loop = gradient.origin
        if loop is None or loop not in self._pages:
            return
        if gradient not in self._after:
            self._after[gradient] = self.known(loop.writes())
        for table, page in zip(self._tables, self._pages[loop][iteration], strict=True):
            table.update(page)

    def close(self, gradient: Operator) -> None:
        """The gradient of a loop is over: restore the loop variables of the time after the loop."""
        self.now.update(self._after.pop(gradient, {}))


def _inside(block: Block) -> Iterator[Operator]:
    """Yield the Operators of a Block and of those inside it."""
    for op in block.ops:
        yield op
        for inner in op.blocks():
            yield from _inside(inner)


@dataclass
class Given:
    """The contents of Variables before the run."""

    arrays: dict[Variable, Array | Meta]
    """The numbers of feeds, and of Variables loaded from the Scope."""
    places: Mapping[Variable, ScopeVariable] = field(default_factory=dict)
    """The Scope's entries of persistable Variables."""
    same: dict[Variable, int] = field(default_factory=dict)
    """For Variables that the Scope has kept since a recorded run, their value in that run."""
    held: ScriptNames = field(default_factory=ScriptNames)
    """The script's variables that hold Variables."""


class ProgramValues:
    """Reports the values of one run to `builder`; in a sketch, Metas take the place of arrays."""

    def __init__(self, builder: Builder, given: Given, made_by: MadeBy) -> None:
        self.builder = builder
        self.trace: Trace = builder.trace
        self.given = given
        self.made_by = made_by
        self.tables = Tables()
        self._held_as, self._variables = given.held.names(), given.held.every()
        self._scopes: dict[str, Scope] = {}
        self._zeros: set[Variable] = set()  # a Block's incoming gradients that do not exist

    # -- values ---------------------------------------------------------------------------------------------------

    def _id(self, variable: Any, array: Any = None) -> int | None:
        """Return the id of a Variable's value, appending a value that came from outside."""
        if variable is None or not has_numbers(variable):
            return None
        now = self.tables.now
        if variable not in now:
            array = self.given.arrays.get(variable, array)
            if array is None:
                return None
            same = self.given.same.get(variable)  # such as a value that the startup Program wrote
            self._append(variable, array, self._kind(variable), same=same)
            self._bind(variable, same)
        return now[variable]

    def _append(
        self,
        variable: Variable,
        array: Any,
        kind: ValueKind,
        event: Event | None = None,
        of: int | None = None,
        same: int | None = None,
    ) -> int:
        """Append the value that a Variable holds from now on, with the names of the script's variables."""
        held = self.builder.held(self.given.places.get(variable, variable))
        array = np.asarray(array) if isinstance(array, np.generic) else array  # or a Meta
        name, stops = variable.name, variable.stop_gradient
        id_ = self.tables.now[variable] = self.builder.append(array, kind, name, event, stops, of, same, held)
        self._bind(variable, id_)
        return id_

    def _bind(self, variable: Variable, id_: int | None) -> None:
        """Name a value after the script's variables, and choose the one to show if its own name differs."""
        if id_ is None:
            return
        shown = self._held_as.get(variable, variable.name)
        if shown != variable.name:
            self.trace.bound[id_] = shown
        for name, extent in self._variables.get(variable, ()):
            self._bind_as(name, id_, extent)

    def _bind_as(self, name: str, id_: int, extent: Extent) -> None:
        """Name a value after a script's variable; Paddle's names have precedence."""
        if name not in self._names_of_paddles:
            self.builder.bind_value(id_, name, extent)

    @cached_property
    def _names_of_paddles(self) -> set[str]:
        """The names of all Variables of the Program."""
        programs = {one.block.program for one in self._variables}
        return {name for program in programs for block in program.blocks for name in block.vars}

    def _kind(self, variable: Variable) -> ValueKind:
        """Return the kind of a Variable that no Operator has made."""
        if isinstance(variable, Parameter):
            return "parameter"
        return "gradient" if variable in self._zeros else "data" if variable.stop_gradient else "leaf"

    def _made(self, variable: Variable, array: Any, event: Event | None, of: int | None = None) -> int:
        """Append the value that `event` assigned to a Variable; for a gradient, the gradient of value `of`."""
        parameter = isinstance(variable, Parameter)
        kind: ValueKind = "parameter" if parameter else "result" if of is None else "gradient"
        return self._append(variable, array, kind, event, of)

    def _value_at(self, place: GradientPlace) -> int | None:
        """Return the value whose gradients arrive at a place."""
        maker, variable = place
        gave = None if maker is None else self.tables.gave.get(maker)
        return self._id(variable) if gave is None else gave.get(variable)

    # -- events ---------------------------------------------------------------------------------------------------

    def _event(self, kind: type[_Kind], op: Operator, type: str, title: str) -> _Kind:
        event = self.builder.event(kind, type, title, self._at(op))
        event.block = op.block.idx
        if isinstance(event, Bodied):
            event.control = op.control
        return event

    def _at(self, op: Operator) -> At:
        """Return the line that appended an Operator, and its ``name_scope``."""
        return self.builder.with_source(op.where), self._scope(op.namescope)

    def _scope(self, path: str) -> Scope | None:
        """Return the ``name_scope`` with the path ``/outer/inner/``, inside its outer ones; None for ``/``."""
        path = path.strip("/")
        if path and path not in self._scopes:
            outer = self._scope(path.rpartition("/")[0])
            self._scopes[path] = Scope(len(self._scopes) + 1, path, "name_scope", outer)
        return self._scopes.get(path)


def has_numbers(variable: Variable) -> bool:
    """Whether a Variable holds numbers: the state that a sub-block keeps for its gradient does not."""
    return variable.type is not VarType.STEP_SCOPES
