"""Read a kernel or a gradient rule over symbols: run it once in a mode in which operators answer with trees.

Branches on shapes, attributes and values decide themselves, for those are those of the recorded call. An operator whose
kernel cannot be read stands in the formula as a call of its name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from minipaddle.core.eager import EAGER, within
from minipaddle.core.meta import Attrs
from minipaddle.core.mode import Around
from minipaddle.explain.symbols.readings import FUNCTIONS, READINGS, called
from minipaddle.explain.symbols.symbol import Symbol
from minipaddle.explain.symbols.tree import Cast, Const, Leaf

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator


class Read(NamedTuple):
    """What a function has answered, and which of its own names stand for which trees."""

    answer: Any
    """A symbol, a list or tuple of them, or None."""
    names: Mapping[int, str]
    """By the id of the tree."""


def read(function: Callable[..., Any], *arguments: Any, **attrs: Any) -> Read:
    """Return what ``function(*arguments, **attrs)`` answers over symbols.

    Raises:
        Unreadable: if it does what no formula can say.
    """
    names: dict[int, str] = {}
    file = function.__code__.co_filename

    def watch(frame: FrameType, event: str, value: Any) -> None:
        if event == "return" and frame.f_code.co_filename == file:
            code = frame.f_code
            for name in code.co_varnames[code.co_argcount :]:
                local = frame.f_locals.get(name)
                if isinstance(local, Symbol) and not isinstance(local.tree, (Leaf, Const)):
                    tree = local.tree
                    is_mask = isinstance(tree, Cast) and tree.parts[0].dtype.kind == "b"
                    names.setdefault(id(tree.parts[0] if is_mask else tree), name)

    before = sys.getprofile()
    with within(Reading(EAGER.reading())):
        sys.setprofile(watch)
        try:
            answer = function(*arguments, **attrs)
        finally:
            sys.setprofile(before)
    return Read(answer, names)


def read_operator(op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Read:
    """Return what `op` answers over symbols: its kernel, or a call of its name where no formula says that."""
    fixed = len(op.input_names) - (op.list_slot is not None)
    inputs = tuple([one.copy() if isinstance(one, Symbol) else one for one in inputs])  # an optimizer writes
    if op.random:
        return Read(called(op, inputs, attrs), {})
    try:
        if op.type in READINGS and op.type not in FUNCTIONS:
            found = read(READINGS[op.type], *inputs, **attrs)
        elif op.list_slot is not None:
            found = read(op.kernel, *inputs[:fixed], list(inputs[fixed:]), **attrs)
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
            found = READINGS.get(op.type, op.run)(*inputs, **attrs)
        except Exception:  # a kernel that does what no formula can say
            return called(op, inputs, attrs)
        several = found if isinstance(found, (list, tuple)) else [found]
        return found if all(isinstance(one, Symbol) for one in several) else called(op, inputs, attrs)
