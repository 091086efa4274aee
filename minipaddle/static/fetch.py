"""What a run returns: which Variables a ``fetch_list`` means, and in what form their values are handed out."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.static.block import Block
from minipaddle.static.host_tensor import HostTensor
from minipaddle.static.variable import Variable

__all__ = ["fetch_variables", "fetched"]


def fetch_variables(block: Block, fetch_list: Any) -> list[Variable]:
    """Return the Variables of `block` that a ``fetch_list`` means.

    Raises:
        TypeError: **fetch_list** holds something else than Variables and names.
        RuntimeError: naming what is not in the Block.
    """
    if fetch_list is None:
        return []
    wishes = [fetch_list] if isinstance(fetch_list, (Variable, str)) else fetch_list
    if not isinstance(wishes, (list, tuple)):
        raise TypeError(
            "The fetch_list of Executor.run must be a Variable, a name, or a list of them, but received "
            f"{type(fetch_list).__name__}."
        )
    found = []
    for wish in wishes:
        if isinstance(
            wish, (list, tuple)
        ):  # what `minimize` returned: pairs and ops that hold no value to show
            continue
        if not isinstance(wish, (Variable, str)):
            raise TypeError(
                f"The members of fetch_list must be Variable or str, but received {type(wish).__name__}."
            )
        name = wish if isinstance(wish, str) else wish.name
        if name not in block.vars:
            raise RuntimeError(
                f"(NotFound) Cannot fetch {name!r}: there is no such variable in the global block of this Program."
            )
        found.append(block.vars[name])
    return found


def fetched(value: Any, return_numpy: bool) -> Any:
    """Return a value as the user gets it: a copy, which shares memory with nothing."""
    array: Array = np.array(value)
    return array if return_numpy else HostTensor(array)
