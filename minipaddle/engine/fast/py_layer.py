"""The quick versions of ``PyLayer.apply`` and of a PyLayer's backward, where only Tensors go in and come out.

Each says at once what :class:`minipaddle.engine.custom.py_layer.PyLayerCall` says in several methods, and leaves to it
every other call: one with a watcher, a list, a keyword, an output that is an input, an answer of another dtype.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence
from typing import Any

from numpy import ndarray

from minipaddle.engine.fast.quick import Quick
from minipaddle.engine.mode.eager import Eager, mode_now, run_inside
from minipaddle.engine.mode.mode import Arrays
from minipaddle.engine.tape.node import AccumulateGrad, Node, UserCode

new = object.__new__
# What stands in engine/custom/py_layer.py, a floor above: `put_in_place` is given it.
PyLayerCall: Any
PyLayerContext: Any
SavedOutput: Any
plain_apply: Any
plain_run: Any


def put_in_place(layer: Any, call_of: Any, context_of: Any, weak_of: Any) -> None:
    """Give the class PyLayer its quick ``apply``, and calls their quick ``run``."""
    global PyLayerCall, PyLayerContext, SavedOutput, plain_apply, plain_run
    PyLayerCall, PyLayerContext, SavedOutput = call_of, context_of, weak_of
    plain_apply, plain_run = layer.apply.__func__, call_of.run
    layer.apply, call_of.run = classmethod(functools.wraps(plain_apply)(apply)), run


def apply(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Return what the readable ``PyLayer.apply`` returns."""
    mode: Any = mode_now()
    if kwargs or type(mode) is not Quick:
        return plain_apply(cls, *args, **kwargs)
    inputs = args
    for x in args:
        if not isinstance(x, Eager.tensor):
            if isinstance(x, (list, tuple)):
                return plain_apply(cls, *args)
            inputs = tuple([one for one in args if isinstance(one, Eager.tensor)])
    edges = (inputs[0].edge,) if len(inputs) == 1 else tuple([x.edge for x in inputs])
    ctx = PyLayerContext()
    out = run_inside(mode.with_grad(False), cls.forward, ctx, *args)
    recorded = mode.grad and any(edges)
    array: Any = out.array if recorded and isinstance(out, Eager.tensor) else None
    alone = array is not None and not ctx._not_inplace and not ctx._non_differentiable
    for x in inputs:
        alone = alone and x.array is not array
    if alone:
        _connect(cls, inputs, edges, ctx, out)
        return out
    call = PyLayerCall(cls, args, {})
    made = call.made(ctx, out, recorded)
    if recorded:
        call.out_slots = call.out_slots if any(call.out_slots) else ()
        call.connect_outputs(mode, edges, made)
    return made[0]


def _connect(cls: Any, inputs: Sequence[Any], edges: tuple[Any, ...], ctx: Any, out: Any) -> None:
    """Make the node of a call with one output, and the output's edge."""
    array = out.array
    call: Any = new(PyLayerCall)
    call.code, call.edges, call.out_likes = cls, edges, ((array.shape, array.dtype),)
    call.slots, call.out_slots = [None] * len(inputs), ()  # no slot is a list: `run` may be quick
    if len(inputs) == 1:
        (x,) = inputs
        call.likes = ((x.array.shape, x.array.dtype),)
    else:
        call.likes = [(x.array.shape, x.array.dtype) for x in inputs]
    out.edge = node = Node(call, {}, edges, call, (ctx,))
    call.node = weakref.ref(node)
    if not UserCode.present:  # setting it takes longer than reading it
        UserCode.present = True
    saved = ctx._saved
    if saved and len(saved) == 1 and saved[0] is out:
        weak = SavedOutput(out)
        weak.array, weak.node, weak.port = array, call.node, None
        ctx._saved, ctx._closed = (weak,), True
    elif saved:
        ctx.let_go_of(call.node)


def run(call: Any, grads: Sequence[Any], saved: tuple[Any, ...]) -> Any:
    """Return what ``PyLayerCall.run`` returns: an array for each Tensor input, None where its gradient goes nowhere."""
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
    try:
        answer = run_inside(around.with_grad(False), call.code.backward, saved[0], *given)
    except Exception as error:
        raise call.told(error) from error
    answers = answer if type(answer) is tuple else (answer,)
    arrays = []
    for one, edge, (shape, dtype) in zip(answers, call.edges, call.likes):
        array = one.array if edge is not None and isinstance(one, Eager.tensor) else None
        if array is None or array.dtype is not dtype or array.shape != shape:
            break
        array.setflags(write=False)
        arrays.append(array)
    if len(arrays) == len(call.likes) == len(answers):
        return arrays
    return call.outgoing(call.sorted(answer), True)
