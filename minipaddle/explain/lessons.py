"""The lesson of an operator (:mod:`minipaddle.core.lesson`), said of a recorded call."""

from __future__ import annotations

import inspect

from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.language import say


def about_rule(trace: Trace, forward: Event, coming: Value) -> list[str]:
    """Return what a teacher would add to the gradient `coming` that goes through `forward`."""
    op = TABLE[forward.op]
    if op.lesson is None:
        return []
    outputs = zip(op.output_names, map(trace.value, forward.outputs))
    inputs = zip(op.input_names, map(trace.value, forward.inputs))
    known = {**op.defaults, **forward.attrs, **dict(outputs), **dict(inputs)}
    _, *wanted = inspect.signature(op.lesson).parameters
    return [say(one.text, **one.parts) for one in op.lesson(coming, *[known[name] for name in wanted])]
