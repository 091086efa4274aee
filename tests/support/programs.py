"""Random Programs that train, whose numbers are all equal: nothing can be told apart by what it holds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.tools.record import Recorder, Trace

__all__ = ["NAMES", "Trained", "recipes", "recorded", "run_from", "trained"]

S = paddle.static
EQUAL = 0.5
NAMES = ("w0", "w1", "w2")
"""Parameters: all of one shape, and of the same numbers."""

_PLACE = st.integers(0, 9)
_STEP = st.one_of(
    st.tuples(st.sampled_from(("add", "multiply", "own", "selected")), _PLACE, _PLACE),
    st.tuples(st.sampled_from(("tanh", "scale", "twice", "split")), _PLACE),
)


def recipes(depth: int = 2) -> Any:
    """Steps that compute a value from earlier ones, with branches and loops, also of no iteration, in each other."""
    steps = [_STEP]
    if depth:
        inner = recipes(depth - 1)
        steps.append(st.tuples(st.just("cond"), st.booleans(), inner, inner))
        steps.append(st.tuples(st.just("loop"), st.integers(0, 2), _PLACE, inner))
    return st.lists(st.one_of(steps), min_size=1, max_size=4)


def cook(recipe: Any, given: list[Any]) -> list[Any]:
    """Follow a recipe; return all values."""
    pool = list(given)
    for kind, *arguments in recipe:
        if kind == "cond":
            pool.append(_choice(pool, *arguments))
        elif kind == "loop":
            pool += _loop(pool, *arguments)
        else:
            pool.append(_one(kind, *(pool[place % len(pool)] for place in arguments)))
    return pool


def _choice(pool: list[Any], taken: bool, yes: Any, no: Any) -> Any:
    """``cond`` on the first value."""
    decides = paddle.sum(pool[0]) > (-1e9 if taken else 1e9)
    return S.nn.cond(decides, lambda: cook(yes, pool)[-1], lambda: cook(no, pool)[-1])


def _one(kind: str, x: Any, y: Any = None) -> Any:
    match kind:
        case "add":
            return x + y
        case "multiply":
            return x * y
        case "own":
            return S.nn.static_pylayer(lambda a, b: a * b, [x, y], lambda dy: (dy * y * 2.0, dy * x))
        case "selected":
            return paddle.where(x > y, x, y)
        case "tanh":
            return paddle.tanh(x)
        case "scale":
            return x * 0.5
        case "twice":
            return x + x
    first, second = paddle.split(paddle.concat([x, x]), 2)
    return first * second


def _loop(pool: list[Any], times: int, place: int, body: Any) -> list[Any]:
    """``while_loop`` over a value that it writes over, which may be what was fed."""
    start = pool[place % len(pool)]
    start = start * 1.0 if isinstance(start, S.program.Parameter) else start
    count = paddle.full([1], times, "int64")

    def turn(i: Any, a: Any) -> list[Any]:
        return [i + 1, paddle.tanh(cook(body, [*pool, a])[-1] * a)]

    return [S.nn.while_loop(lambda i, a: i < count, turn, [paddle.zeros([1], "int64"), start])[1]]


class Trained(NamedTuple):
    """A Program, its startup Program, and what a run fetches."""

    main: Any
    startup: Any
    loss: Any


def trained(recipe: Any) -> Trained:
    """Build a Program of a recipe, with two optimizers."""
    main, startup = S.Program(), S.Program()
    with within(EAGER):
        paddle.enable_static()
        with S.program_guard(main, startup), paddle.utils.unique_name.guard():
            x = S.data("x", [2], "float64")
            x.stop_gradient = False
            start = paddle.nn.initializer.Constant(EQUAL)
            parameters = [
                S.create_parameter([2], "float64", name=name, default_initializer=start) for name in NAMES
            ]
            pool = cook(recipe, [x, *parameters])
            loss = paddle.mean(sum((one * 0.1 for one in (*parameters, x)), pool[-1] * pool[-1]))
            clip = paddle.nn.ClipGradByGlobalNorm(1.0)
            first = paddle.optimizer.Momentum(
                0.1, parameters=parameters[:2], weight_decay=0.1, grad_clip=clip
            )
            first.minimize(loss)
            paddle.optimizer.SGD(0.1, parameters=parameters[2:]).minimize(loss)
        paddle.disable_static()
    return Trained(main, startup, loss)


def run_from(
    built: Trained, runs: int, changed: dict[str, Any] | None = None, fed: float = EQUAL
) -> dict[str, Any]:
    """Run a Program, some Variables of its Scope changed before; return the losses and what the Scope holds then."""
    scope = S.Scope()
    with S.scope_guard(scope):
        exe = S.Executor()
        exe.run(built.startup)
        for name, array in (changed or {}).items():
            scope.find_var(name).get_tensor().set(array)
        feed = {"x": np.full(2, fed)}
        losses = [exe.run(built.main, feed, [built.loss])[0] for _ in range(runs)]
        return {"loss": losses, **{name: np.array(scope.find_var(name).get_tensor()) for name in NAMES}}


def recorded(built: Trained, runs: int = 2, max_mb: float = 256) -> Trace:
    """Run a Program under a recorder; return the recording."""
    recorder = Recorder("script.py", max_mb=max_mb)
    with within(EAGER), watching(recorder):
        run_from(built, runs)
    return recorder.finish()
