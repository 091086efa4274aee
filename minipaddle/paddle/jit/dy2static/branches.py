"""``if`` and ``a if c else b``: plain Python for what Python can tell, two Blocks of which one runs for a Variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.ops.creation.cast import cast
from minipaddle.ops.logic.logical import logical_not
from minipaddle.paddle.jit.dy2static.state import MISSING, State
from minipaddle.paddle.jit.dy2static.undefined_value import Unusable
from minipaddle.paddle.jit.dy2static.values import (
    NUMBERS,
    alike,
    all_seen,
    as_variable,
    filled,
    filler,
    put_back,
    renewed,
    same,
    seen,
    told,
    truth,
)
from minipaddle.paddle.jit.dy2static.writes import noticed, with_writes
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
    """Run one of two functions that change a state; for a Variable, append both."""
    pred = seen(pred)
    if not isinstance(pred, Variable):
        (true_fn if pred else false_fn)()
        return
    choice = truth(pred)

    def append() -> list[Any]:
        before, bound = state.read(), [True] * len(state.names)

        def outcome(block: Block) -> Block:
            def run() -> list[Any]:
                state.write(renewed(before))
                with noticed(state):
                    block()
                    after = state.read()
                    bound[:] = [
                        yes and one is old for yes, one, old in zip(bound, after, before, strict=True)
                    ]
                    return all_seen(after)

            return run

        found = chosen(choice, outcome(true_fn), outcome(false_fn), state.names, state.returned)
        # a variable that holds what it held: if that was written into, its content is among the values, too
        kept = [old if yes else new for yes, old, new in zip(bound, before, found, strict=True)]
        return put_back(before, kept)

    state.write(with_writes(state, append))


def if_exp(pred: Any, true_fn: Block, false_fn: Block) -> Any:
    """Return ``true_fn() if pred else false_fn()``."""
    pred = seen(pred)
    if not isinstance(pred, Variable):
        return true_fn() if pred else false_fn()
    (value,) = chosen(
        truth(pred), lambda: all_seen([true_fn()]), lambda: all_seen([false_fn()]), ["the value"]
    )
    if isinstance(value, Unusable):
        value.refuse()
    return value


def chosen(pred: Variable, yes: Block, no: Block, names: list[str], returned: str = "") -> list[Any]:
    """Append two Blocks that each return a list of values; return the list of what the one that runs returns."""
    with default_main_program().undone_on_error():
        one, other = branch(pred, yes), branch(logical_not(pred), no)
        return Merge(pred, returned).values(one, other, names)


class Merge:
    """Chooses between values of two branches."""

    def __init__(self, pred: Variable, returned: str) -> None:
        self.pred, self.returned = pred, returned
        self._mask: Any = None

    def values(self, yes: list[Any], no: list[Any], names: list[str]) -> list[Any]:
        """Return the value of each name."""
        return [self._value(*three) for three in zip(yes, no, names, strict=True)]

    def _value(self, yes: Any, no: Any, name: str) -> Any:
        if yes is MISSING and no is MISSING:
            return MISSING
        if yes is MISSING or no is MISSING:
            return self._one_sided(yes, no, name)
        if isinstance(yes, Unusable) or isinstance(no, Unusable):
            return yes if isinstance(yes, Unusable) else no
        if not alike(yes, no):
            return self._unusable(yes, no, name)
        leaves = [self._leaf(*pair) for pair in zip(flat(yes), flat(no), strict=True)]
        if any(leaf is MISSING for leaf in leaves):
            return self._unusable(yes, no, name)
        return filled(yes, leaves, True)

    def _one_sided(self, yes: Any, no: Any, name: str) -> Any:
        """Return a value that only one branch gives: what a function returns is not looked at if the other ran."""
        if name != self.returned:
            return self._unusable(yes, no, name)
        given = no if yes is MISSING else yes
        leaves = [
            leaf
            if not isinstance(leaf, Variable)
            else self._leaf(filler(leaf.meta), leaf)
            if yes is MISSING
            else self._leaf(leaf, filler(leaf.meta))
            for leaf in flat(given)
        ]
        return filled(given, leaves, True)

    def _leaf(self, yes: Any, no: Any) -> Any:
        """Return one of two values, chosen when the Program runs; `MISSING` if they do not go together."""
        if not isinstance(yes, Variable) and not isinstance(no, Variable) and same(yes, no):
            return yes
        if not all(isinstance(one, (Variable, *NUMBERS)) for one in (yes, no)):
            return MISSING
        like = next((one for one in (yes, no) if isinstance(one, Variable)), None)
        if like is None and float in (type(yes), type(no)):
            yes, no = float(yes), float(no)
        one, other = as_variable(yes, like), as_variable(no, like)
        if one.ndim != other.ndim:
            return MISSING
        if self._mask is None:
            self._mask = cast(self.pred, "int32")
        return selected(self._mask, one, other)

    def _unusable(self, yes: Any, no: Any, name: str) -> Unusable:
        what = "The function" if name == self.returned else f"{name!r}" if " " not in name else name
        verb = "returns" if name == self.returned else "is"
        return Unusable(
            name,
            f"{what} {verb} {told(yes)} if the condition is true, but {told(no)} if it is false: a Program cannot "
            "choose between these when it runs.",
        )
