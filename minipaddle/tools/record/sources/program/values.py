"""The values of a Program's run: the contents of its Variables, now and in every iteration, and their origins.

Also its bodies: Blocks and user functions, as they are entered, left, and return values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from minipaddle.engine.value.meta import Array, Meta
from minipaddle.engine.watch.observer import Observer
from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.static.control_flow.while_operator import While, WhileGrad
from minipaddle.paddle.static.executor.interpreter import Turn
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.block_operator import BlockOperator
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


Ids = dict[Variable, int | None]
"""What an Operator has read."""
Parts = dict[Variable, tuple[int, ...]]
"""For each output Variable of an Operator, the values that sum to it."""


class ProgramValues(Observer):
    """Reports the values and bodies of one run to `builder`; in a sketch, Metas take the place of arrays."""

    def __init__(self, builder: Builder, given: Given, made_by: MadeBy) -> None:
        self.builder = builder
        self.trace: Trace = builder.trace
        self.given = given
        self.made_by = made_by
        self.tables = Tables()
        self._held_as, self._variables = given.held.names(), given.held.every()
        self._scopes: dict[str, Scope] = {}
        self._zeros: set[Variable] = set()  # a Block's incoming gradients that do not exist
        self._bodies: dict[Operator, tuple[int, int]] = {}
        self._read: dict[Operator, Ids] = {}  # the values that running Operators have read
        self._parts: dict[Operator, Parts] = {}  # values that their Blocks returned

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
        before = self.trace.value(self.tables.now.get(variable))
        if event is not None and before is not None and before.kind == "result":
            self.trace.bound.pop(before.id, None)  # the script's variable holds the last one
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

    # -- bodies ---------------------------------------------------------------------------------------------------

    def entered(self, kind: str, owner: Any, args: tuple[Any, ...], at: Any) -> None:
        """A Block begins."""
        turn: Turn = owner
        op, tables = turn.op, self.tables
        known = tables.known(op.reads())
        if isinstance(op, While):
            tables.begin(op, not turn.iteration)
        if isinstance(op, WhileGrad):
            tables.turn_back(op, turn.iteration or 0)
        event = self.builder.enter("block", turn.name, op.type, self._at(op))
        event.control, event.block = op.control, turn.block.idx
        if turn.iteration is not None:
            event.iterations += (turn.iteration,)
        begins = [outside for _, outside in turn.handed if outside is not None]
        if not turn.handed:
            begins = list(known) if op.origin is None else [one for one in op.gradients_in if one is not None]
        event.inputs = [tables.now.get(one) for one in begins]
        ids = [None if outside is None else tables.now.get(outside) for _, outside in turn.handed]
        for (inside, _), id_ in zip(turn.handed, ids):
            if id_ is None:
                tables.now.pop(inside, None)
                self._zeros.add(inside)
            else:
                tables.now[inside] = id_

    def left(self, kind: str, owner: Any, result: Any, error: BaseException | None) -> None:
        """A Block ended."""
        turn: Turn = owner
        op, now = turn.op, self.tables.now
        enter = self.builder.open[-1]
        answers = [now[one] for one, _ in op.hands_out() if one in now]
        leave = self.builder.leave(turn.name, answers, self._at(op))
        self._note_parts(op)
        if isinstance(op, While):
            self.tables.end(op, turn.block)
        self._bodies[op] = self._bodies.get(op, (enter.index, 0))[0], leave.index

    def _note_parts(self, op: BlockOperator) -> None:
        adds_up, parts = op.adds_up(), self._parts.setdefault(op, {})
        for inside, outside in op.hands_out():
            if outside is not None:
                id_ = None if inside is None else self.tables.now.get(inside)
                before = parts.get(outside, ()) if any(outside is one for one in adds_up) else ()
                parts[outside] = before if id_ is None else (*before, id_)

    def _parts_of(self, op: Operator, arrays: Sequence[Any], inputs: Ids) -> Parts:
        """Return the Variables that an Operator passed on unchanged, with their values; `inputs`: values it read."""
        if isinstance(op, BlockOperator):
            handed = self._parts.pop(op, {})
            before: dict[Variable, Variable] = op.without_block()
            whole = {one: self._whole(before.get(one), inputs) for one in op.writes() if one not in handed}
            return {one: whole[one] if one in whole else handed[one] for one in op.writes()}
        handed_on = op.hands_on(arrays) if self.made_by == "program" else None
        if handed_on is None:
            return {}
        return {out: self._whole(one, inputs) for out, one in zip(op.writes(), handed_on, strict=True)}

    def _whole(self, variable: Variable | None, inputs: Ids) -> tuple[int, ...]:
        id_ = None if variable is None else inputs.get(variable, self.tables.now.get(variable))
        return () if id_ is None else (id_,)

    def _called_back(self, op: Any, inputs: Sequence[int | None]) -> tuple[int, int]:
        """Append a call of the user's function (py_func); return the events of its begin and end."""
        where, scope = self._at(op)
        at = self.builder.with_source(op.definition.where) or where, scope
        enter = self.builder.enter("function", op.definition.name, op.type, at)
        enter.inputs = list(inputs)
        return enter.index, self.builder.leave(op.definition.name, [], at).index


def has_numbers(variable: Variable) -> bool:
    """Whether a Variable holds numbers: the state that a sub-block keeps for its gradient does not."""
    return variable.type is not VarType.STEP_SCOPES
