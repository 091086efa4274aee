"""The engine behind every random operator and initializer; ``paddle.seed`` restarts it."""

from __future__ import annotations

import secrets

from minipaddle.ops.random.engine import Engine, engine_of_operator, engine_of_process


def unforeseen() -> Engine:
    """Return an engine that nobody chose the seed of."""
    return engine_of_process(secrets.randbits(32))


_engine = unforeseen()


def engine(own: int | None = 0) -> Engine:
    """Return the engine in use now; for an operator with a seed of its `own`, a new one that begins there."""
    return engine_of_operator(own) if own else _engine


def seed(value: int) -> Engine:
    """Restart the engine, so that what is drawn from here on is the same in every run, and on real Paddle."""
    global _engine
    _engine = engine_of_process(value)
    return _engine


def switch(other: Engine) -> Engine:
    """Draw from `other` from here on; return the engine in use until now."""
    global _engine
    before, _engine = _engine, other
    return before
