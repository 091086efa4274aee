"""Gradients of a Program by what is fed, though ``static.data`` stops gradients: incubate.autograd passes that over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minipaddle.paddle.static.program import Variable


@contextmanager
def heard(inputs: Any) -> Iterator[None]:
    """Let gradients pass all that `inputs` lead to, as long as the ``with`` block lasts."""
    given: list[Variable] = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    reached = dict.fromkeys(given)
    for op in given[0].block.ops:
        if any(one in reached for one in op.reads()):
            reached.update((one, None) for one in op.writes() if one.meta.dtype.kind in "fc")
    stopped = [one for one in reached if one.stop_gradient]
    for one in stopped:
        one.stop_gradient = False
    try:
        yield
    finally:
        for one in stopped:
            one.stop_gradient = True
