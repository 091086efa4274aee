"""Checks of the results of a PyLayer's methods: a forward returns outputs, a backward one gradient for each input.

The messages are Paddle's.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any

from minipaddle.engine.custom.context import PyLayerContext
from minipaddle.engine.errors import failure, invalid, is_engine_file
from minipaddle.engine.tape.memory import note_write
from minipaddle.engine.tape.node import AccumulateGrad
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Shape

SEVERAL = (list, tuple)


def check_outputs(call: Any, ctx: PyLayerContext, outputs: Sequence[Tensor]) -> None:
    """Insist on an output; take those over the memory of an input as written in place, unless they are marked.

    Raises:
        ValueError: **At least one output**, or **Leaf Var ... inplace strategy**.
    """
    if not outputs:
        raise invalid(
            f"At least one output of `PyLayer.forward` is a `Tensor`, but {call.name}.forward returned none.",
            "return a Tensor, or a tuple or list with one: paddle.to_tensor(array) makes one",
        )
    apart, idle = ([id(one) for one in marked] for marked in (ctx._not_inplace, ctx._non_differentiable))
    memory = {id(one.array): one for one in reversed(call.inputs)}
    written = [out for out in outputs if id(out.array) in memory and id(out) not in apart]
    for out in written:
        one = memory[id(out.array)]
        if id(out) not in idle and (one is not out or one.edge is None or type(one.edge) is AccumulateGrad):
            raise invalid(
                f"Leaf Var ({one.name}) that doesn't stop gradient can't use inplace strategy.",
                f"call ctx.mark_not_inplace(...) in {call.name}.forward, or return a clone()",
            )
    for out in {id(out.array): out for out in written}.values():  # when all were accepted
        note_write(out.array)


def sorted_answers(call: Any, answer: Any) -> list[Any]:
    """Return the result of backward of a PyLayer's `call` as one gradient (or None) per Tensor input.

    Raises:
        ValueError: if there are too many or too few, or one is of the wrong kind.
    """
    slots = call.slots
    alone = isinstance(answer, list) and len(slots) == 1 and slots[0] is not None  # the list is one gradient
    answers = answer if isinstance(answer, SEVERAL) and not alone else (answer,)
    if len(answers) > len(slots):
        raise invalid(
            f"The number of outputs of `PyLayer.backward` should be {len(slots)}, but received {len(answers)}.",
            f"{call.name}.backward returns one gradient for each Tensor that forward received",
        )
    flat: list[Any] = []
    for position, slot in enumerate(slots):
        places, lacks, wrong = range(len(flat), len(flat) + (slot or 1)), position >= len(answers), ""
        given = None if lacks else answers[position]
        items = given if isinstance(given, SEVERAL) else (given,)
        wanted = any(call.edges[places.start : places.stop])
        if wanted and lacks:
            wrong = "not return empty at {} position, because its input requires gradient"
        elif not wanted and any(one is not None for one in items):
            wrong = "return None at {} position, because its input stops gradient"
        elif wanted and slot is not None and (items is not given or len(items) != slot):
            wrong = f"return a list or tuple of {slot} gradients at {{}} position, because forward received a list "
            wrong += f"there, but got {type(given).__name__}"
        if wrong:
            raise invalid(
                f"{call.name}.backward should {wrong.format(position)}.",
                f"it returns one gradient for each Tensor that forward received: {len(slots)}, in their order",
            )
        for place, item in zip(places, (given,) if slot is None else items if wanted else (None,) * slot):
            shape = call.likes[place][0]
            flat.append(None if call.edges[place] is None else _fitting(call, position, shape, item))
    return flat


def _fitting(call: Any, position: int, shape: Shape, answer: Any) -> Tensor | None:
    """Return one gradient, checked against its input."""
    if answer is not None and not isinstance(answer, Tensor):
        raise invalid(
            f"We can only support Tensor or None for backward output, but got {type(answer).__name__} at {position} "
            f"position of {call.name}.backward.",
            "paddle.to_tensor(array) makes a Tensor" if type(answer).__name__ == "ndarray" else "",
        )
    if answer is not None and answer.array.shape != shape:
        raise invalid(
            f"{call.name}.backward returned a gradient of shape {list(answer.shape)} at {position} position, but its "
            f"input has shape {list(shape)}.",
            "sum over the axes that forward broadcast",
        )
    return answer


def told(call: Any, error: Exception) -> OSError:
    """Return the error that Paddle raises for `error` in the user's backward, with its line."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not is_engine_file(frame.filename)][-1:]
    place = "".join(f'\n  File "{one.filename}", line {one.lineno}\n    {one.line}' for one in own)
    hint = "" if own else "define it as backward(ctx, dy): after ctx it is given one gradient for each output"
    return failure(
        OSError, f"{type(error).__name__}: {error}{place}\n  [raised in {call.name}.backward]", hint
    )
