"""What a run returns: which Variables a ``fetch_list`` means."""

from __future__ import annotations

from typing import Any, NamedTuple

from minipaddle.paddle.static.program import Block, Operator, Role, Variable

FetchTarget = Variable | str


class Wanted(NamedTuple):
    """What a ``fetch_list`` asks for."""

    targets: tuple[FetchTarget, ...]
    """Values to return."""
    updates: tuple[Operator, ...] = ()
    """Operators of an optimizer, as ``minimize`` returns them: these train, others do not, and nothing else is run."""


def wanted_from(fetch_list: Any) -> Wanted:
    """Return what a ``fetch_list`` asks for; lists in it, such as ``static.gradients`` returns, are flattened.

    Raises:
        AssertionError: **fetch_list** is no Variable, name, list or tuple.
        TypeError: **fetch_list** holds something else.
    """
    if fetch_list is None or isinstance(fetch_list, (Variable, str)):
        return Wanted(() if fetch_list is None else (fetch_list,))
    assert isinstance(fetch_list, (list, tuple)), (
        f"The fetch_list of Executor.run must be a list or tuple, but received {type(fetch_list).__name__}."
    )
    for one in fetch_list:
        if not isinstance(one, (Variable, str)):
            break
    else:  # nearly always
        return Wanted(tuple(fetch_list))
    found = [one for item in fetch_list for one in _flattened(item)]
    targets = tuple([one for one in found if not isinstance(one, Operator)])
    return Wanted(targets, tuple([one for one in found if isinstance(one, Operator)]))


def _flattened(item: Any) -> list[Any]:
    """Return the Variables, names and update Operators that an entry stands for."""
    if isinstance(item, tuple) and item and isinstance(item[0], (list, tuple)):
        item = item[0]  # what minimize returned: Operators, and pairs of parameter and gradient
    nested = isinstance(item, (list, tuple))
    for one in item if nested else [item]:
        updates = nested and isinstance(one, Operator) and bool(one.role & Role.OPTIMIZE)
        if not updates and not isinstance(one, (Variable, str)):
            raise TypeError(
                "The items of the fetch_list of Executor.run must be Variables, names, lists of them, or what minimize "
                f"returned, but one is {type(one).__name__}."
            )
    return list(item) if nested else [item]


def target_in(block: Block, target: FetchTarget) -> Variable:
    """Return the Variable of `block` that `target` means.

    Raises:
        RuntimeError: naming it, if the Block has none of that name.
    """
    name = target if isinstance(target, str) else target.name
    if name not in block.vars:
        raise RuntimeError(
            f"(NotFound) Cannot fetch {name!r}: there is no such variable in the global block of this Program."
        )
    return block.vars[name]
