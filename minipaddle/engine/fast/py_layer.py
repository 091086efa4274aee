"""The quick versions of ``PyLayer.apply`` and of a PyLayer's backward, for nine layers of ten: Tensors in, one out.

Each says at once what :class:`minipaddle.engine.custom.py_layer.PyLayerCall` says in several methods, and leaves to it
what is not so plain: a watcher, a list, a keyword, an output that is an input, an answer of another dtype.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.fast.quick import Quick
from minipaddle.engine.mode.eager import Eager, current, mode_now
from minipaddle.engine.mode.mode import Arrays
from minipaddle.engine.tape.node import AccumulateGrad, Node, UserCode

ndarray = np.ndarray
new = object.__new__


def put_in_place(layer: Any, call_of: Any, context_of: Any, weak_of: Any) -> None:
    """Give the class PyLayer its quick ``apply``; the readable ones are those of it, and of the class of its calls."""
    plain_apply, plain_run = layer.apply.__func__, call_of.run
    one_slot = [None]

    @functools.wraps(plain_apply)
    def apply(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
        mode: Any = mode_now()
        if kwargs or type(mode) is not Quick:
            return plain_apply(cls, *args, **kwargs)
        for x in args:
            if not isinstance(x, Eager.tensor):
                return plain_apply(cls, *args)
        edges = (args[0].edge,) if len(args) == 1 else tuple([x.edge for x in args])
        ctx = context_of()
        try:  # as `run_inside` does it
            try:
                current.set(mode if not mode.grad else mode._other or mode.with_grad(False))
                out = cls.forward(ctx, *args)
            finally:
                current.set(mode)
        except BaseException:
            current.set(mode)
            raise
        recorded = mode.grad and any(edges)
        array: Any = out.array if isinstance(out, Eager.tensor) else None
        plain = array is None or not recorded or ctx._not_inplace or ctx._non_differentiable
        for x in args:
            plain = plain or x.array is array
        if plain:
            other = call_of(cls, args, {})
            made = other.made(ctx, out, recorded)
            if recorded:
                other.connect_outputs(mode, edges, made)
            return made[0]
        call: Any = new(quick_of)
        call.code, call.edges, call.out_slots = cls, edges, one_slot
        if len(args) == 1:
            call.slots, call.likes = one_slot, ((x.array.shape, x.array.dtype),)
        else:
            call.slots, call.likes = one_slot * len(args), [(x.array.shape, x.array.dtype) for x in args]
        call.out_likes = ((array.shape, array.dtype),)
        out.edge = node = Node(call, {}, edges, call, (ctx,))
        call.node = weakref.ref(node)
        UserCode.present = True
        for one in ctx._saved or ():
            if one is out:
                if len(ctx._saved) == 1:
                    weak = weak_of(out)
                    weak.array, weak.node, weak.port = array, call.node, None
                    ctx._saved, ctx._closed = (weak,), True
                else:
                    ctx.let_go_of(call.node)
                break
        return out

    def run(call: Any, grads: Sequence[Any], saved: tuple[Any, ...]) -> Any:
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
            try:
                current.set(around if not around.grad else around._other or around.with_grad(False))
                answer = call.code.backward(saved[0], dy)
            finally:
                current.set(mode)
        except BaseException as error:
            current.set(mode)
            if isinstance(error, Exception):
                raise call.told(error) from error
            raise
        answers = answer if type(answer) is tuple else (answer,)
        arrays = []
        if len(answers) == len(call.likes):
            for one, edge, (shape, dtype) in zip(answers, call.edges, call.likes):
                array = one.array if edge is not None and isinstance(one, Eager.tensor) else None
                if array is None or array.dtype is not dtype or array.shape != shape:
                    break
                array.setflags(write=False)
                arrays.append(array)
            else:
                return arrays
        return call.outgoing(call.sorted(answer), True)

    quick_of: Any = type("QuickCall", (call_of,), {"__slots__": (), "run": run})
    layer.apply = classmethod(apply)
