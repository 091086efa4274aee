"""``if``, ``a if c else b`` and ``while``: plain Python for Python values, Blocks of a Program for a Variable.

A ``for`` stays: Python counts its iterations during tracing. The variables that a ``while`` carries are found
by trial: if the body turns a number into another one or into a Variable, the appended loop is removed, and
appended again with a Variable in place of that number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Meta
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import full
from minipaddle.ops.logic.compare import logical_not
from minipaddle.paddle.jit.dy2static.state import MISSING, Missing, State, identical, seen, truth
from minipaddle.paddle.jit.rewriting.source import TOOLS
from minipaddle.paddle.static.control_flow.cond import branch, selected
from minipaddle.paddle.static.control_flow.while_loop import while_loop
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.pytree import flat, rebuilt

Block = Callable[..., Any]
NUMBERS = (bool, int, float)

# -- if ---------------------------------------------------------------------------------------------------------------


def if_else(pred: Any, true_fn: Block, false_fn: Block, *names: str) -> Any:
    """Run the branch selected by `pred`, and return its result; for a Variable, append both.

    What they return, and the values of the `names` after them, is selected when the Program runs.
    """
    pred = seen(pred)
    if not isinstance(pred, Variable):
        return (true_fn if pred else false_fn)()
    choice, state = truth(pred), State((true_fn, false_fn), names)
    before = state.read()

    def outcome(block: Block) -> list[Any]:
        state.write(before)
        return state.outcome(block)

    with default_main_program().undone_on_error():
        yes = branch(choice, lambda: outcome(true_fn))
        no = branch(logical_not(choice), lambda: outcome(false_fn))
        mask = cache(lambda: cast(choice, "int32"))
        value, *after = map(partial(_value, mask), yes, no, ["the value", *state.names])
    state.write(after)
    if isinstance(value, Missing):
        value.refuse()
    return value


def _value(mask: Callable[[], Any], yes: Any, no: Any, name: str) -> Any:
    """Return the value of a name after an ``if``: `mask` tells which branch runs."""
    for one in (yes, no):
        if isinstance(one, Missing) and (one.why or yes is no):
            return one
    is_returned = name.startswith(f"{TOOLS}_result")
    if is_returned and (yes is MISSING or no is MISSING):
        # a function's result is not used if the other branch ran
        given = no if yes is MISSING else yes
        filler = rebuilt(given, lambda leaf: constant(leaf.meta) if isinstance(leaf, Variable) else leaf)
        yes, no = (filler, no) if yes is MISSING else (yes, filler)
    found = paired(yes, no, lambda *pair: _leaf(mask, *pair))
    if found is not MISSING:
        return found
    what = "The function returns" if is_returned else f"{name if ' ' in name else repr(name)} is"
    return Missing(
        f"{what} {told(yes)} if the condition is true, but {told(no)} if it is false: a Program cannot "
        "choose between these when it runs."
    )


def _leaf(mask: Callable[[], Any], yes: Any, no: Any) -> Any:
    """Return one of two values, chosen when the Program runs; `MISSING` if they are incompatible."""
    variables = [one for one in (yes, no) if isinstance(one, Variable)]
    if not variables and same(yes, no):
        return yes
    if not all(isinstance(one, (Variable, *NUMBERS)) for one in (yes, no)):
        return MISSING
    if not variables and float in (type(yes), type(no)):
        yes, no = float(yes), float(no)
    return MISSING if np.ndim(yes) != np.ndim(no) else selected(mask(), yes, no)


# -- while ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Start:
    """What a loop carries: the value before it, a Variable, a number or `MISSING`, and the kind of its own Variable."""

    value: Any
    meta: Meta
    stop_gradient: bool = True

    def begun(self) -> Variable:
        """Return a new Variable for the loop to write."""
        is_variable = isinstance(self.value, Variable)
        made: Variable = assign_op(self.value) if is_variable else constant(self.meta, self.value)
        made.stop_gradient = made.stop_gradient and self.stop_gradient
        return made


class TakenBack(Exception):
    """Raised to remove an appended loop, so that it is appended again with other values before it."""


def repeat(test: Block, body: Block, *names: str) -> None:
    """Run `body` while `test` returns true; once it returns a Variable, append a while."""

    def again() -> bool:
        with default_main_program().undone_on_error():  # the while will append it
            answer = seen(test())
            if isinstance(answer, Variable):
                raise TakenBack
        return bool(answer)

    try:
        while again():
            body()
    except TakenBack:
        _append(test, body, State((test, body), names))


def _append(test: Block, body: Block, state: State) -> None:
    """Append a while, and assign its results to the variables."""
    user = state.read()
    values = rebuilt(user, seen)
    values = rebuilt(values, lambda leaf: Start(leaf, leaf.meta) if isinstance(leaf, Variable) else leaf)
    while True:
        try:
            with default_main_program().undone_on_error():
                behind = _written(test, body, state, values)
            return state.write(behind)
        except TakenBack as wider:
            (values,) = wider.args
            state.write(user)


def _written(test: Block, body: Block, state: State, values: list[Any]) -> list[Any]:
    """Append the while that begins with these values; return its results.

    Raises:
        TakenBack: with wider values, if the body changes a value that is no Variable.
    """
    behind = list[Any]()

    def enter(given: Any) -> None:
        state.write(filled(values, given, Start))

    def condition(*given: Any) -> Any:
        enter(given)
        again = seen(test())
        return truth(again) if isinstance(again, Variable) else full([], bool(again), "bool")

    def back(old: Any, leaf: Any) -> Any:
        return constant(old.meta, leaf) if isinstance(old, Start) and not isinstance(leaf, Variable) else leaf

    def turn(*given: Any) -> list[Any]:
        enter(given)
        behind[:] = state.outcome(body)[1:]
        wider = list(map(_wider, values, behind, state.names))
        if not identical(wider, values):
            raise TakenBack(wider)
        left = [paired(value, other, back) for value, other in zip(values, behind, strict=True)]
        found = [leaf for leaf in flat(left) if isinstance(leaf, Variable)]
        return found or list(given)

    carried = [leaf.begun() for leaf in flat(values) if isinstance(leaf, Start)]
    after = filled(values, while_loop(condition, turn, carried or [full([], 0, "int64")]), Start)
    return [other if isinstance(one, Missing) else one for one, other in zip(after, behind, strict=True)]


def _wider(before: Any, after: Any, name: str) -> Any:
    """Return a value before the loop such that it may become `after` in its body: `before` itself if it may."""
    for one in (before, after):
        if isinstance(one, Missing) and one.why:
            return one
    is_carried = bool(flat(after)) and all(isinstance(leaf, (Variable, *NUMBERS)) for leaf in flat(after))
    if after is before or (before is MISSING and not is_carried):
        return before
    if is_carried and (before is MISSING or before is None):
        return rebuilt(after, lambda leaf: Start(MISSING, meta_of(leaf)))
    found = paired(before, after, _carried)
    if found is not MISSING:
        return found
    return Missing(
        f"{name!r} is {told(before)} before a turn of the loop, but {told(after)} after it: a loop whose turns "
        "only a run can count keeps the kind of its variables."
    )


def _carried(before: Any, after: Any) -> Any:
    """Return the value to carry for a leaf; `MISSING` if impossible."""
    is_variable = isinstance(after, Variable)
    if not is_variable and same(before, after):
        return before
    if not (is_variable or isinstance(after, NUMBERS)) or not isinstance(before, (Start, *NUMBERS)):
        return MISSING
    if not isinstance(before, Start):
        return Start(before, meta_of(after, float in (type(before), type(after))))
    old, stops = before.meta, before.stop_gradient and (not is_variable or after.stop_gradient)
    new = after.meta if is_variable and not isinstance(before.value, Variable) else old
    kept = (old.dtype, len(old.shape), before.stop_gradient) == (new.dtype, len(new.shape), stops)
    return before if kept else Start(before.value, new, stops)


# -- values -----------------------------------------------------------------------------------------------------------


def meta_of(leaf: Any, is_float: bool = False) -> Meta:
    """Return the kind of Variable that a Variable or a number needs."""
    if isinstance(leaf, Variable):
        return leaf.meta
    kind = "float64" if is_float or isinstance(leaf, float) else "bool" if isinstance(leaf, bool) else "int64"
    return Meta((), np.dtype(kind))


def constant(meta: Meta, value: Any = MISSING) -> Variable:
    """Return a number as a Variable; for `MISSING` a placeholder, NaN or zero."""
    if value is MISSING:
        value = np.nan if meta.dtype.kind == "f" else 0
    made: Variable = full([1 if size < 0 else size for size in meta.shape], value, meta.dtype)
    return made


def same(one: Any, other: Any) -> bool:
    """Whether two values that are not Variables are the same constant."""
    are_constants = type(one) is type(other) and isinstance(one, (*NUMBERS, str, bytes))
    return one is other or (are_constants and repr(one) == repr(other))


def paired(one: Any, other: Any, leaf: Callable[[Any, Any], Any]) -> Any:
    """Return a nest of `leaf(a, b)` over two nests; `MISSING` if they differ, or if one result is `MISSING`."""
    structures = [rebuilt(nest, lambda leaf: None) for nest in (one, other)]
    if isinstance(one, Missing) or isinstance(other, Missing) or structures[0] != structures[1]:
        return MISSING
    leaves = [leaf(*pair) for pair in zip(flat(one), flat(other), strict=True)]
    return MISSING if any(found is MISSING for found in leaves) else filled(one, leaves)


def filled(nest: Any, leaves: Iterable[Any], kinds: Any = object) -> Any:
    """Return a nest with the leaves of some kinds replaced."""
    answers = iter(leaves)
    return rebuilt(nest, lambda leaf: next(answers) if isinstance(leaf, kinds) else leaf)


def told(value: Any) -> str:
    """Return a short description of a value."""
    if isinstance(value, Missing) or value is None:
        return "nothing"
    if isinstance(value, (Variable, Start)):
        return f"a Tensor of {value.meta.dtype} {list(value.meta.shape)}"
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r:.40}" if isinstance(value, (*NUMBERS, str)) else f"a {type(value).__name__}"
