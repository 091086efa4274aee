"""The quick way of a call does the same as the readable one: over the whole table, recorded or not, right or wrong."""

import numpy as np
import pytest

from minipaddle.engine.mode.eager import EAGER, Eager
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.tape.node import AccumulateGrad, Node
from minipaddle.ops.math.exponential import tanh
from minipaddle.ops.random import generator as random
from tests.support.operators import ALL, each, example

READABLE = Eager(grad=True)


def called(mode, op, arrays, attrs, wanted):
    """Return the results of a call in `mode`, and their nodes."""
    tensors = [None if array is None else Eager.tensor(array.copy()) for array in arrays]
    for tensor, want in zip(tensors, wanted, strict=True):
        if want and tensor is not None:
            tensor.stop_gradient = False
    random.seed(3)
    made = mode.apply(op, tuple(tensors), attrs)
    return tensors, made if isinstance(made, tuple) else (made,)


def shown(edge, tensors):
    """Return a description of an edge's target, so that two graphs can be compared."""
    if edge is None:
        return None
    if type(edge) is tuple:
        return (edge[1], *shown(edge[0], tensors))
    if isinstance(edge, AccumulateGrad):
        return ("leaf", next(i for i, one in enumerate(tensors) if one is edge.tensor()))
    assert isinstance(edge, Node)
    inputs = [shown(one, tensors) for one in edge.edges]
    metas = None if edge.metas is None else [tuple(meta) for meta in edge.metas]
    return (edge.op.type, edge.attrs, inputs, edge.plan, metas, [repr(value) for value in edge.saved])


def story(mode, op, arrays, attrs, wanted):
    tensors, results = called(mode, op, arrays, attrs, wanted)
    return [
        (one.array.dtype, one.array.shape, one.array.tolist(), shown(one.edge, tensors)) for one in results
    ]


@pytest.mark.sweep
@each([op for op in ALL if not op.updates])
def test_a_call(op):
    inputs, attrs = example(op)
    arrays = [None if one is None else np.asarray(one) for one in inputs]
    attrs = {**op.defaults, **attrs}
    count = len(arrays)
    choices = [[False] * count, [True] * count, *([i == one for i in range(count)] for one in range(count))]
    for wanted in choices:
        assert repr(story(EAGER, op, arrays, attrs, wanted)) == repr(
            story(READABLE, op, arrays, attrs, wanted)
        )
    off = [True] * count
    quick = story(EAGER.with_grad(False), op, arrays, attrs, off)
    assert repr(quick) == repr(story(READABLE.with_grad(False), op, arrays, attrs, off))
    assert all(edge is None for *_, edge in quick)


@pytest.mark.parametrize("type", ["elementwise_add", "matmul_v2", "tanh", "reshape2", "concat", "where"])
def test_a_call_that_fails(type):
    op = TABLE[type]
    inputs, attrs = example(op)
    attrs = {**op.defaults, **attrs}
    for wrong in ("not a Tensor", Eager.tensor(np.ones((7, 5, 3))), None):
        given = (*[Eager.tensor(np.asarray(one)) for one in inputs[:-1]], wrong)
        found = []
        for mode in (EAGER, READABLE):
            try:
                made = mode.apply(op, given, attrs)
                found.append([one.shape for one in (made if op.multiple else [made])])
            except Exception as error:
                found.append((error.__class__, str(error)))
        assert found[0] == found[1]


def test_values_that_are_packed():
    """Both ways pass their saved values to the user's hooks."""

    class Packing:
        def pack_saved(self, node, kept):
            return ("packed", kept)

    for mode in (EAGER.with_saving(Packing()), READABLE.with_saving(Packing())):
        x = Eager.tensor(np.ones(2))
        x.stop_gradient = False
        kept = mode.apply(tanh, (x,), {}).edge.saved
        assert kept[0] == "packed"
        assert isinstance(kept[1], tuple)
