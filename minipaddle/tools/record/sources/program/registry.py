"""The Programs of a script: those that it builds and those that it runs, with the script's names for them.

Below: the roles of Operators, and the Operators added by training.
"""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from types import FrameType
from typing import Any, NamedTuple

from minipaddle.engine.errors import user_frame
from minipaddle.engine.watch.observer import Observer
from minipaddle.paddle.static.program.operator import Operator, Role
from minipaddle.paddle.static.program.program import Program, default_main_program, default_startup_program
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.record.reads_and_cuts import Extent
from minipaddle.tools.record.user_code import names as user_code
from minipaddle.tools.words.group_by import grouped


@dataclass
class Found:
    """A Program of a script."""

    program: Program
    name: str = ""
    """The script's variable for it, or the function that ``to_static`` made it of; else main or startup for the default
    ones, else program. If several have one name, the second becomes ``main_2`` and so on, in the order of
    :meth:`Registry.finish`: no two have the same."""
    runs: int = 0
    """The number of its runs."""
    starts: bool = False
    """Whether it was the startup Program while another one was built."""
    is_users: bool = False
    """Whether the script built it, ran it, or keeps it in a variable; the engine makes some itself."""
    frame: FrameType | None = None
    """The frame that made it: it is stored in a variable later."""


class Registry(Observer):
    """Notes Programs in the order in which they are met: those that are built or run."""

    def __init__(self) -> None:
        self._found: dict[Program, Found] = {}
        self._defaults = default_main_program(), default_startup_program()

    def appends(self) -> None:
        """An operator is appended to one of the default Programs."""
        frame = user_frame(sys._getframe(1))
        self.met(default_main_program(), frame)
        self.met(default_startup_program(), frame).starts = True

    def program_made(self, program: Program, name: str) -> None:
        """Record a new Program; unless it has a name, a variable of the user's will hold it."""
        found = self._found.setdefault(program, Found(program, frame=user_frame(sys._getframe(1))))
        found.name = found.name or name
        found.is_users = found.is_users or bool(name)

    def program_runs(self, program: Program) -> None:
        """Record the run."""
        self.met(program, user_frame(sys._getframe(1))).runs += 1

    def met(self, program: Program, frame: FrameType | None = None) -> Found:
        """Record a Program that is built or run, and search the user's `frame` for a variable that holds it."""
        found = self._found.setdefault(program, Found(program))
        found.is_users = True
        if not found.name and frame is not None:
            found.name = next(_names_of(program, frame), "")
        return found

    def finish(self) -> list[Found]:
        """Return the Programs, each with a unique name; unused default Programs are left out."""
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
    """Return the largest Program with gradients; the largest of all, if none has gradients."""
    trained = [one for one in found if added(one.program)]
    return max(trained or found, key=lambda one: sum(len(block.ops) for block in one.program.blocks))


def _names_of(program: Program, frame: FrameType) -> Iterator[str]:
    """Yield the variables of a frame that hold `program`, or a CompiledProgram of it; the function's own first."""
    for name, one in [*frame.f_locals.items(), *frame.f_globals.items()]:
        is_compiled = type(one).__name__ == "CompiledProgram"
        if program is (getattr(one, "_program", None) if is_compiled else one):
            yield name


_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


class Function(NamedTuple):
    """The Variables that a function or module holds by name, if it builds or runs a Program."""

    extent: Extent
    held: Mapping[str, Variable]
    handed: frozenset[str] = frozenset()
    """The names among them of its arguments, or of a comprehension: they are not shown, but lead to Variables."""


class ScriptNames(NamedTuple):
    """The script's variables that hold Variables: where it runs them, and where it has built them."""

    running: Mapping[str, Variable] = {}
    """The variables of the function that runs the Program, and globals."""
    functions: Sequence[Function] = ()
    """All functions, as they are or when they returned: inner ones after their callers."""

    def names(self) -> dict[Variable, str]:
        """Return one name for each: the first, with the running function's names before all others."""
        told = [*self.running.items()]
        for function in self.functions:
            taken = {*self.running, *function.handed}
            told += [(name, one) for name, one in function.held.items() if name not in taken]
        return {one: name for name, one in reversed(told)}

    def every(self) -> dict[Variable, list[tuple[str, Extent]]]:
        """Return all names, with the lines on which they are in scope."""
        held = ((name, one, of.extent) for of in self.functions for name, one in of.held.items())
        return grouped((one, (name, extent)) for name, one, extent in held)

    def at(self, op: Operator, name: str) -> Variable | None:
        """Return the Variable in a variable to which a statement assigned the result of `op`; None if unknown."""
        extent = None if op.place is None else user_code.extent_of(op.place[0])
        own = (of.held for of in reversed(self.functions) if of.extent == extent and name in of.held)
        return self.running[name] if name in self.running else next(own, {}).get(name)


class Builders:
    """The user functions that append Operators: their frames, until they return and a Program is run."""

    def __init__(self) -> None:
        # with their arguments
        self._frames: dict[FrameType, list[Any]] = {}
        self._returned: list[tuple[int, Function]] = []

    def append(self, frame: FrameType | None) -> None:
        """The function of `frame` appends an Operator, and so do its callers."""
        while frame is not None and frame not in self._frames:
            held = frame.f_locals
            self._frames[frame] = [held.get(name) for name in user_code.parameters_of(frame.f_code)]
            frame = user_frame(frame.f_back)

    def close(self) -> None:
        """Release the frames."""
        self._frames.clear()

    def held(self, program: Program, frame: FrameType | None) -> ScriptNames:
        """Return what holds Variables of `program`, which is run in `frame`."""
        here: dict[str, Variable] = {}
        if frame is not None:
            here = _variables({**frame.f_globals, **frame.f_locals, **user_code.attributes_in(frame, object)})
        self.append(frame)
        running = set(user_code.outwards(frame))
        functions = list(self._returned)
        for one, handed in list(self._frames.items()):
            functions.append((user_code.depth_of(one), _function(one, handed)))
            if one not in running:
                self._returned.append(functions[-1])
                del self._frames[one]
        return ScriptNames(
            _of(program, here),
            [of._replace(held=_of(program, of.held)) for _, of in sorted(functions, key=lambda one: one[0])],
        )


def _function(frame: FrameType, handed: Sequence[Any]) -> Function:
    """Return the variables of a frame now, whose arguments were `handed`, and its ``self``."""
    held = _variables({**frame.f_locals, **user_code.attributes_in(frame, object)})
    if frame.f_code.co_name in _COMPREHENSIONS:
        return Function(user_code.extent_of(frame.f_code), held, frozenset(held))
    from_outside = frozenset(name for name, one in held.items() if any(one is other for other in handed))
    return Function(user_code.extent_of(frame.f_code), held, from_outside)


def _variables(names: Mapping[str, Any]) -> dict[str, Variable]:
    return {name: one for name, one in names.items() if isinstance(one, Variable) and user_code.tells(name)}


def _of(program: Program, names: Mapping[str, Variable]) -> dict[str, Variable]:
    return {name: one for name, one in names.items() if one.block.program is program}


def bound_names(program: Program, held: ScriptNames) -> dict[Operator, str]:
    """Return the variables to which statements assigned the results of Operators when the Program was built.

    A call that appends several Operators, such as fc or cond, returns the last one's result. A name that would hide a
    script variable's new content, as after ``y = x * 2; y = x``, is left out.
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
    return {op: name for op, name in found.items() if not _hides(op, held.at(op, name))}


def _hides(op: Operator, held: Variable | None) -> bool:
    """Whether the result of `op` is newer than the content of a variable with the same name, or is a Block's local."""
    if held is None:
        return False
    last = held.op
    if last is None or last.block is not op.block:
        return last is None or op.block.idx > 0
    return last.idx < op.idx


def _name(op: Operator) -> str:
    """Return the variable of the statement that appended an Operator, if that has one result."""
    return "" if op.place is None or len(op.writes()) != 1 else user_code.assigned_name(*op.place)


# -- roles -------------------------------------------------------------------------------------------------------------


def role_words(op: Operator) -> tuple[str, ...]:
    """Return ``("forward",)``, ``("backward",)`` or ``("optimize",)``, with ``"loss"`` after it for the loss's own."""
    role = next((one for one in (Role.OPTIMIZE, Role.BACKWARD) if op.role & one), Role.FORWARD)
    return (role.name.lower(), *(["loss"] if op.role & Role.LOSS else []))


def added(program: Program, elsewhere: Collection[str] = ()) -> frozenset[Operator]:
    """Return the Operators that append_backward, gradients and minimize added.

    These have a role in training, except in Blocks that the user's own backward functions filled. A startup
    Program has no such roles: there they are the ones that write Variables added to another Program, `elsewhere`.
    """
    own = {inner for block in program.blocks for op in block.ops for inner in op.blocks()[1:]}
    return frozenset(
        op
        for block in program.blocks
        if block not in own
        for op in block.ops
        if op.role & (Role.BACKWARD | Role.OPTIMIZE)
        or (elsewhere and {one.name for one in op.writes()} <= set(elsewhere))
    )


def added_variables(program: Program, elsewhere: Collection[str] = ()) -> frozenset[Variable]:
    """Return the Variables that only such Operators read or write."""
    new = added(program, elsewhere)
    others = [op for block in program.blocks for op in block.ops if op not in new]
    kept = {one for op in others for one in (*op.reads(), *op.writes())}
    touched = {one for op in new for one in (*op.reads(), *op.writes()) if one is not None}
    return frozenset(one for one in program.list_vars() if one in touched and one not in kept)


def added_names(programs: Iterable[Program]) -> frozenset[str]:
    """Return the names of persistable Variables that were added to any of these: moments, learning rates."""
    return frozenset(one.name for program in programs for one in added_variables(program) if one.persistable)


def gives_first_values(program: Program) -> bool:
    """Return whether a Program is like a startup Program: no feed, and only persistable Variables as results."""
    ops = program.global_block().ops
    made = {one for op in ops for one in op.writes()}
    given = {one for op in ops for one in op.reads() if one is not None} - made
    used = {one for op in ops for one in op.reads()}
    return bool(ops) and not given and all(one.persistable for one in made - used)
