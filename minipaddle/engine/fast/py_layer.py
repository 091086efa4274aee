"""The quick versions of ``PyLayer.apply`` and of a PyLayer's backward, for nine layers of ten: one Tensor in, one out.

Each says at once what :class:`minipaddle.engine.custom.py_layer.PyLayerCall` says in several methods, and leaves to it
what is not so plain: a watcher, a keyword, an output that is an input, an answer of another dtype.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import Eager, Quick, current, mode_now
from minipaddle.engine.mode.mode import Arrays
from minipaddle.engine.tape.node import AccumulateGrad, Node, UserCode

ndarray = np.ndarray
new = object.__new__
_PLAIN: list[int | None] = [None]  # one Tensor: what `find_tensors` says of it


def apply_function(
    plain: Callable[..., Any], call_of: Any, quick_of: Any, context_of: Any
) -> Callable[..., Any]:
    """Return ``PyLayer.apply``, given the readable one and the classes of a call, a quick call and a context."""

    def apply(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
        mode: Any = mode_now()
        if kwargs or len(args) != 1 or type(mode) is not Quick or not isinstance(args[0], Eager.tensor):
            return plain(cls, *args, **kwargs)
        x = args[0]
        edge, ctx = x.edge, context_of()
        try:  # as `run_inside` does it
            try:
                current.set(mode.with_grad(False))
                out = cls.forward(ctx, x)
            finally:
                current.set(mode)
        except BaseException:
            current.set(mode)
            raise
        recorded = mode.grad and edge is not None
        array = out.array if isinstance(out, Eager.tensor) else None
        if not recorded or array is None or array is x.array or ctx._not_inplace or ctx._non_differentiable:
            call = call_of(cls, args, kwargs)
            made = call.made(ctx, out, recorded)
            if recorded:
                call.connect_outputs(mode, (edge,), made)
            return made.result
        call = new(quick_of)
        call.code, call.edges = cls, (edge,)
        call.slots = call.out_slots = _PLAIN
        call.likes = ((x.array.shape, x.array.dtype),)
        call.out_likes = ((array.shape, array.dtype),)
        out.edge = node = Node(call, {}, call.edges, call, (ctx,))
        call.node = weakref.ref(node)
        UserCode.present = True
        if ctx._saved:
            ctx.let_go_of(call.node)
        return out

    return apply


def run_function(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return the ``run`` of such a call, given the readable one."""

    def run(call: Any, grads: Sequence[Any], saved: tuple[Any, ...]) -> Sequence[Any]:
        mode, grad = mode_now(), grads[0]
        quick = type(mode) is Arrays and type(mode.inner) is Quick and type(grad) is ndarray
        if not quick or grad.dtype is not call.out_likes[0][1]:
            return plain(call, grads, saved)
        grad.setflags(write=False)  # other paths may carry the same memory
        dy = new(Eager.tensor)
        dy.array = grad
        dy.edge = AccumulateGrad(dy)
        try:
            try:
                current.set(mode.inner.with_grad(False))
                answer = call.code.backward(saved[0], dy)
            finally:
                current.set(mode)
        except BaseException as error:
            current.set(mode)
            if isinstance(error, Exception):
                raise call.told(error) from error
            raise
        shape, dtype = call.likes[0]
        if isinstance(answer, Eager.tensor) and answer.array.dtype is dtype and answer.array.shape == shape:
            answer.array.setflags(write=False)
            return (answer.array,)
        return call.outgoing(call.sorted(answer), True)

    return run
