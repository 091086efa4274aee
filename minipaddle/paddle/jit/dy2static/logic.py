"""``and``, ``or``, chains of comparisons and ``assert``, of Variables and of anything else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from minipaddle.ops.logic.compare import logical_and, logical_not, logical_or
from minipaddle.paddle.jit.dy2static.state import seen, truth
from minipaddle.paddle.static.control_flow.assertion import assert_true
from minipaddle.paddle.static.program import Variable


def all_of(*values: Callable[[], Any]) -> Any:
    """Return ``a and b and ...``: as Python does until a Variable comes, which needs all that follow."""
    return _joined(values, stops_at=False)


def any_of(*values: Callable[[], Any]) -> Any:
    """Return ``a or b or ...``: as Python does until a Variable comes, which needs all that follow."""
    return _joined(values, stops_at=True)


def _joined(values: tuple[Callable[[], Any], ...], stops_at: bool) -> Any:
    """Return values joined: the first that is `stops_at`, or the last; of Variables the truth."""
    join = logical_or if stops_at else logical_and
    so_far: Any = None
    for later in values:
        value = seen(later())
        if isinstance(so_far, Variable):
            if isinstance(value, Variable):
                so_far = join(truth(so_far), truth(value))
            elif bool(value) is stops_at:
                so_far = value
            continue
        so_far = value
        if not isinstance(value, Variable) and bool(value) is stops_at:
            return value
    return so_far


def opposite(value: Any) -> Any:
    """Return ``not value``."""
    value = seen(value)
    return logical_not(truth(value)) if isinstance(value, Variable) else not value


def chain(first: Any, *steps: Callable[..., Any]) -> Any:
    """Return ``first < a <= b``, each value computed once; `steps` are a comparison and what makes a value, in turn."""
    last = [first]

    def compared(sign: Callable[[Any, Any], Any], later: Callable[[], Any]) -> Any:
        left, last[0] = last[0], later()
        return sign(left, last[0])

    return all_of(*[partial(compared, *pair) for pair in zip(steps[::2], steps[1::2], strict=True)])


def check(condition: Any, message: Callable[[], Any] | None = None) -> None:
    """Do ``assert condition, message()``: now, or when the Program runs.

    Raises:
        AssertionError: if the condition is no Variable, and false.
    """
    condition = seen(condition)
    if isinstance(condition, Variable):
        said = None if message is None else message()
        assert_true(truth(condition), message="" if said is None or isinstance(said, Variable) else str(said))
    elif not condition:
        raise AssertionError(*([] if message is None else [message()]))
