"""The quick version of :meth:`minipaddle.engine.mode.eager.Eager.apply` for the commonest calls: one or two inputs.

A small operator costs NumPy 0.2 us. So the code for one and two inputs is written out, and the result is made without a
constructor: a comprehension or a C call costs half as much as the operator. ``tests/core/test_quick.py`` compares
the two for every operator.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, Eager
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.operator.plan import plan_of
from minipaddle.engine.tape.node import Node
from minipaddle.engine.value.meta import Attrs

ndarray = np.ndarray
new = object.__new__


def put_in_place() -> None:
    """Make the first mode of every thread quick, and all modes derived from it; calling an operator calls its function.

    Python looks for ``__call__`` in the class: there it finds the slot with the function of each operator.
    """
    definition: Any = Operator
    definition.__call__ = definition.function
    EAGER.__class__ = EAGER.with_grad(False).__class__ = Quick


def arity_of(op: Operator) -> int:
    """Return the number of inputs of `op` if it is 1 or 2, and there is one output; else 0."""
    plain = not (op.list_slot or op.optional or op.multiple)
    return len(op.input_names) if plain and len(op.input_names) in (1, 2) else 0


def apply(mode: Any, op: Any, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
    """Run the kernel and return a Tensor; calls with other numbers of inputs or outputs use the readable version."""
    try:
        arity = op.arity
    except AttributeError:  # the first time
        arity = op.arity = arity_of(op)
    try:
        if arity == 2:
            x, y = inputs
            a, b = x.array, y.array
            out = op.run(a, b, **attrs) if attrs else op.run(a, b)
        elif arity == 1:
            (x,) = inputs
            a = x.array
            out = op.run(a, **attrs) if attrs else op.run(a)
        else:
            return Eager.apply(mode, op, inputs, attrs)
    except Exception as error:
        raise mode.explained(error, op, inputs, attrs) from None
    result = new(mode.tensor)
    result.array = out = out if type(out) is ndarray else np.asarray(out)
    result.edge = None
    if mode.grad:
        edges: tuple[Any, ...] = (x.edge, y.edge) if arity == 2 else (x.edge,)
        if None in edges:
            plan = plan_of(op, edges) if any(edges) else None
        else:
            plan = op.whole
            if plan is None:
                plan = op.whole = plan_of(op, edges)
        if plan is not None:
            saved = plan.save((a, b) if arity == 2 else (a,), out, attrs)
            result.edge = node = Node(op, attrs, edges, plan, saved)
            if mode.saving is not None:
                node.saved = mode.saving.pack_saved(node, saved)
    return result


class Quick(Eager):
    """Eager, with a shorter way for the commonest calls."""

    __slots__ = ()

    apply = apply
