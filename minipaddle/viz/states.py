"""How the gradient fares at a node, in words: "zero", "not reached" and "not differentiable" are three things."""

from __future__ import annotations

from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Value

__all__ = [
    "ADDED",
    "DETACHED",
    "LOOKED_ON",
    "NOT_DIFFERENTIABLE",
    "NOT_REACHED",
    "RETURNED",
    "STOPPED",
    "ZERO",
    "gradient_state",
    "leaf_state",
]

STOPPED = "no gradient (stop_gradient)"
NOT_REACHED = "gradient not reached"
NOT_RUN = "backward not run yet"
NOT_DIFFERENTIABLE = "not differentiable: no gradient passes"
DETACHED = "no gradient passes (detached or no_grad)"
ZERO = "gradient is zero"
RETURNED = "returned by paddle.grad"
"""Not stored in any ``.grad``."""
ADDED = "added to what was there"
LOOKED_ON = "looked on: unchanged"


def leaf_state(value: Value, wanted: bool, reached: bool) -> str:
    """Return the state of what the user made; "" if its gradient arrived and can be looked at."""
    if not wanted:
        return STOPPED if value.stop_gradient else ""
    return "" if reached else NOT_REACHED


def gradient_state(event: Event, inputs: list[Value], outputs: list[Value]) -> str:
    """Return the state of a forward operator whose gradient rule was not run."""
    if not any(not value.stop_gradient for value in inputs):
        return ""  # no input wants a gradient: nothing is lost here
    op = TABLE.get(event.op)
    if op is not None and not op.rules:
        return NOT_DIFFERENTIABLE
    return DETACHED if all(value.stop_gradient for value in outputs) else NOT_REACHED
