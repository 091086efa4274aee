"""What a run returns: which Variables a ``fetch_list`` means."""

from __future__ import annotations

from typing import Any

from minipaddle.static.program import Block, Variable

FetchTarget = Variable | str


def fetch_targets(fetch_list: Any) -> tuple[FetchTarget, ...]:
    """Return the Variables and names of a ``fetch_list``; the lists that ``minimize`` returned have no value to show.

    Raises:
        TypeError: **fetch_list** holds something else.
    """
    listed = (
        fetch_list if isinstance(fetch_list, (list, tuple)) else [] if fetch_list is None else [fetch_list]
    )
    for one in listed:
        if not isinstance(one, (Variable, str, list, tuple)):
            raise TypeError(
                "The fetch_list of Executor.run must be a Variable, a name, or a list of them, but received "
                f"{type(one).__name__}."
            )
    return tuple([one for one in listed if isinstance(one, (Variable, str))])


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
