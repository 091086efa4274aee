"""Random scripts, eager and static, of sizes 0, 1 and more: pick, shape, combine, reduce; backward, one step of SGD.

Every step binds ``x`` again; one that a Tensor's shape does not allow is left out. :func:`recorded_script` records one;
whoever takes a recording apart (``why``, pictures, pages, verdicts) must have an answer for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.tools.record import Trace
from tests.support.recordings import recorded

__all__ = ["recorded_program", "recorded_script", "scripts"]

F = paddle.nn.functional
PICKS: tuple[Callable[[Any], Any], ...] = (
    lambda x: x[0],
    lambda x: x[-1],
    lambda x: x[0:1],
    lambda x: x[1:2],
    lambda x: x[:, 0:1],
    lambda x: x[:, 0],
    lambda x: x[..., 0],
    lambda x: x[..., :1],
    lambda x: x[None],
    lambda x: x[::2],
    lambda x: x[0:0],
    lambda x: x[[0]],
    lambda x: x[[0, 0]],
    lambda x: x[paddle.to_tensor(0)],
    lambda x: x[paddle.to_tensor([0])],
    lambda x: x[x > 0.5],
    lambda x: x[0, 0],
    lambda x: x[[0], [0]],
    lambda x: x[:, [0, 0]],
    lambda x: paddle.gather(x, paddle.to_tensor(0)),
    lambda x: paddle.gather(x, paddle.to_tensor([0, 0])),
    lambda x: paddle.gather(x, paddle.to_tensor(0), axis=-1),
    lambda x: paddle.index_select(x, paddle.to_tensor([0])),
    lambda x: paddle.take_along_axis(x, paddle.argmax(x, axis=0, keepdim=True), 0),
    lambda x: paddle.gather_nd(x, paddle.to_tensor([[0]])),
    lambda x: paddle.masked_select(x, x < 0.5),
    lambda x: paddle.split(x, 1)[0],
    lambda x: paddle.concat([x[:1], x, x[0:0]]),
    lambda x: paddle.stack([x, x], axis=-1),
    lambda x: paddle.topk(x, 1)[0],
    lambda x: paddle.sort(x)[..., :1],
)
SHAPES: tuple[Callable[[Any], Any], ...] = (
    lambda x: x.reshape([-1]),
    lambda x: x.reshape([1, -1]),
    lambda x: x.flatten(),
    lambda x: x.unsqueeze(0),
    lambda x: x.unsqueeze(-1),
    lambda x: x.squeeze(),
    lambda x: x.transpose(list(range(x.ndim))[::-1]),
    lambda x: x.expand([2, *x.shape]),
    lambda x: paddle.tile(x, [2]),
    lambda x: x.sum(axis=0),
    lambda x: x.mean(axis=-1, keepdim=True),
    lambda x: x.max(axis=0),
    lambda x: x.prod(axis=-1),
    lambda x: x.cumsum(0),
    lambda x: x.cast("float64"),
    lambda x: F.pad(x, [1, 0], value=0.5),
    lambda x: paddle.where(x > 0.5, x, x * 0.0),
    lambda x: paddle.clip(x, 0.5, 0.5),
    lambda x: F.softmax(x, axis=0),
    lambda x: F.softmax(x, axis=-1),
    lambda x: F.relu(x - 0.5),
    lambda x: F.dropout(x, 0.5),
    lambda x: paddle.tanh(x),
    lambda x: x**2,
    lambda x: x * 1,
    lambda x: x.norm(),
    lambda x: x.detach() * x,
    lambda x: F.layer_norm(x, x.shape[-1:]),
    lambda x: x.clone().scale_(2.0),
    lambda x: x.clone().zero_(),
)
PAIRS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda x, y: x + y,
    lambda x, y: x * y,
    lambda x, y: x / y,
    lambda x, y: paddle.maximum(x, y),
    lambda x, y: x @ y,
    lambda x, y: x @ y.T,
    lambda x, y: paddle.where(x > y, x, y),
    lambda x, y: F.mse_loss(x, y),
    lambda x, y: paddle.stack([x, y]),
    lambda x, y: paddle.einsum("...i,...i->...", x, y),
)


def _one_of(table: tuple[Callable[..., Any], ...]) -> Any:
    """Draw a function by its number: Hypothesis would read the source of all functions, for seconds."""
    return st.sampled_from(range(len(table))).map(table.__getitem__)


_SIZES = st.lists(st.sampled_from((0, 1, 1, 2, 3)), max_size=3)
_STEPS = st.one_of(
    st.tuples(_one_of(PICKS), st.integers(0, 5)),
    st.tuples(_one_of(SHAPES), st.integers(0, 5)),
    st.tuples(_one_of(PAIRS), st.integers(0, 5), st.integers(0, 5)),
)
_NUMBERS = st.sampled_from((None, 0.0, 0.5, 1.0))
"""Of the first value: all equal, or None for numbers that differ."""

scripts = st.tuples(_SIZES, _NUMBERS, st.lists(_STEPS, min_size=1, max_size=6))
"""The shape of two leaves, their numbers, and the steps."""


def recorded_script(script: Any) -> Trace:
    """Return the recording of a script that was drawn from :data:`scripts`."""
    trace: Trace = recorded(lambda: _run(*script))
    return trace


def recorded_program(script: Any) -> Trace:
    """Return the recording of such a script as a Program that is built, differentiated and run."""
    trace: Trace = recorded(lambda: _run_program(*script))
    return trace


def _arrays(sizes: list[int], number: float | None) -> list[Any]:
    count = int(np.prod(sizes))
    array = np.linspace(0.25, 1.5, count).reshape(sizes) if number is None else np.full(sizes, number)
    return [array.astype("float32"), np.full(sizes, 0.5, "float32")]


def _run(sizes: list[int], number: float | None, steps: list[Any]) -> None:
    leaf, other = [paddle.to_tensor(one, stop_gradient=False) for one in _arrays(sizes, number)]
    loss = _loss([leaf, other], steps)
    if not loss.stop_gradient:
        loss.backward()
        paddle.optimizer.SGD(0.1, parameters=[leaf, other]).step()


def _run_program(sizes: list[int], number: float | None, steps: list[Any]) -> None:
    arrays, S = dict(zip("xy", _arrays(sizes, number), strict=True)), paddle.static
    paddle.enable_static()
    try:
        with S.scope_guard(S.Scope()), S.program_guard(S.Program(), S.Program()):
            leaves = [S.data(name, sizes) for name in arrays]
            for leaf in leaves:
                leaf.stop_gradient = False
            loss = _loss([*leaves], steps)
            found = [] if loss.stop_gradient else S.gradients([loss], leaves)
            S.Executor().run(feed=arrays, fetch_list=[loss, *[one for one in found if one is not None]])
    except (ValueError, IndexError, RuntimeError):
        pass  # what depends on numbers is refused when it runs: the recording goes until there
    finally:
        paddle.disable_static()


def _loss(pool: list[Any], steps: list[Any]) -> Any:
    for function, *places in steps:
        try:
            x = function(*(pool[place % len(pool)] for place in places))
            pool.append(x)
        except (ValueError, IndexError, TypeError, RuntimeError, AssertionError, AttributeError):
            continue  # not with this shape
    return pool[-1].sum()
