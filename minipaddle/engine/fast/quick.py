"""The quick version of :meth:`minipaddle.engine.mode.eager.Eager.apply`, for nine calls of ten: one or two Tensors in.

A small operator costs NumPy 0.2 us. So one and two inputs are written out, and the result is made without a
constructor: a comprehension or a call through C costs half as much as the work. ``tests/core/test_quick.py`` compares
the two over the whole table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.tape.node import Node
from minipaddle.engine.value.meta import Attrs

if TYPE_CHECKING:
    from minipaddle.engine.mode.eager import Quick
    from minipaddle.engine.operator.operator import Operator

ndarray = np.ndarray
new = object.__new__


def apply(mode: Quick, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Any:
    """Run the kernel and return a Tensor; what has not one or two inputs and one output goes the readable way."""
    arity = op.arity
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
            return mode.apply_any(op, inputs, attrs)
    except Exception as error:
        raise mode.explained(error, op, inputs, attrs) from None
    result = new(mode.tensor)
    result.array = out = out if type(out) is ndarray else np.asarray(out)
    result.edge = None
    if mode.grad:
        edges: tuple[Any, ...] = (x.edge, y.edge) if arity == 2 else (x.edge,)
        if None in edges:
            plan = op.plan(edges) if any(edges) else None
        else:
            plan = op.whole or op.plan(edges)
        if plan is not None:
            saved = plan.quick_save((a, b) if arity == 2 else (a,), out, attrs)
            result.edge = node = Node(op, attrs, edges, plan, saved)
            if mode.saving is not None:
                node.saved = mode.saving.pack_saved(node, saved)
    return result
