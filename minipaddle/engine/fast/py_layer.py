"""The quick versions of ``PyLayer.apply`` and of a PyLayer's backward, for Tensors in and one Tensor out.

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
from minipaddle.engine.mode.eager import Eager, current, mode_now
from minipaddle.engine.mode.mode import Arrays
from minipaddle.engine.tape.node import AccumulateGrad, Node, UserCode

new = object.__new__
# What stands in engine/custom/py_layer.py, a floor above: `put_in_place` is given it.
PyLayerCall: Any
PyLayerContext: Any
SavedOutput: Any
plain_apply: Any
plain_run: Any
QuickCall: Any
"""The class of calls that are run by :func:`run`."""
_ONE_TENSOR = [None]
"""The slots of one Tensor."""


def put_in_place(layer: Any, call_of: Any, context_of: Any, weak_of: Any) -> None:
    """Give the class PyLayer its quick ``apply``, and quick calls their ``run``."""
    global PyLayerCall, PyLayerContext, SavedOutput, QuickCall, plain_apply, plain_run
    PyLayerCall, PyLayerContext, SavedOutput = call_of, context_of, weak_of
    plain_apply, plain_run = layer.apply.__func__, call_of.run
    QuickCall = type("QuickCall", (call_of,), {"__slots__": (), "run": run})
    layer.apply = classmethod(functools.wraps(plain_apply)(apply))


def apply(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Return what the readable ``PyLayer.apply`` returns."""
    mode: Any = mode_now()
    if kwargs or type(mode) is not Quick:
        return plain_apply(cls, *args, **kwargs)
    for x in args:
        if not isinstance(x, Eager.tensor):
            return plain_apply(cls, *args)
    edges = (args[0].edge,) if len(args) == 1 else tuple([x.edge for x in args])
    ctx = PyLayerContext()
    out = _unrecorded(mode, mode, cls.forward, ctx, *args)
    recorded = mode.grad and any(edges)
    array: Any = out.array if isinstance(out, Eager.tensor) else None
    plain = array is None or not recorded or ctx._not_inplace or ctx._non_differentiable
    for x in args:
        plain = plain or x.array is array
    if not plain:
        _connect(cls, args, edges, ctx, out)
        return out
    call = PyLayerCall(cls, args, {})
    made = call.made(ctx, out, recorded)
    if recorded:
        call.connect_outputs(mode, edges, made)
    return made[0]


def _unrecorded(mode: Any, eager: Any, function: Any, *args: Any) -> Any:
    """Return what the user's function gives in the mode `eager` without recording; `mode` is back afterwards."""
    try:  # as `run_inside` does it
        try:
            current.set(eager if not eager.grad else eager._other or eager.with_grad(False))
            return function(*args)
        finally:
            current.set(mode)
    except BaseException:
        current.set(mode)  # a Ctrl-C may have come in between
        raise


def _connect(cls: Any, args: tuple[Any, ...], edges: tuple[Any, ...], ctx: Any, out: Any) -> None:
    """Make the node of a call, and the edge of its output."""
    array = out.array
    call: Any = new(QuickCall)
    call.code, call.edges, call.out_slots = cls, edges, _ONE_TENSOR
    if len(args) == 1:
        (x,) = args
        call.slots, call.likes = _ONE_TENSOR, ((x.array.shape, x.array.dtype),)
    else:
        call.slots, call.likes = _ONE_TENSOR * len(args), [(x.array.shape, x.array.dtype) for x in args]
    call.out_likes = ((array.shape, array.dtype),)
    out.edge = node = Node(call, {}, edges, call, (ctx,))
    call.node = weakref.ref(node)
    UserCode.present = True
    for one in ctx._saved or ():
        if one is out:
            if len(ctx._saved) == 1:
                weak = SavedOutput(out)
                weak.array, weak.node, weak.port = array, call.node, None
                ctx._saved, ctx._closed = (weak,), True
            else:
                ctx.let_go_of(call.node)
            break


def run(call: Any, grads: Sequence[Any], saved: tuple[Any, ...]) -> Any:
    """Return what ``PyLayerCall.run`` returns: an array for each Tensor input, None where its gradient goes nowhere."""
    mode: Any = mode_now()
    (grad,) = grads
    around: Any = mode.inner if type(mode) is Arrays else None
    if type(around) is not Quick or type(grad) is not ndarray or grad.dtype is not call.out_likes[0][1]:
        return plain_run(call, grads, saved)
    grad.setflags(write=False)  # other paths may carry the same memory
    dy = new(Eager.tensor)
    dy.array = grad
    dy.edge = AccumulateGrad(dy)
    try:
        answer = _unrecorded(mode, around, call.code.backward, saved[0], dy)
    except Exception as error:
        raise call.told(error) from error
    arrays = _arrays_of(call, answer if type(answer) is tuple else (answer,))
    return call.outgoing(call.sorted(answer), True) if arrays is None else arrays


def _arrays_of(call: Any, answers: tuple[Any, ...]) -> list[Any] | None:
    """Return the arrays of a backward's answers if each fits its input as it is; None if there is more to look at."""
    if len(answers) != len(call.likes):
        return None
    arrays = []
    for one, edge, (shape, dtype) in zip(answers, call.edges, call.likes):
        array = one.array if edge is not None and isinstance(one, Eager.tensor) else None
        if array is None or array.dtype is not dtype or array.shape != shape:
            return None
        array.setflags(write=False)
        arrays.append(array)
    return arrays
