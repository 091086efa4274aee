"""paddle.incubate.framework: states of the random generator, as they are or by numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.ops.random.engine import GeneratorState
from minipaddle.paddle.framework.settings import get_rng_state as states
from minipaddle.paddle.framework.settings import set_rng_state as set_states

__all__ = ["get_rng_state", "register_rng_state_as_index", "set_rng_state"]
__getattr__ = missing(__name__, __all__)

_kept: list[GeneratorState | None] = [None]
"""The states by number, but for the one in use."""
_used = 0


def get_rng_state(device: Any = None, use_index: bool = False) -> list[Any]:
    """Return what decides the random numbers from here on; with `use_index`, its number.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/framework/get_rng_state_en.html)
    """
    return [_used] if use_index else [*states(device)]


def register_rng_state_as_index(
    state_list: Sequence[GeneratorState] | None = None, device: Any = None
) -> list[int]:
    """Give a state, that of now unless one is given, a new number; return the number."""
    _kept.append((states(device) if state_list is None else state_list)[0])
    return [len(_kept) - 1]


def set_rng_state(state_list: Sequence[Any], device: Any = None, use_index: bool = False) -> None:
    """Go on with the random numbers from a state, or with the state that has a number; that of now keeps its own.

    Raises:
        IndexError: no state has this number.
        ValueError: unless there is one state.
    """
    global _used
    if not use_index:
        set_states(state_list, device)
        return
    (number,) = state_list
    if not 0 <= number < len(_kept):
        raise IndexError(f"no state of the random generator has the number {number}: there are {len(_kept)}")
    _kept[_used] = states(device)[0]
    _used = number
    set_states([_kept[number] or states(device)[0]], device)
