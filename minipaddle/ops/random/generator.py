"""The engine behind every random operator and initializer; ``paddle.seed`` restarts it."""

from __future__ import annotations

import secrets

from minipaddle.ops.random.mersenne_twister import (
    Engine,
    GeneratorState,
    engine_of_operator,
    engine_of_process,
)


def unforeseen() -> Engine:
    """Return an engine with an arbitrary seed; as in Paddle it is large, of 53 bits."""
    return engine_of_process(secrets.randbits(53))


_engine = unforeseen()


def engine(own: int | None = 0) -> Engine:
    """Return the engine in use now; for an operator with a seed of its `own`, a new one with that seed."""
    return engine_of_operator(own) if own else _engine


def switch(other: Engine) -> Engine:
    """Use the engine `other` from now on; return the previous engine."""
    global _engine
    before, _engine = _engine, other
    return before


class Generator:
    """The generator of all random numbers: a singleton."""

    def __init__(self, device: object = None) -> None:
        if str(device) not in ("None", "cpu", "Place(cpu)"):
            raise ValueError(
                f"The device should be 'cpu', but received {device!r}: there is no other generator."
            )

    def manual_seed(self, seed: int) -> Generator:
        """Restart the stream: later draws are the same in every run, and on real Paddle."""
        if int(seed) < 0:
            raise TypeError(f"seed(): the seed must be an integer from 0, but received {seed}.")
        switch(engine_of_process(int(seed)))
        return self

    def get_state(self) -> GeneratorState:
        """Return the state that determines later draws."""
        return engine().state

    def set_state(self, state: GeneratorState) -> None:
        """Continue from the state of an earlier :meth:`get_state`."""
        engine().state = state


def seed(value: int) -> Generator:
    """Restart the stream of the process; return its generator."""
    return Generator().manual_seed(value)
