"""Which Programs a script has: those that it appends to and those that it runs, under the names that it gives them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from types import CodeType, FrameType
from typing import Any, NamedTuple

from minipaddle.core.eager import current, within
from minipaddle.core.errors import user_frame
from minipaddle.core.meta import Attrs
from minipaddle.core.mode import Around, Mode
from minipaddle.core.operator import Operator as Definition
from minipaddle.static.program.operator import Operator, Role
from minipaddle.static.program.program import Program, default_main_program, default_startup_program
from minipaddle.static.program.variable import Variable
from minipaddle.trace.sources.program.roles import added
from minipaddle.trace.user_code.names import assigned_name, depth_of, parameters_of, tells


@dataclass
class Found:
    """A Program of a script."""

    program: Program
    name: str = ""
    """The script's variable for it, or the function that ``to_static`` made it of; else main or startup for the default
    ones, else program. Where several would have one name, the second is ``main_2`` and so on, in the order of
    :meth:`Registry.finish`: no two have the same."""
    runs: int = 0
    """How often it was run."""
    starts: bool = False
    """Whether it was a startup Program when something was built."""
    is_users: bool = False
    """Whether the script built it, ran it, or keeps it in a variable; the engine makes some for itself."""
    frame: FrameType | None = None
    """Where it was made: it is kept in a variable later than that."""


class Registry:
    """Notes Programs in the order in which they are met."""

    def __init__(self) -> None:
        self._found: dict[Program, Found] = {}
        self._defaults = default_main_program(), default_startup_program()

    def made(self, program: Program, name: str, frame: FrameType | None) -> None:
        """Note a new Program: a variable will hold it, if it does not go by a name of its own."""
        found = self._found.setdefault(program, Found(program, frame=frame))
        found.name = found.name or name
        found.is_users = found.is_users or bool(name)

    def met(self, program: Program, frame: FrameType | None = None) -> Found:
        """Note a Program that is built or run, and look in the user's `frame` for a variable that holds it."""
        found = self._found.setdefault(program, Found(program))
        found.is_users = True
        if not found.name and frame is not None:
            found.name = next(_names_of(program, frame), "")
        return found

    def finish(self) -> list[Found]:
        """Return what was found, each under a name of its own; default Programs that nobody used are left out."""
        defaults = dict(zip((*self._defaults, default_main_program()), ("main", "startup", "main")))
        for program in defaults:
            self.met(program)
        for one in self._found.values():
            if not one.name and one.frame is not None:
                one.name = next(_names_of(one.program, one.frame), "")
            one.frame = None
        known = [one for one in self._found.values() if one.runs or one.is_users or one.name]
        kept = [one for one in known if one.runs or any(b.ops or b.vars for b in one.program.blocks)]
        taken: set[str] = set()
        for one in kept:
            asked = one.name or defaults.get(one.program) or "program"
            numbered = (f"{asked}_{number}" for number in count(2))
            one.name = next(name for name in chain([asked], numbered) if name not in taken)
            taken.add(one.name)
        return kept


def the_main_one(found: Sequence[Found]) -> Found:
    """Return the largest of the Programs that have gradients; of all, if none has."""
    trained = [one for one in found if added(one.program)]
    return max(trained or found, key=lambda one: sum(len(block.ops) for block in one.program.blocks))


def _names_of(program: Program, frame: FrameType) -> Iterator[str]:
    """Yield the variables of a frame that hold `program`, or a CompiledProgram of it; the function's own first."""
    for names in (frame.f_locals, frame.f_globals):
        for name, value in list(names.items()):
            if value is program or (
                getattr(type(value), "__name__", "") == "CompiledProgram"
                and (getattr(value, "_program", None) is program)
            ):
                yield name


class Counting(Around):
    """`inner`, with a registry of what is built and run."""

    __slots__ = ("registry",)

    def __init__(self, inner: Mode, registry: Registry) -> None:
        super().__init__(inner)
        self.registry = registry

    def _look(self) -> None:
        if not self.dynamic:
            frame = user_frame(sys._getframe(2))
            self.registry.met(default_main_program(), frame)
            self.registry.met(default_startup_program(), frame).starts = True

    def apply(self, op: Definition, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Note the Programs that are built, and leave it to the inner mode."""
        self._look()
        return self.inner.apply(op, inputs, attrs)

    def apply_custom(self, call: Any) -> Any:
        """Leave it to the inner mode."""
        return self.inner.apply_custom(call)

    def like(self, inner: Mode) -> Mode:
        """Keep counting."""
        return type(self)(inner, self.registry)

    def made_program(self, program: Any, name: str = "") -> None:
        """Note it."""
        self.registry.made(program, name, user_frame(sys._getframe(1)))

    def runs_program(self, program: Any) -> None:
        """Note the run."""
        self.registry.met(program, user_frame(sys._getframe(1))).runs += 1


def counting(registry: Registry) -> within:
    """Return a ``with`` block in which `registry` notes the Programs that are built and run."""
    return within(Counting(current.get(), registry))


def bound_names(program: Program) -> dict[Operator, str]:
    """Return the variables that statements gave the results of Operators when the Program was built.

    A call that appends several Operators, such as that of fc or cond, returns what the last one makes.
    """
    found: dict[Operator, str] = {}
    for block in program.blocks:
        last: Operator | None = None
        for op in (op for op in block.ops if not op.role & (Role.BACKWARD | Role.OPTIMIZE)):
            if last is not None and op.where == last.where and op.place in (last.place, None):
                del found[last]
            last = op if _name(op) else None
            if last is not None:
                found[op] = _name(op)
    return found


class ScriptNames(NamedTuple):
    """The variables of the script that hold Variables: where it runs them, and where it has built them."""

    running: Mapping[str, Variable] = {}
    built: Sequence[tuple[CodeType, Mapping[str, Variable]]] = ()
    """What the functions that appended Operators held when they returned: inner ones after those that called them."""

    def names(self) -> dict[Variable, str]:
        """Return one name for each: of several the first, and that of the running function before all others."""
        inner = [(name, one) for _, held in self.built for name, one in held.items()]
        told = [*self.running.items(), *((name, one) for name, one in inner if name not in self.running)]
        return {one: name for name, one in reversed(told)}

    def at(self, op: Operator, name: str) -> Variable | None:
        """Return what a variable holds that a statement has bound the result of `op` to; None if nobody knows."""
        code = op.place[0] if isinstance(op.place, tuple) else None
        held = next((held for one, held in reversed(self.built) if one is code and name in held), {})
        return self.running[name] if name in self.running else held.get(name)


class Builders:
    """The functions of the user's that append Operators: their frames, until they return and a Program is run."""

    def __init__(self) -> None:
        self._frames: dict[
            FrameType, list[Any]
        ] = {}  # with what they were handed: it has a name where they are called
        self._returned: list[tuple[int, CodeType, dict[str, Variable]]] = []

    def append(self, frame: FrameType | None) -> None:
        """A function, which `frame` is of, appends an Operator."""
        if frame is not None and frame not in self._frames:
            held = frame.f_locals
            self._frames[frame] = [held.get(name) for name in parameters_of(frame.f_code)]

    def close(self) -> None:
        """Let go of the frames."""
        self._frames.clear()

    def held(self, program: Program, frame: FrameType | None) -> ScriptNames:
        """Return what holds Variables of `program`, which is run in `frame`."""
        running, outer = [], frame
        while outer is not None:
            running.append(outer)
            outer = outer.f_back
        built = list(self._returned)
        for one, handed in list(self._frames.items()):
            if one is not frame:
                kept = {name: held for name, held in _variables(one.f_locals) if not _is_in(handed, held)}
                built.append((depth_of(one), one.f_code, kept))
            if one not in running:
                self._returned.append((built[-1][0], one.f_code, built[-1][2]))
                del self._frames[one]
        return ScriptNames(
            _of(program, {} if frame is None else {**frame.f_globals, **frame.f_locals}),
            [(code, _of(program, names)) for _, code, names in sorted(built, key=lambda one: one[0])],
        )


def _variables(names: Mapping[str, Any]) -> Iterator[tuple[str, Variable]]:
    return ((name, value) for name, value in names.items() if isinstance(value, Variable) and tells(name))


def _of(program: Program, names: Mapping[str, Any]) -> dict[str, Variable]:
    return {name: one for name, one in _variables(names) if one.block.program is program}


def _is_in(some: list[Any], one: Variable) -> bool:
    return any(one is other for other in some)


def without_stale(bound: dict[Operator, str], held: ScriptNames) -> dict[Operator, str]:
    """Return `bound` without names that would hide what a script's variable holds, as after ``y = x * 2; y = x``."""
    return {op: name for op, name in bound.items() if not _hides(op, held.at(op, name))}


def _hides(op: Operator, held: Variable | None) -> bool:
    """Whether what `op` makes comes after what a variable of the same name holds, or is a local of a Block's."""
    if held is None:
        return False
    last = held.op
    if last is None or last.block is not op.block:
        return last is None or op.block.idx > 0
    return last.idx < op.idx


def _name(op: Operator) -> str:
    """Return the variable of the statement that appended an Operator, if that has one result."""
    if op.place is None or len(op.writes()) != 1:
        return ""
    if isinstance(op.place, str):
        return op.place
    return assigned_name(*op.place)
