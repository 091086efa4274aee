"""Quick versions of ``PyLayer.apply`` and of a PyLayer's backward, for calls with only Tensors as inputs and outputs.

Each does in one function what :class:`minipaddle.engine.custom.py_layer.PyLayerCall` does in several, and leaves to it
all other calls: with an observer, a list, a keyword, an output that is an input, a gradient of another dtype.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence
from typing import Any

from numpy import ndarray

from minipaddle.engine.fast.quick import Quick
from minipaddle.engine.mode.eager import Arrays, Eager, mode_now, run_inside
from minipaddle.engine.tape.node import AccumulateGrad, Node

new = object.__new__
# Classes of engine/custom/py_layer.py, a layer above: `put_in_place` gets them.
PyLayerCall: Any
PyLayerContext: Any
plain_apply: Any
plain_run: Any


def put_in_place(layer: Any, call_of: Any, context_of: Any) -> None:
    """Give the class PyLayer its quick ``apply``, and its calls the quick ``run``."""
    global PyLayerCall, PyLayerContext, plain_apply, plain_run
    PyLayerCall, PyLayerContext = call_of, context_of
    plain_apply, plain_run = layer.apply.__func__, call_of.run
    layer.apply, call_of.run = classmethod(functools.wraps(plain_apply)(apply)), run


def apply(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Return the result of the readable ``PyLayer.apply``."""
    mode: Any = mode_now()
    if kwargs or type(mode) is not Quick:
        return plain_apply(cls, *args, **kwargs)
    for x in args:
        if not isinstance(x, Eager.tensor):
            return plain_apply(cls, *args)
    edges = (x.edge,) if len(args) == 1 else tuple([x.edge for x in args])
    ctx = PyLayerContext()
    out = run_inside(mode.with_grad(False), cls.forward, ctx, *args)
    recorded = mode.grad and any(edges)
    array: Any = out.array if recorded and isinstance(out, Eager.tensor) else None
    alone = array is not None and not ctx._not_inplace and not ctx._non_differentiable
    likes = []
    for x in args:
        alone = alone and x.array is not array
        likes.append((x.array.shape, x.array.dtype))
    if not alone:
        call = PyLayerCall(cls, args, {})
        return call.attach(mode, edges, call.made(ctx, out, recorded), recorded)
    call = new(PyLayerCall)
    call.code, call.edges, call.likes, call.slots = cls, edges, likes, [None] * len(likes)
    call.out_likes, call.out_slots = ((array.shape, array.dtype),), ()
    out.edge = node = Node(call, {}, edges, call, (ctx,))
    call.node = weakref.ref(node)
    if not Node.meets_user_code:  # setting it takes longer than reading it
        Node.meets_user_code = True
    return out


def run(call: Any, grads: Sequence[Any], saved: tuple[Any, ...]) -> Any:
    """Return the result of ``PyLayerCall.run``: an array for each Tensor input, None if its gradient is not needed."""
    mode: Any = mode_now()
    around: Any = mode.inner if type(mode) is Arrays else None
    given = []
    quick = type(around) is Quick and not call.out_slots
    for grad, (_, dtype) in zip(grads, call.out_likes):
        if not quick or type(grad) is not ndarray or grad.dtype is not dtype:
            return plain_run(call, grads, saved)
        grad.setflags(write=False)  # other paths may carry the same memory
        dy = new(Eager.tensor)
        dy.array = grad
        dy.edge = AccumulateGrad(dy)
        given.append(dy)
    found = run_inside(around.with_grad(False), call.answered, saved[0], *given)
    arrays = []
    for one, (_, dtype) in zip(found, call.likes):
        if one is None or one.array.dtype is not dtype:
            return call.passed_on(found, True)
        one.array.setflags(write=False)
        arrays.append(one.array)
    return arrays
