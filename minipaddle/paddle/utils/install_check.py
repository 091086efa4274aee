"""``paddle.utils.run_check``: checks one step of training, eagerly and in a Program."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from minipaddle.engine.tensor.creation import to_tensor
from minipaddle.paddle import nn, optimizer, static
from minipaddle.paddle.base.dygraph.base import enable_static
from minipaddle.paddle.framework.settings import as_before
from minipaddle.paddle.framework.static_mode import disable_static

_ROWS = np.array([[1.0, 2.0], [3.0, 4.0]], "float32")
_STEPPED = np.array([[-2.0], [-3.0]], "float32")
"""The weight after a step of length 1 from 0, for the mean of `_ROWS @ weight`: minus the mean of each column."""


def run_check() -> None:
    """Run one step of training eagerly and one in a Program, and print success.

    Raises:
        AssertionError: a weight is wrong.
    """
    sys.stdout.write("Running verify PaddlePaddle program ... \n")
    with as_before():
        disable_static()
        _check("eagerly", _eager_step())
        enable_static()
        _check("in a Program", _step_of_a_program())
    sys.stdout.write(
        "PaddlePaddle works well on 1 CPU.\n"
        "PaddlePaddle is installed successfully! Let's start deep learning with PaddlePaddle now.\n"
    )


def _loss(rows: Any) -> tuple[Any, Any]:
    linear = nn.Linear(2, 1, weight_attr=nn.initializer.Constant(0.0), bias_attr=False)
    return linear(rows).mean(), linear.weight


def _eager_step() -> Any:
    loss, weight = _loss(to_tensor(_ROWS))
    loss.backward()
    optimizer.SGD(1.0, parameters=[weight]).step()
    return weight.numpy()


def _step_of_a_program() -> Any:
    main, startup = static.Program(), static.Program()
    with static.scope_guard(static.Scope()), static.program_guard(main, startup):
        loss, weight = _loss(static.data("rows", [2, 2], "float32"))
        optimizer.SGD(1.0).minimize(loss)
        executor = static.Executor()
        executor.run(startup)
        executor.run(main, feed={"rows": _ROWS})
        return executor.run(main.clone(for_test=True), feed={"rows": _ROWS}, fetch_list=[weight])[0]


def _check(how: str, weight: Any) -> None:
    assert np.array_equal(weight, _STEPPED), (
        f"a step {how} ended at {weight.tolist()}, not {_STEPPED.tolist()}"
    )
