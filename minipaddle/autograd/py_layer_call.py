"""One call of a PyLayer: what goes in and out of the user's forward and backward, and what may not."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.autograd.py_layer_context import PyLayerContext
from minipaddle.autograd.tensor import Tensor
from minipaddle.core import memory
from minipaddle.core.errors import failure, is_engine_file
from minipaddle.core.meta import Array, Meta, meta_of
from minipaddle.core.mode import Arrays, Body, Mode, current
from minipaddle.core.record import Edge, Leaf, Port, Record

__all__ = ["PyLayerCall", "PyLayerPlan"]


class Slot(NamedTuple):
    """One argument or result that holds gradients: a Tensor, or a list of them."""

    start: int  # position of its first Tensor in the flat list
    count: int
    is_list: bool


def _slots(values: Sequence[Any]) -> tuple[list[Tensor], list[Slot]]:
    """Find the Tensors among `values`; a list or tuple that holds any is one slot. Anything deeper is not looked at."""
    tensors: list[Tensor] = []
    slots: list[Slot] = []
    for value in values:
        if isinstance(value, Tensor):
            slots.append(Slot(len(tensors), 1, is_list=False))
            tensors.append(value)
        elif isinstance(value, (list, tuple)):
            inside = [item for item in value if isinstance(item, Tensor)]
            if inside:
                slots.append(Slot(len(tensors), len(inside), is_list=True))
                tensors += inside
    return tensors, slots


class PyLayerCall:
    """``Cls.apply(*args, **kwargs)``."""

    def __init__(self, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.cls = cls
        self.args = args
        self.kwargs = kwargs
        self.name: str = cls.__name__
        self.type = "pylayer"
        self.title = f"PyLayer_{cls.__name__}"  # hence GradNodePyLayer_<Class>
        self.slots: list[Slot]
        inputs, self.slots = _slots([*args, *kwargs.values()])
        self.inputs: tuple[Any, ...] = tuple(inputs)

    def carry_out(self, mode: Mode) -> Any:
        """Run forward, and connect its outputs if recording is on and an input wants a gradient."""
        ctx = PyLayerContext()
        edges = tuple([tensor.edge for tensor in self.inputs])
        result = mode.run_body(Body("forward", self.name, self), False, self.cls.forward, ctx, *self.args, **self.kwargs)
        items = list(result) if isinstance(result, (tuple, list)) else [result]
        outputs, slots = _slots(items)
        if not outputs:
            raise failure(
                ValueError,
                f"At least one output of `PyLayer.forward` is a `Tensor`, but {self.name}.forward returned none.",
                "return a Tensor, or a tuple or list with at least one",
            )
        if mode.grad and edges.count(None) != len(edges):
            replaced = self._connect(ctx, edges, outputs, slots)
        else:
            replaced = {id(out): Tensor(out.array) for out in outputs if _is_in(out, ctx._not_inplace)}
        if not replaced:
            return result
        new = [_replace(item, replaced) for item in items]
        return type(result)(new) if isinstance(result, (tuple, list)) else new[0]

    def _connect(
        self, ctx: PyLayerContext, edges: tuple[Edge | None, ...], outputs: list[Tensor], slots: list[Slot]
    ) -> dict[int, Tensor]:
        """Attach one record to the outputs; return new Tensors for outputs that may not be used as they are."""
        metas = [meta_of(out.array) for out in outputs]
        passive = [_is_in(out, ctx._non_differentiable) for out in outputs]
        plan = PyLayerPlan(self.cls, self.slots, [meta_of(value.array) for value in self.inputs], edges, slots, metas, passive)
        record = Record(self, {}, edges, plan, (ctx,))
        single = len(outputs) == 1
        if not single:
            record.metas = metas
        replaced: dict[int, Tensor] = {}
        for index, out in enumerate(outputs):
            if _is_in(out, ctx._not_inplace):
                out = replaced[id(out)] = Tensor(out.array)
            else:
                self._check_inplace(out)
            out.edge = None if passive[index] else record if single else Port(record, index)
        return replaced

    def _check_inplace(self, out: Tensor) -> None:
        """Allow an output over the memory of an input only where an in-place operator would be allowed.

        Raises:
            ValueError: **Leaf Var ... inplace strategy**.
        """
        for tensor in self.inputs:
            if tensor.array is out.array:
                if tensor is not out or tensor.edge is None or type(tensor.edge) is Leaf:
                    raise failure(
                        ValueError,
                        f"Leaf Var ({tensor.name}) that doesn't stop gradient can't use inplace strategy.",
                        f"call ctx.mark_not_inplace(...) in {self.name}.forward, or return a clone()",
                    )
                memory.note_write(out.array)
                return


def _is_in(tensor: Tensor, tensors: Sequence[Any]) -> bool:
    return any(tensor is one for one in tensors)


def _replace(item: Any, replaced: dict[int, Tensor]) -> Any:
    if isinstance(item, (list, tuple)):
        return type(item)([replaced.get(id(one), one) for one in item])
    return replaced.get(id(item), item)


class PyLayerPlan:
    """Runs the user's ``backward`` where a built-in operator runs its rules."""

    def __init__(
        self,
        cls: Any,
        slots: list[Slot],
        metas: list[Meta],
        edges: tuple[Edge | None, ...],
        output_slots: list[Slot],
        output_metas: list[Meta],
        passive: list[bool],
    ) -> None:
        self.cls = cls
        self.slots = slots
        self.metas = metas
        self.edges = edges
        self.output_slots = output_slots
        self.output_metas = output_metas
        self.passive = passive

    def gather(self, grads: Sequence[Any], metas: Sequence[Meta], zeros: Callable[[Meta], Any]) -> Sequence[Any]:
        """Leave missing gradients missing: only the context knows whether the user wants zeros."""
        return grads

    def arrays(self, kept: tuple[Any, ...]) -> Iterator[Array]:
        """Yield nothing: what the context saved has no version check, as in Paddle."""
        return iter(())

    def connect(self, record: Record, kept: tuple[Any, ...], tensor: Callable[[Array, Edge | None], Any]) -> tuple[Any, ...]:
        """Return `kept` as it is: the context holds Tensors already."""
        return kept

    def run_some(self, grads: Sequence[Any], kept: tuple[Any, ...], useful: Sequence[bool]) -> Sequence[Any]:
        """Run backward; the user's code cannot be run in part."""
        return self.run(grads, kept)

    def run(self, grads: Sequence[Any], kept: tuple[Any, ...]) -> Sequence[Any]:
        """Run the user's backward on Tensors, whatever flows around it."""
        (ctx, *_) = kept
        mode = current.get()
        numbers = isinstance(mode, Arrays)
        arguments = self._arguments(ctx, grads)
        try:
            body = Body("backward", self.cls.__name__, self)
            answer = mode.run_body(body, not numbers, self.cls.backward, ctx, *arguments)
        except Exception as error:
            raise _told(error, self.cls.__name__) from error
        answers = self._flat_answers(answer)
        return [None if value is None else value.array for value in answers] if numbers else answers

    def _arguments(self, ctx: PyLayerContext, grads: Sequence[Any]) -> list[Any]:
        """Return what backward receives: one gradient per output slot, complete and of the right type."""
        flat = [self._incoming(ctx, grad, meta) for grad, meta in zip(grads, self.output_metas, strict=True)]
        return [
            flat[slot.start : slot.start + slot.count] if slot.is_list else flat[slot.start] for slot in self.output_slots
        ]

    def _incoming(self, ctx: PyLayerContext, grad: Any, meta: Meta) -> Tensor | None:
        if grad is None:
            return Tensor(np.zeros(meta.shape, meta.dtype)) if ctx._materialize_grads else None
        tensor = grad if isinstance(grad, Tensor) else Tensor(grad)
        if tensor.array.dtype != meta.dtype and ctx._grad_in_dtype_consistent:
            tensor = _cast(tensor, meta.dtype)
        return tensor

    def _flat_answers(self, answer: Any) -> list[Tensor | None]:
        """Sort backward's answer into one gradient per Tensor input.

        Raises:
            ValueError: if there are too many or too few, or one is of the wrong kind.
        """
        answers = self._answers(answer)
        if len(answers) > len(self.slots):
            raise failure(
                ValueError,
                f"The number of outputs of `PyLayer.backward` should be {len(self.slots)}, but received {len(answers)}.",
                f"{self.cls.__name__}.backward returns one gradient for each Tensor that forward received",
            )
        flat: list[Tensor | None] = []
        for position, slot in enumerate(self.slots):
            if position < len(answers):
                flat += self._slot_answer(position, slot, answers[position])
            elif any(edge is not None for edge in self._edges(slot)):
                raise failure(
                    ValueError,
                    f"{self.cls.__name__}.backward should not return empty at {position} position, because its input "
                    "requires gradient.",
                )
            else:
                flat += [None] * slot.count
        return flat

    def _edges(self, slot: Slot) -> Sequence[Edge | None]:
        return self.edges[slot.start : slot.start + slot.count]

    def _answers(self, answer: Any) -> Sequence[Any]:
        """A tuple or list is several answers, unless the only slot is a list, which it then answers."""
        only_a_list = len(self.slots) == 1 and self.slots[0].is_list
        if isinstance(answer, tuple) or (isinstance(answer, list) and not only_a_list):
            return answer
        return [answer]

    def _slot_answer(self, position: int, slot: Slot, answer: Any) -> list[Tensor | None]:
        wanted = [edge is not None for edge in self._edges(slot)]
        if not any(wanted):
            items = answer if slot.is_list and isinstance(answer, (list, tuple)) else [answer]
            if any(item is not None for item in items):
                raise failure(
                    ValueError,
                    f"{self.cls.__name__}.backward should return None at {position} position, because its input "
                    "stops gradient.",
                )
            return [None] * slot.count
        if not slot.is_list:
            return [self._checked(position, slot.start, answer)]
        if not isinstance(answer, (list, tuple)) or len(answer) != slot.count:
            raise failure(
                ValueError,
                f"{self.cls.__name__}.backward should return a list or tuple of {slot.count} gradients at {position} "
                f"position, because forward received a list there, but got {type(answer).__name__}.",
            )
        return [self._checked(position, slot.start + i, item) for i, item in enumerate(answer)]

    def _checked(self, position: int, index: int, answer: Any) -> Tensor | None:
        """Check one gradient against its input; cast it where it enters another record."""
        if answer is None:
            return None
        if not isinstance(answer, Tensor):
            raise failure(
                ValueError,
                "We can only support Tensor or None for backward output, but got "
                f"{type(answer).__name__} at {position} position of {self.cls.__name__}.backward.",
            )
        meta, edge = self.metas[index], self.edges[index]
        if answer.array.shape != meta.shape:
            raise failure(
                ValueError,
                f"{self.cls.__name__}.backward returned a gradient of shape {answer.shape} at {position} position, "
                f"but its input has shape {list(meta.shape)}.",
                "sum over the axes that forward broadcast",
            )
        if answer.array.dtype != meta.dtype and type(edge) is not Leaf:
            return _cast(answer, meta.dtype)
        return answer if edge is not None else None


def _cast(tensor: Tensor, dtype: Any) -> Tensor:
    from minipaddle.ops.casting import cast

    result: Tensor = cast(tensor, dtype)
    return result


def _told(error: Exception, layer: str) -> OSError:
    """Wrap an error of the user's backward as Paddle does, with the line it came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not is_engine_file(frame.filename)]
    place = f'\n  File "{frames[-1].filename}", line {frames[-1].lineno}, in {frames[-1].name}\n    {frames[-1].line}' if frames else ""
    return failure(OSError, f"{type(error).__name__}: {error}{place}\n  [raised in {layer}.backward]")
