"""PyLayer: an operator whose forward and backward the user writes in Python.

``PyLayer.apply`` makes an operator for the call (:class:`PyLayerCall`). Its node, which
:meth:`minipaddle.engine.operator.custom.OnTape.attach` makes, saves only the context, until backward frees the graph;
where the node of a built-in operator runs rules, this runs the user's ``backward``. Its results are checked in
:mod:`minipaddle.engine.custom.answers`.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from minipaddle.engine.custom import answers
from minipaddle.engine.custom.context import PyLayerContext
from minipaddle.engine.errors import Line, defined_at
from minipaddle.engine.fast import put_in_place
from minipaddle.engine.mode.eager import Arrays, mode_now
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.operator.custom import Made, Nothing, OnTape, for_user, run_body
from minipaddle.engine.tape.node import AccumulateGrad, Edge, Node
from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Meta
from minipaddle.engine.walk.walk import node_of
from minipaddle.ops.creation.cast import cast

__all__ = ["PyLayer", "PyLayerContext", "once_differentiable"]

Slots = list[int | None]
"""The slots of Tensors among arguments or results: None is one Tensor, n a list of n Tensors."""


class PyLayer:
    """Base of custom operators: write ``forward`` and ``backward`` as static methods, call ``apply``."""

    @staticmethod
    def forward(ctx: PyLayerContext, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs, at least one a Tensor, with recording off; a subclass defines it."""
        raise NotImplementedError("You must implement the forward function for PyLayer.")

    @staticmethod
    def backward(ctx: PyLayerContext, *args: Any) -> Any:
        """Return one gradient per Tensor input of ``forward``, given one per Tensor output; a subclass defines it."""
        raise NotImplementedError("You must implement the backward function for PyLayer.")

    @classmethod
    def apply(cls, /, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` on the arguments and return its result, connected to the graph.

        Raises:
            ValueError: if no output is a Tensor, or a leaf that requires a gradient is returned itself.
        """
        call = PyLayerCall(cls, args, kwargs)
        return mode_now().apply_custom(call, call.inputs)


class PyLayerCall(OnTape):
    """The operator of one ``Cls.apply(*args, **kwargs)``: each call has its own inputs and outputs."""

    __slots__ = ("args", "code", "edges", "inputs", "kwargs", "likes", "node", "out_likes", "out_slots",
                 "slots")  # fmt: skip

    type = "pylayer"
    takes_nothing = True

    def __init__(self, code: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.code, self.args, self.kwargs = code, args, kwargs
        self.inputs, self.slots = find_tensors((*args, *kwargs.values()))

    @property
    def title(self) -> str:
        """The name of its node."""
        return f"GradNodePyLayer_{self.name}"

    @property
    def where(self) -> Line | None:
        """Where its forward is defined."""
        return defined_at(inspect.unwrap(self.code.forward))

    def forward(self, mode: Mode, inputs: Sequence[Tensor], recorded: bool) -> Made:
        """Run the user's forward with recording off."""
        ctx = PyLayerContext()
        function = partial(self.code.forward, **self.kwargs)
        result = run_body("forward", self, None, mode.with_grad(False), function, ctx, *self.args)
        return self.made(ctx, result, recorded)

    def made(self, ctx: PyLayerContext, result: Any, recorded: bool) -> Made:
        """Return forward's outputs, with the marks of its context applied."""
        outputs, slots = outputs_of(result)
        self.out_slots = slots if any(slots) else ()
        passive = [id(one) for one in ctx._non_differentiable]
        flowing = [place for place, out in enumerate(outputs) if id(out) not in passive]
        memory = {id(one.array) for one in self.inputs}
        if not outputs or (recorded and any(id(out.array) in memory for out in outputs)):
            answers.check_outputs(self, ctx, outputs)
        self.likes = [Meta(one.array.shape, one.array.dtype) for one in self.inputs]
        self.out_likes = [Meta(one.array.shape, one.array.dtype) for one in outputs]
        self.args, self.kwargs, self.inputs = (), {}, []  # the node of the call must not keep them alive
        if ctx._not_inplace:
            result, outputs = _set_apart(ctx, result, outputs)
        return result, outputs, flowing, (ctx,)

    def connected(self, node: Node) -> None:
        """Store the node, whose plan this is, and the edges of the inputs."""
        self.node, self.edges = weakref.ref(node), node.edges

    def saved_tensors(self, saved: tuple[Any, ...]) -> list[Tensor]:
        """Return the saved tensors, without those packed by a user's hooks."""
        return [one for one in saved[0]._saved or () if isinstance(one, Tensor)]

    # -- backward -------------------------------------------------------------------------------------------------

    def run(self, grads: Sequence[Any], saved: tuple[Any, ...]) -> Sequence[Any]:
        """Run the user's backward on Tensors, also in a pass over arrays."""
        node: Any = self.node()
        mode, (ctx,) = mode_now(), saved
        numbers = isinstance(mode, Arrays)
        inside = mode.inner.with_grad(False) if isinstance(mode, Arrays) else mode.with_grad(True)
        given = [_incoming(ctx, numbers, grad, like) for grad, like in zip(grads, self.out_likes)]
        given = _by_slot(given, self.out_slots) if self.out_slots else given
        found = run_body("backward", self, (node, None), inside, self.answered, ctx, *given)
        return self.passed_on(found, numbers)

    def passed_on(self, found: Sequence[Tensor | None], numbers: bool) -> list[Any]:
        """Return the gradients to pass on to other nodes: arrays in a pass over `numbers`."""
        return [_outgoing(numbers, *one) for one in zip(found, self.edges, self.likes)]

    def answered(self, *args: Any) -> Sequence[Tensor | None]:
        """Return the result of the user's backward, one gradient (or None) for each Tensor input."""
        try:
            answer = self.code.backward(*args)
        except Exception as error:
            raise answers.told(self, error) from error
        given = answer if isinstance(answer, tuple) else (answer,)
        usual = len(given) == len(self.likes) and not any(self.slots)
        for one, edge, like in zip(given, self.edges, self.likes):
            usual = usual and edge is not None and isinstance(one, Tensor) and one.array.shape == like[0]
        return list(given) if usual else answers.sorted_answers(self, answer)


def _incoming(ctx: PyLayerContext, numbers: bool, grad: Any, like: Meta) -> Tensor | None:
    """Return the gradient of an output as a Tensor of the right dtype: a leaf if it has no history."""
    if grad is None or isinstance(grad, Nothing):
        return Tensor(np.zeros(*like)) if ctx._materialize_grads else None
    tensor: Tensor = for_user(grad)
    if tensor.array.dtype is not like[1]:
        tensor = _as_type(tensor, like[1], numbers)
    tensor.edge = tensor.edge or AccumulateGrad(tensor)
    return tensor


def _outgoing(numbers: bool, answer: Tensor | None, edge: Edge | None, like: Meta) -> Any:
    """Return a gradient to pass on over an edge, of the kind that is expected there."""
    if answer is None or answer.array.dtype is not like[1]:
        answer = _expected(numbers, answer, edge, like)
    if not numbers or not isinstance(answer, Tensor):
        return answer
    answer.array.setflags(write=False)  # other paths may carry the same memory
    return answer.array


def _expected(numbers: bool, answer: Tensor | None, edge: Edge | None, like: Meta) -> Any:
    """Return a gradient, None or of another dtype, as it is expected over an edge: zeros for None, or cast.

    The gradient of a leaf or of another PyLayer's output stays as it is: None, or of another dtype.
    """
    ends = edge is None or type(edge) is AccumulateGrad
    if ends or node_of(edge).plan.takes_nothing:
        return Nothing(*like) if answer is None and not ends else answer
    return Tensor(np.zeros(*like)) if answer is None else _as_type(answer, like[1], numbers)


def _as_type(tensor: Tensor, dtype: np.dtype[Any], numbers: bool) -> Any:
    """Return a gradient in another dtype: cast only its `numbers`, or by an operator, while gradients are recorded."""
    return Tensor(np.asarray(tensor.array, dtype)) if numbers else cast(tensor, dtype)


def find_tensors(values: Sequence[Any], kind: type = Tensor) -> tuple[list[Any], Slots]:
    """Return the Tensors (or values of another `kind`) among `values`, and the slots that they fill.

    A list or tuple with any of them is one slot. Deeper nesting is not searched.
    """
    found = [[value] if isinstance(value, kind) else _listed(value, kind) for value in values]
    slots = [None if isinstance(value, kind) else len(ones) for value, ones in zip(values, found) if ones]
    return [one for ones in found for one in ones], slots


def _listed(value: Any, kind: type) -> list[Any]:
    """Return the values of a `kind` in a list or tuple; none in anything else."""
    return [one for one in value if isinstance(one, kind)] if isinstance(value, answers.SEVERAL) else []


def outputs_of(result: Any) -> tuple[list[Any], Slots]:
    """Return the Tensors that a PyLayer's forward returned, in order, and the slots that they fill."""
    return find_tensors(result if isinstance(result, answers.SEVERAL) else (result,))


def _by_slot(flat: list[Any], slots: Sequence[int | None]) -> list[Any]:
    """Return a flat list by slot: one item for each."""
    rest = iter(flat)
    return [next(rest) if slot is None else [next(rest) for _ in range(slot)] for slot in slots]


def _set_apart(ctx: PyLayerContext, result: Any, outputs: list[Any]) -> tuple[Any, list[Any]]:
    """Return the result of forward and its outputs, with new Tensors for those that ``mark_not_inplace`` names."""
    marked = [id(one) for one in ctx._not_inplace]
    new = {id(out): Tensor(out.array) for out in outputs if id(out) in marked}
    return _exchanged(result, new), [new.get(id(out), out) for out in outputs]


def _exchanged(result: Any, new: dict[int, Tensor]) -> Any:
    """Return the result of forward with Tensors replaced by `new` ones, found by their id."""
    if isinstance(result, (tuple, list)):
        return type(result)([_exchanged(item, new) for item in result])
    return new.get(id(result), result)


once_differentiable = no_grad()
"""Decorate a ``backward`` whose own gradient makes no sense: it runs unrecorded."""

put_in_place("pylayer", PyLayer, PyLayerCall, PyLayerContext)
