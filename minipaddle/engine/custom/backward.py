"""How a PyLayer's record is run: the user's backward, what it receives, and what it may answer."""

from __future__ import annotations

import traceback
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.custom.context import PyLayerContext
from minipaddle.engine.errors import failure, is_engine_file
from minipaddle.engine.mode.eager import mode_now
from minipaddle.engine.mode.mode import Arrays
from minipaddle.engine.tape.memory import read_only
from minipaddle.engine.tape.node import AccumulateGrad, CustomPlan, Edge, Node
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Shape
from minipaddle.engine.walk.walk import Nothing, node_of
from minipaddle.engine.watch.notify import run_body
from minipaddle.ops.creation.cast import cast

Like = tuple[Shape, np.dtype[Any]]
Slots = list[int | None]
"""The places of Tensors among arguments or results: None is one Tensor, a number a list of so many."""


class PyLayerBackward(CustomPlan):
    """Runs the user's ``backward`` where a built-in operator runs its rules."""

    __slots__ = ("cls", "edges", "likes", "output_likes", "output_slots", "record", "slots")

    type = "pylayer"
    cls: Any
    """The class that the user wrote."""
    slots: Slots
    edges: tuple[Edge | None, ...]
    """Where the gradient of each Tensor input goes, as it was when forward was applied."""
    likes: list[Like]
    """Shape and dtype of each Tensor input."""
    output_slots: Slots
    output_likes: list[Like]
    record: weakref.ref[Node]
    """The record of the call, which holds this."""

    @property
    def name(self) -> str:
        """The name of the user's class."""
        return str(self.cls.__name__)

    @property
    def title(self) -> str:
        """Hence ``GradNodePyLayer_<Class>``."""
        return f"PyLayer_{self.name}"

    def run(self, grads: Sequence[Any], saved: tuple[Any, ...]) -> Sequence[Any]:
        """Run the user's backward on Tensors, whatever flows around it."""
        ctx: PyLayerContext = saved[0]
        mode = mode_now()
        arguments = (ctx, *self._incoming(ctx, grads))
        at = (record, None) if mode.tell and (record := self.record()) else None
        inside = mode.inner.with_grad(False) if isinstance(mode, Arrays) else mode.with_grad(True)
        try:
            answer = run_body("backward", self, inside, self.cls.backward, arguments, at, self._sorted)
        except Exception as error:
            raise _told(error, self.name) from error
        return self._entering(self._sorted(answer), numbers=not inside.grad)

    # -- what backward receives -----------------------------------------------------------------------------------

    def _incoming(self, ctx: PyLayerContext, grads: Sequence[Any]) -> list[Any]:
        """Return the gradient of each output, complete and of the right type; lists as forward gave them."""
        found: list[Any] = []
        for grad, (shape, dtype) in zip(grads, self.output_likes):
            if grad is None or isinstance(grad, Nothing):
                found.append(Tensor(np.zeros(shape, dtype)) if ctx._materialize_grads else None)
                continue
            if not isinstance(grad, Tensor):
                grad = Tensor(grad)
                grad.array.setflags(write=False)  # other paths may carry the same memory
            if grad.array.dtype is not dtype:
                grad = _as_type(grad, dtype)
            if grad.edge is None:
                grad.edge = AccumulateGrad(grad)
            found.append(grad)
        return _by_slot(found, self.output_slots) if any(self.output_slots) else found

    # -- what backward answers ------------------------------------------------------------------------------------

    def _sorted(self, answer: Any) -> list[Tensor | None]:
        """Sort backward's answer into one gradient per Tensor input.

        Raises:
            ValueError: if there are too many or too few, or one is of the wrong kind.
        """
        if self.slots == [None] and isinstance(answer, Tensor):  # one in, one out: nothing to sort
            return [self._checked(0, 0, answer)]
        answers = self._answers(answer)
        if len(answers) > len(self.slots):
            raise failure(
                ValueError,
                f"The number of outputs of `PyLayer.backward` should be {len(self.slots)}, but received "
                f"{len(answers)}.",
                f"{self.name}.backward returns one gradient for each Tensor that forward received",
            )
        flat: list[Tensor | None] = []
        for position, slot in enumerate(self.slots):
            start = len(flat)
            count = 1 if slot is None else slot
            wanted = [edge is not None for edge in self.edges[start : start + count]]
            if position >= len(answers):
                if True in wanted:
                    raise self._wrong("not return empty", position, "its input requires gradient")
                flat += [None] * count
            elif True not in wanted:
                given = answers[position]
                if any(one is not None for one in (given if isinstance(given, (list, tuple)) else (given,))):
                    raise self._wrong("return None", position, "its input stops gradient")
                flat += [None] * count
            elif slot is None:
                flat.append(self._checked(position, start, answers[position]))
            else:
                flat += self._list_answer(position, start, slot, answers[position])
        return flat

    def _answers(self, answer: Any) -> Sequence[Any]:
        """A tuple or list is several answers, unless the only slot is a list, which it then answers."""
        if isinstance(answer, tuple):
            return answer
        only_a_list = len(self.slots) == 1 and self.slots[0] is not None
        return answer if isinstance(answer, list) and not only_a_list else (answer,)

    def _wrong(self, should: str, position: int, because: str) -> ValueError:
        return failure(
            ValueError,
            f"{self.name}.backward should {should} at {position} position, because {because}.",
            f"it returns one gradient for each Tensor that forward received: {len(self.slots)}, in their order",
        )

    def _list_answer(self, position: int, start: int, count: int, answer: Any) -> list[Tensor | None]:
        if not isinstance(answer, (list, tuple)) or len(answer) != count:
            given = f"forward received a list there, but got {type(answer).__name__}"
            raise self._wrong(f"return a list or tuple of {count} gradients", position, given)
        return [self._checked(position, start + i, item) for i, item in enumerate(answer)]

    def _checked(self, position: int, index: int, answer: Any) -> Tensor | None:
        """Check one gradient against its input."""
        if answer is None or self.edges[index] is None:
            return None
        if not isinstance(answer, Tensor):
            raise failure(
                ValueError,
                "We can only support Tensor or None for backward output, but got "
                f"{type(answer).__name__} at {position} position of {self.name}.backward.",
            )
        shape, _ = self.likes[index]
        if answer.array.shape != shape:
            raise failure(
                ValueError,
                f"{self.name}.backward returned a gradient of shape {list(answer.shape)} at {position} position, but "
                f"its input has shape {list(shape)}.",
                "sum over the axes that forward broadcast",
            )
        return answer

    def _entering(self, answers: Sequence[Tensor | None], numbers: bool) -> list[Any]:
        """Return what the answers become where they enter other records: of the dtypes that are expected there.

        None becomes zeros. Another PyLayer makes of None, and of another dtype, what it wants.
        """
        entering: list[Any] = []
        for answer, edge, (shape, dtype) in zip(answers, self.edges, self.likes):
            if edge is not None and type(edge) is not AccumulateGrad:
                other_layer = isinstance(node_of(edge).plan, PyLayerBackward)
                if answer is None and other_layer:
                    entering.append(Nothing(shape, dtype))
                    continue
                if answer is None:
                    answer = Tensor(np.zeros(shape, dtype))
                elif answer.array.dtype is not dtype and not other_layer:
                    answer = _as_type(answer, dtype)
            entering.append(read_only(answer.array) if numbers and answer is not None else answer)
        return entering


def _as_type(tensor: Tensor, dtype: Any) -> Tensor:
    """Cast a gradient: as an operator while gradients are recorded, else only its numbers."""
    if isinstance(mode_now(), Arrays):
        return Tensor(np.asarray(tensor.array, dtype))
    result: Tensor = cast(tensor, dtype)
    return result


def _by_slot(flat: list[Any], slots: Slots) -> list[Any]:
    """Gather a flat list into one item per slot."""
    items, start = [], 0
    for slot in slots:
        items.append(flat[start] if slot is None else flat[start : start + slot])
        start += 1 if slot is None else slot
    return items


def _told(error: Exception, layer: str) -> OSError:
    """Wrap an error of the user's backward as Paddle does, with the line it came from."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if not is_engine_file(frame.filename)
    ]
    place = (
        f'\n  File "{frames[-1].filename}", line {frames[-1].lineno}\n    {frames[-1].line}' if frames else ""
    )
    hint = (
        "" if frames else "define it as backward(ctx, dy): after ctx it is given one gradient for each output"
    )
    return failure(OSError, f"{type(error).__name__}: {error}{place}\n  [raised in {layer}.backward]", hint)
