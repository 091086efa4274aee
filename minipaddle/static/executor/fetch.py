"""What a run returns: which Variables a ``fetch_list`` means, and in what form their values are handed out."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.static.host_tensor import HostTensor
from minipaddle.static.program import Block, Variable

Wish = Variable | str


def fetch_wishes(fetch_list: Any) -> tuple[Wish, ...]:
    """Return the Variables and names of a ``fetch_list``.

    Raises:
        TypeError: **fetch_list** holds something else.
    """
    if fetch_list is None:
        return ()
    wishes = [fetch_list] if isinstance(fetch_list, (Variable, str)) else fetch_list
    if not isinstance(wishes, (list, tuple)):
        raise TypeError(
            "The fetch_list of Executor.run must be a Variable, a name, or a list of them, but received "
            f"{type(fetch_list).__name__}."
        )
    found: list[Wish] = []
    for wish in wishes:
        if isinstance(wish, (Variable, str)):
            found.append(wish)
        elif not isinstance(wish, (list, tuple)):  # those are what `minimize` returned: no value to show
            raise TypeError(
                f"The members of fetch_list must be Variable or str, but received {type(wish).__name__}."
            )
    return tuple(found)


def wished(block: Block, wish: Wish) -> Variable:
    """Return the Variable of `block` that is wished for.

    Raises:
        RuntimeError: naming it, if the Block has none of that name.
    """
    name = wish if isinstance(wish, str) else wish.name
    if name not in block.vars:
        raise RuntimeError(
            f"(NotFound) Cannot fetch {name!r}: there is no such variable in the global block of this Program."
        )
    return block.vars[name]


def fetched(value: Any, return_numpy: bool) -> Any:
    """Return a value as the user gets it: a copy, which shares memory with nothing."""
    array: Array = np.array(value)
    return array if return_numpy else HostTensor(array)
