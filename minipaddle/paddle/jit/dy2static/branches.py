"""``if`` and ``a if c else b``: plain Python for what Python can tell, two Blocks of which one runs for a Variable."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from minipaddle.ops.creation.cast import cast
from minipaddle.ops.logic.compare import logical_not
from minipaddle.paddle.jit.dy2static.state import (
    MISSING,
    NUMBERS,
    State,
    Unusable,
    alike,
    all_seen,
    as_variable,
    constant,
    filled,
    same,
    seen,
    told,
    truth,
)
from minipaddle.paddle.static.control_flow.cond import branch, selected
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.pytree import flat

Block = Callable[[], Any]


def if_else(pred: Any, true_fn: Block, false_fn: Block, *names: str, returned: str = "") -> None:
    """Run the branch that `pred` asks for; for a Variable, append both, and choose the values of the `names`.

    `returned` is that of them which holds what the user's function returns.
    """
    choose(pred, true_fn, false_fn, State((true_fn, false_fn), names, returned))


def choose(pred: Any, true_fn: Block, false_fn: Block, state: State) -> None:
    """Run the branch that `pred` chooses; for a Variable, append both."""
    pred = seen(pred)
    if not isinstance(pred, Variable):
        (true_fn if pred else false_fn)()
        return
    choice = truth(pred)
    before = state.read()

    def outcome(block: Block) -> list[Any]:
        state.write(before)
        return state.outcome(block)

    state.write(
        _chosen(choice, lambda: outcome(true_fn), lambda: outcome(false_fn), state.names, state.returned)
    )


def if_exp(pred: Any, true_fn: Block, false_fn: Block) -> Any:
    """Return ``true_fn() if pred else false_fn()``."""
    pred = seen(pred)
    if not isinstance(pred, Variable):
        return true_fn() if pred else false_fn()
    outcomes = lambda: all_seen([true_fn()]), lambda: all_seen([false_fn()])
    (value,) = _chosen(truth(pred), *outcomes, ["the value"])
    if isinstance(value, Unusable):
        value.refuse()
    return value


def _chosen(
    pred: Variable, true_fn: Block, false_fn: Block, names: list[str], returned: str = ""
) -> list[Any]:
    """Append two Blocks that each return a list of values; return the list of what the one that runs returns."""
    with default_main_program().undone_on_error():
        yes, no = branch(pred, true_fn), branch(logical_not(pred), false_fn)
        mask = cache(lambda: cast(pred, "int32"))
        return [_value(mask, *three, returned) for three in zip(yes, no, names, strict=True)]


def _value(mask: Callable[[], Any], yes: Any, no: Any, name: str, returned: str) -> Any:
    """Return the value of a name: that of the branch that runs, which `mask` tells."""
    if yes is MISSING and no is MISSING:
        return MISSING
    if (yes is MISSING or no is MISSING) and name == returned:
        # what a function returns is not looked at if the other branch ran
        given = no if yes is MISSING else yes
        fillers = [constant(one.meta) if isinstance(one, Variable) else one for one in flat(given)]
        stands = filled(given, fillers)
        yes, no = (stands, no) if yes is MISSING else (yes, stands)
    for one in (yes, no):
        if isinstance(one, Unusable):
            return one
    if yes is not MISSING and no is not MISSING and alike(yes, no):
        leaves = [_leaf(mask, *pair) for pair in zip(flat(yes), flat(no), strict=True)]
        if not any(leaf is MISSING for leaf in leaves):
            return filled(yes, leaves)
    what = "The function" if name == returned else f"{name!r}" if " " not in name else name
    verb = "returns" if name == returned else "is"
    return Unusable(
        name,
        f"{what} {verb} {told(yes)} if the condition is true, but {told(no)} if it is false: a Program cannot "
        "choose between these when it runs.",
    )


def _leaf(mask: Callable[[], Any], yes: Any, no: Any) -> Any:
    """Return one of two values, chosen when the Program runs; `MISSING` if they do not go together."""
    if not isinstance(yes, Variable) and not isinstance(no, Variable) and same(yes, no):
        return yes
    if not all(isinstance(one, (Variable, *NUMBERS)) for one in (yes, no)):
        return MISSING
    like = next((one for one in (yes, no) if isinstance(one, Variable)), None)
    if like is None and float in (type(yes), type(no)):
        yes, no = float(yes), float(no)
    one, other = as_variable(yes, like), as_variable(no, like)
    return MISSING if one.ndim != other.ndim else selected(mask(), one, other)
