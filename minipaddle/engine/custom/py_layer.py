"""PyLayer: an operator whose forward and backward the user writes in Python.

``PyLayer.apply`` makes an operator for the call (:class:`PyLayerCall`). Its node saves only the context; where
the node of a built-in operator runs rules, this runs the user's ``backward``. What that may answer is checked in
:mod:`minipaddle.engine.custom.answers`.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from minipaddle.engine.custom import answers
from minipaddle.engine.errors import Line, defined_at, failure
from minipaddle.engine.fast import put_in_place
from minipaddle.engine.mode.eager import mode_now
from minipaddle.engine.mode.mode import Arrays, Mode, Packed
from minipaddle.engine.operator.custom import Made, Nothing, OnTape, run_body
from minipaddle.engine.tape.node import AccumulateGrad, Edge, Node
from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array, Shape
from minipaddle.engine.walk.walk import node_of
from minipaddle.ops.creation.cast import cast

__all__ = ["PyLayer", "PyLayerContext", "once_differentiable"]

Slots = list[int | None]
"""The slots of Tensors among arguments or results: None is one Tensor, n a list of n Tensors."""
Like = tuple[Shape, np.dtype[Any]]
"""The shape and dtype of a gradient: its tensor's."""


class PyLayer:
    """Base of custom operators: write ``forward`` and ``backward`` as static methods, call ``apply``."""

    @staticmethod
    def forward(ctx: PyLayerContext, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; at least one must be a Tensor. Runs with recording off.

        Raises:
            NotImplementedError: unless the subclass defines it.
        """
        raise NotImplementedError("You must implement the forward function for PyLayer.")

    @staticmethod
    def backward(ctx: PyLayerContext, *args: Any) -> Any:
        """Return one gradient per Tensor input of ``forward``, given one per Tensor output.

        Raises:
            NotImplementedError: unless the subclass defines it.
        """
        raise NotImplementedError("You must implement the backward function for PyLayer.")

    @classmethod
    def apply(cls, /, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` on the arguments and return what it returns, connected to the graph.

        Raises:
            ValueError: if no output is a Tensor, or a leaf that requires a gradient is returned itself.
        """
        call = PyLayerCall(cls, args, kwargs)
        return mode_now().apply_custom(call, call.inputs)


class SavedOutput(weakref.ref[Tensor]):
    """A saved output of forward: the Tensor while it lives, afterwards a new equal one."""

    __slots__ = ("array", "node", "port")
    array: Array
    node: weakref.ref[Node]
    port: int | None
    """The index of the output; None if there is only one."""

    def open(self) -> Tensor:
        """Return the Tensor, connected to the graph."""
        tensor = self()
        if tensor is None:
            own: Any = self.node()
            tensor = object.__new__(Tensor)
            tensor.array, tensor.edge = self.array, own if self.port is None else (own, self.port)
        return tensor


class PyLayerContext:
    """The ``ctx`` of one ``apply``: the same object in forward and backward. Set any attributes on it."""

    # Read by PyLayerCall; set by the methods below.
    _saved: tuple[Any, ...] | None = None
    _closed: bool = False
    """Whether a saved tensor must be unpacked: it is held weakly, or packed by a user's hook."""
    _not_inplace: tuple[Any, ...] = ()
    _non_differentiable: tuple[Any, ...] = ()
    _materialize_grads: bool = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward; the last call wins."""
        saving = mode_now().saving
        if saving is None:
            self._saved = tensors
            return
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, Tensor):
                raise failure(
                    ValueError,
                    "save_for_backward only supports Tensor under saved_tensors_hooks, but got "
                    f"{type(tensor).__name__}.",
                )
        self._saved, self._closed = tuple([saving.pack(tensor) for tensor in tensors]), True

    def saved_tensor(self) -> tuple[Any, ...] | None:
        """Return the very tensors that were saved; None if ``save_for_backward`` was never called."""
        saved = self._saved
        if saved is None or not self._closed:
            return saved
        return tuple([one.open() if isinstance(one, (SavedOutput, Packed)) else one for one in saved])

    def let_go_of(self, node: weakref.ref[Node]) -> None:
        """Hold saved outputs of the call weakly: node, context and output would be a cycle."""
        own, saved = node(), self._saved or ()
        for place, one in enumerate(saved):
            if isinstance(one, Tensor) and node_of(one.edge) is own:
                weak = SavedOutput(one)
                weak.array, weak.node = one.array, node
                weak.port = one.edge[1] if type(one.edge) is tuple else None
                self._saved, self._closed = (*saved[:place], weak, *saved[place + 1 :]), True
                saved = self._saved

    def mark_not_inplace(self, *tensors: Tensor) -> None:
        """Mark inputs that forward returns unchanged: the output shall be a new Tensor."""
        self._not_inplace = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Mark outputs through which no gradient flows; the last call wins."""
        self._non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Choose what backward receives for an output without gradient: zeros (True, the default) or None.

        Raises:
            TypeError: if `value` is not bool.
        """
        if not isinstance(value, bool):
            raise TypeError(f"set_materialize_grads expects a bool, but received {type(value).__name__}.")
        self._materialize_grads = value


class PyLayerCall(OnTape):
    """The operator of one ``Cls.apply(*args, **kwargs)``: each call has inputs and outputs of its own."""

    __slots__ = ("args", "code", "edges", "inputs", "kwargs", "likes", "node", "out_likes", "out_slots",
                 "slots")  # fmt: skip

    type = "pylayer"
    takes_nothing = True
    slots: Slots
    likes: Sequence[Like]
    """Of each Tensor input."""
    out_slots: Slots
    out_likes: Sequence[Like]
    """Of each output."""
    edges: Sequence[Edge | None]
    """The edge of each Tensor input at the time when forward was applied."""
    node: weakref.ref[Node]
    """The node of the call, which holds this."""

    def __init__(self, code: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.code, self.args, self.kwargs = code, args, kwargs
        self.inputs: Sequence[Any]
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
        function = partial(self.code.forward, **self.kwargs) if self.kwargs else self.code.forward
        result = run_body("forward", self, mode.with_grad(False), function, (ctx, *self.args))
        return self.made(ctx, result, recorded)

    def made(self, ctx: PyLayerContext, result: Any, recorded: bool) -> Made:
        """Return forward's outputs, with the marks of its context applied."""
        outputs, self.out_slots = outputs_of(result)
        if not outputs:
            raise answers.no_output(self)
        apart, passive = [
            [id(one) for one in marked] for marked in (ctx._not_inplace, ctx._non_differentiable)
        ]
        for out in outputs if recorded else ():
            if id(out) not in apart + passive and any(one.array is out.array for one in self.inputs):
                answers.check_in_place(self, out)
        flowing = [place for place, out in enumerate(outputs) if id(out) not in passive]
        self.likes, self.out_likes = _likes(self.inputs), _likes(outputs)
        self.args, self.kwargs, self.inputs = (), {}, ()  # the node of the call must not keep them alive
        if apart:
            new = {id(out): Tensor(out.array) for out in outputs if id(out) in apart}
            result, outputs = _exchanged(result, new), [new.get(id(out), out) for out in outputs]
        return result, outputs, flowing, (ctx,)

    def connect_outputs(self, mode: Mode, edges: tuple[Edge | None, ...], made: Made) -> Node:
        """Give outputs their edges; the context references them weakly, as the node holds the context."""
        self.edges = edges
        node = super().connect_outputs(mode, edges, made)
        self.node, node.saved = weakref.ref(node), made[3]  # hooks have packed what the context saved
        made[3][0].let_go_of(self.node)
        return node

    def saved_tensors(self, saved: tuple[Any, ...]) -> list[Tensor]:
        """Return the saved tensors, without those packed by a user's hooks."""
        kept = [one.open() if isinstance(one, SavedOutput) else one for one in saved[0]._saved or ()]
        return [one for one in kept if isinstance(one, Tensor)]

    # -- backward -------------------------------------------------------------------------------------------------

    def run(self, grads: Sequence[Any], saved: tuple[Any, ...]) -> Sequence[Any]:
        """Run the user's backward on Tensors, also in a pass over arrays."""
        mode, ctx = mode_now(), saved[0]
        numbers = isinstance(mode, Arrays)
        inside = mode.inner.with_grad(False) if isinstance(mode, Arrays) else mode.with_grad(True)
        given = list(map(partial(_incoming, ctx, numbers), grads, self.out_likes))
        given = _by_slot(given, self.out_slots) if any(self.out_slots) else given
        at = (node, None) if mode.tell and (node := self.node()) else None
        function = self.code.backward
        found = run_body("backward", self, inside, function, (ctx, *given), at, self.sorted, self.told)
        return self.outgoing(found, numbers)

    def sorted(self, answer: Any) -> Sequence[Tensor | None]:
        """Return the results of backward as one gradient (or None) for each Tensor input."""
        given = answer if isinstance(answer, tuple) else (answer,)
        usual = len(given) == len(self.likes) and not any(self.slots)
        for one, edge, like in zip(given, self.edges, self.likes):
            usual = usual and edge is not None and isinstance(one, Tensor) and one.array.shape == like[0]
        return list(given) if usual else answers.sorted_answers(self, answer)

    told = answers.told

    def outgoing(self, given: Sequence[Tensor | None], numbers: bool) -> list[Any]:
        """Return the gradients to pass on to other nodes, in the dtypes expected there.

        None becomes zeros. Another PyLayer makes of None, and of another dtype, what it wants.
        """
        found: list[Any] = []
        answer: Any
        for answer, edge, like in zip(given, self.edges, self.likes, strict=True):
            as_it_is = edge is None or type(edge) is AccumulateGrad or node_of(edge).plan.takes_nothing
            if answer is None and edge is not None and type(edge) is not AccumulateGrad:
                answer = Nothing(*like) if as_it_is else Tensor(np.zeros(*like))
            elif answer is not None and answer.array.dtype is not like[1] and not as_it_is:
                answer = _as_type(answer, like[1], numbers)
            if numbers and isinstance(answer, Tensor):
                answer.array.setflags(write=False)  # other paths may carry the same memory
                answer = answer.array
            found.append(answer)
        return found


def _incoming(ctx: PyLayerContext, numbers: bool, grad: Any, like: Like) -> Tensor | None:
    """Return the gradient of an output as a Tensor of the right dtype: a leaf if it has no history."""
    if grad is None or isinstance(grad, Nothing):
        return Tensor(np.zeros(*like)) if ctx._materialize_grads else None
    tensor: Tensor = grad if isinstance(grad, Tensor) else Tensor(grad)
    if tensor is not grad:
        tensor.array.setflags(write=False)  # other paths may carry the same memory
    if tensor.array.dtype is not like[1]:
        tensor = _as_type(tensor, like[1], numbers)
    tensor.edge = tensor.edge or AccumulateGrad(tensor)
    return tensor


def _as_type(tensor: Tensor, dtype: np.dtype[Any], numbers: bool) -> Tensor:
    """Cast a gradient: only its `numbers`, or as an operator, while gradients are recorded."""
    cast_one: Tensor = Tensor(np.asarray(tensor.array, dtype)) if numbers else cast(tensor, dtype)
    return cast_one


def find_tensors(values: Sequence[Any], kind: type = Tensor) -> tuple[list[Any], Slots]:
    """Return the Tensors (or values of another `kind`) among `values`, and the slots that they fill.

    A list or tuple with any of them is one slot. Deeper nesting is not searched.
    """
    tensors: list[Any] = []
    slots: Slots = []
    for value in values:
        if isinstance(value, kind):
            tensors.append(value)
            slots.append(None)
        elif isinstance(value, (list, tuple)) and (inside := [one for one in value if isinstance(one, kind)]):
            tensors += inside
            slots.append(len(inside))
    return tensors, slots


def outputs_of(result: Any) -> tuple[list[Any], Slots]:
    """Return the Tensors that a PyLayer's forward returned, in order, and the slots that they fill."""
    return find_tensors(result if isinstance(result, (list, tuple)) else (result,))


def _by_slot(flat: list[Any], slots: Slots) -> list[Any]:
    """Return a flat list as one item for each slot."""
    rest = iter(flat)
    return [next(rest) if slot is None else [next(rest) for _ in range(slot)] for slot in slots]


def _likes(tensors: Sequence[Tensor]) -> list[Like]:
    return [(one.array.shape, one.array.dtype) for one in tensors]


def _exchanged(result: Any, new: dict[int, Tensor]) -> Any:
    """Return the result of forward with Tensors replaced by `new` ones, by their id."""
    if isinstance(result, (tuple, list)):
        return type(result)([_exchanged(item, new) for item in result])
    return new.get(id(result), result)


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a ``backward`` whose own gradient makes no sense: it runs unrecorded."""
    unrecorded: Callable[..., Any] = no_grad()(backward)
    return unrecorded


put_in_place("pylayer", PyLayer, PyLayerCall, PyLayerContext, SavedOutput)
