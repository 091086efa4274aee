"""The random generator, asked for by device: there is one, that of the CPU, and every device answers with it."""

from __future__ import annotations

from minipaddle.ops.random.engine import GeneratorState
from minipaddle.ops.random.generator import Generator


def get_rng_state(device: object = None) -> GeneratorState:
    """Return what decides the random numbers from here on; `device` is accepted."""
    return Generator().get_state()


def set_rng_state(new_state: GeneratorState, device: object = None) -> None:
    """Go on with the random numbers from where :func:`get_rng_state` was called.

    Raises:
        TypeError: for anything else than such a state.
    """
    if not isinstance(new_state, GeneratorState):
        raise TypeError(f"set_state(): expected a GeneratorState, but received {type(new_state).__name__}")
    Generator().set_state(new_state)


def manual_seed(seed: int) -> None:
    """Make every random number from here on the same in every run."""
    Generator().manual_seed(seed)


def manual_seed_all(seed: int) -> None:
    """Do what :func:`manual_seed` does: there is one device."""
    manual_seed(seed)
