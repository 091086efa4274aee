"""Read a kernel or a gradient rule over symbols: run it once in a mode in which operators answer with trees.

Branches on shapes, attributes and values decide themselves, for those are those of the recorded call. An operator whose
kernel cannot be read stands in the formula as a call of its name.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any, NamedTuple

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.mode.mode import Around
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.definition.traits import is_random
from minipaddle.tools.explain.symbols.call import called
from minipaddle.tools.explain.symbols.readings import FUNCTIONS, READINGS
from minipaddle.tools.explain.symbols.symbol import MORE, Symbol, on_symbol
from minipaddle.tools.explain.symbols.tree import Cast, Const, Leaf, Tree


class Read(NamedTuple):
    """What a function has answered, and which of its own names stand for which trees."""

    answer: Any
    """A symbol, a list or tuple of them, or None."""
    names: Mapping[Tree, str]


def read(function: Callable[..., Any], *arguments: Any, **attrs: Any) -> Read:
    """Return what ``function(*arguments, **attrs)`` answers over symbols.

    Raises Unreadable if it does what no formula can say.
    """
    frames: dict[int, FrameType] = {}
    file = inspect.unwrap(function).__code__.co_filename

    def note() -> None:
        """Remember the calls that a symbol is made in: those of the function, and of its helpers beside it."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code is not read.__code__:
            if frame.f_code.co_filename == file:
                frames.setdefault(id(frame), frame)
            frame = frame.f_back

    token = on_symbol.set(note)
    try:
        with within(Reading(EAGER.reading)):
            answer = function(*arguments, **attrs)
    finally:
        on_symbol.reset(token)
    names: dict[Tree, str] = {}
    for frame in frames.values():
        for name in frame.f_code.co_varnames[frame.f_code.co_argcount :]:
            _name(names, name, frame.f_locals.get(name))
    return Read(answer, names)


def _name(names: dict[Tree, str], name: str, local: Any) -> None:
    """Let `name` stand for what a local variable held in the end; a mask is called by its condition."""
    if isinstance(local, Symbol) and not isinstance(local.tree, (Leaf, Const)):
        is_mask = isinstance(local.tree, Cast) and local.tree.parts[0].dtype.kind == "b"
        names.setdefault(local.tree.parts[0] if is_mask else local.tree, name)


def read_operator(op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Read:
    """Return what `op` answers over symbols: its kernel, or a call of its name where no formula says that."""
    inputs = tuple([one.copy() if isinstance(one, Symbol) else one for one in inputs])  # an optimizer writes
    more = MORE.get().get(op.type)
    if is_random(op) and more is None:
        return Read(called(op, inputs, attrs), {})
    try:
        if more is not None:
            found = read(more, *inputs, **attrs)
        elif op.type in READINGS and op.type not in FUNCTIONS:
            found = read(READINGS[op.type], *inputs, **attrs)
        else:
            found = read(op.kernel, *inputs, **attrs)
        if all(isinstance(one, Symbol) for one in (found.answer if op.multiple else [found.answer])):
            return found
    except Exception:  # a kernel that does what no formula can say
        return Read(called(op, inputs, attrs), {})
    return Read(called(op, inputs, attrs), {})


class Reading(Around):
    """Operators read their kernels over symbols."""

    __slots__ = ()

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
        """Return symbols for the outputs of `op`."""
        if not any(isinstance(one, Symbol) for one in inputs):
            return self.inner.apply(op, inputs, attrs)
        try:
            found = (MORE.get().get(op.type) or READINGS.get(op.type, op.run))(*inputs, **attrs)
        except Exception:  # a kernel that does what no formula can say
            return called(op, inputs, attrs)
        several = found if isinstance(found, (list, tuple)) else [found]
        return found if all(isinstance(one, Symbol) for one in several) else called(op, inputs, attrs)
