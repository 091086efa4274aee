"""One call of a PyLayer: forward runs, and its outputs are connected to the graph."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any

from minipaddle.engine.custom.backward import PyLayerBackward, Slots
from minipaddle.engine.custom.context import PyLayerContext
from minipaddle.engine.errors import failure
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.tape import memory
from minipaddle.engine.tape.node import AccumulateGrad, Node, UserCode
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Meta
from minipaddle.engine.watch.notify import run_body


def find_tensors(values: Sequence[Any], kind: type = Tensor) -> tuple[list[Any], Slots]:
    """Find the Tensors (or what is of another `kind`) among `values`, and the slots that they fill.

    A Tensor is a slot; a list or tuple that holds any is one slot too, made of its Tensors. Anything deeper is not
    looked at.
    """
    if len(values) == 1 and isinstance(values[0], kind):  # nearly always
        return [values[0]], [None]
    tensors: list[Any] = []
    slots: Slots = []
    for value in values:
        if isinstance(value, kind):
            slots.append(None)
            tensors.append(value)
        elif isinstance(value, (list, tuple)):
            inside = [item for item in value if isinstance(item, kind)]
            if inside:
                slots.append(len(inside))
                tensors += inside
    return tensors, slots


class PyLayerCall(PyLayerBackward):
    """``Cls.apply(*args, **kwargs)``. Lives on as the operator and the plan of its record."""

    __slots__ = ("args", "inputs", "kwargs")

    def __init__(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.cls = cls
        self.args = args
        self.kwargs = kwargs
        self.inputs: Sequence[Tensor]
        self.inputs, self.slots = find_tensors((*args, *kwargs.values()) if kwargs else args)

    def carry_out(self, mode: Mode) -> Any:
        """Run forward, and connect its outputs if recording is on and an input requires a gradient."""
        ctx = PyLayerContext()
        self.edges = tuple([tensor.edge for tensor in self.inputs])
        forward = partial(self.cls.forward, **self.kwargs) if self.kwargs else self.cls.forward
        result = run_body("forward", self, mode.with_grad(False), forward, (ctx, *self.args))
        outputs, self.output_slots = find_tensors(result if isinstance(result, (tuple, list)) else (result,))
        if not outputs:
            raise failure(
                ValueError,
                f"At least one output of `PyLayer.forward` is a `Tensor`, but {self.name}.forward returned none.",
                "return a Tensor, or a tuple or list with at least one",
            )
        new = _new_objects(outputs, ctx._not_inplace) if ctx._not_inplace else {}
        if mode.grad and any(self.edges):
            self._connect(ctx, outputs, new)
        self.args, self.kwargs, self.inputs = (), {}, ()  # a record must not keep them alive
        return _with_new(result, new) if new else result

    def _connect(self, ctx: PyLayerContext, outputs: list[Tensor], new: dict[int, Tensor]) -> None:
        """Attach one record to the outputs."""
        UserCode.present = True
        self.likes = [(tensor.array.shape, tensor.array.dtype) for tensor in self.inputs]
        self.output_likes = [(tensor.array.shape, tensor.array.dtype) for tensor in outputs]
        record = Node(self, {}, self.edges, self, (ctx,))
        self.record = weakref.ref(record)
        several = len(outputs) > 1
        if several:
            record.metas = [Meta(*like) for like in self.output_likes]
        for index, original in enumerate(outputs):
            out = new.get(id(original), original)
            if out is original:
                self._check_inplace(out)
            passive = ctx._non_differentiable and any(original is one for one in ctx._non_differentiable)
            out.edge = None if passive else (record, index) if several else record
        if ctx._saved:
            ctx.let_go_of(self.record)

    def _check_inplace(self, out: Tensor) -> None:
        """Allow an output over the memory of an input only where an in-place operator would be allowed.

        Raises:
            ValueError: **Leaf Var ... inplace strategy**.
        """
        for tensor in self.inputs:
            if tensor.array is out.array:
                if tensor is not out or tensor.edge is None or type(tensor.edge) is AccumulateGrad:
                    raise failure(
                        ValueError,
                        f"Leaf Var ({tensor.name}) that doesn't stop gradient can't use inplace strategy.",
                        f"call ctx.mark_not_inplace(...) in {self.name}.forward, or return a clone()",
                    )
                memory.note_write(out.array)
                return


def _new_objects(outputs: Sequence[Tensor], not_inplace: tuple[Any, ...]) -> dict[int, Tensor]:
    """Make new Tensors, by id of the old, for outputs that are inputs marked as not in-place."""
    marked = {id(tensor) for tensor in not_inplace}
    return {id(out): Tensor(out.array) for out in outputs if id(out) in marked}


def _with_new(result: Any, new: dict[int, Tensor]) -> Any:
    """Return what forward returned, with the new Tensors in place of the old."""
    if isinstance(result, (tuple, list)):
        return type(result)([_with_new(item, new) for item in result])
    return new.get(id(result), result)
