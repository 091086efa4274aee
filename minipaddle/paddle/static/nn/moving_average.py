"""ExponentialMovingAverage: parameters averaged over the steps of training, to test with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array
from minipaddle.engine.names.unique import unique_name
from minipaddle.ops.creation.assign import assign
from minipaddle.ops.math.minimum import minimum
from minipaddle.paddle.static.build import static_only
from minipaddle.paddle.static.build.parameters import new_state
from minipaddle.paddle.static.program import (
    Parameter,
    Role,
    Variable,
    default_main_program,
    default_startup_program,
)
from minipaddle.paddle.static.scope import global_scope


class ExponentialMovingAverage:
    """``average = decay * average + (1 - decay) * parameter`` after every step, for all trainable parameters.

    Make it and call :meth:`update` after ``minimize``; run a test within :meth:`apply`
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/ExponentialMovingAverage_en.html).

    Args:
        decay: how much of the average stays.
        thres_steps: a Variable that counts steps `t`: the decay is at most ``(t + 1) / (t + 10)``.
        name: beginning of the names of the averages.
    """

    def __init__(
        self, decay: float = 0.999, thres_steps: Variable | None = None, name: str | None = None
    ) -> None:
        static_only("ExponentialMovingAverage")
        self._decay = decay
        self._steps = thres_steps
        self._name = name or "ema"
        self._averages: dict[Parameter, Variable] = {}
        self._power: Variable | None = None
        """decay to the power of the number of steps: the share of the zeros that the averages began with."""
        self._kept: dict[str, Array] = {}

    def update(self) -> None:
        """Append to the main Program what moves the averages by one step."""
        main = default_main_program()
        with main.as_role(Role.OPTIMIZE):
            decay = self._decay_of_step()
            self._power = self._state("decay_pow", (1,), "float32", 1.0)
            assign(self._power * decay, self._power)
            for parameter in main.all_parameters():
                if parameter.trainable:
                    name = f"{parameter.name}_{self._name}"
                    average = self._state(name, parameter.shape, parameter.meta.dtype, 0.0)
                    assign(average * decay + parameter * (1.0 - decay), average)
                    self._averages[parameter] = average

    def _decay_of_step(self) -> Any:
        if self._steps is None:
            return self._decay
        steps: Any = self._steps
        steps = steps.astype("float32")
        return minimum((steps + 1.0) / (steps + 10.0), steps * 0.0 + self._decay)

    @staticmethod
    def _state(name: str, shape: Any, dtype: Any, value: float) -> Variable:
        made = new_state(
            unique_name(name), shape, dtype, value, default_main_program(), default_startup_program()
        )
        made.stop_gradient = True
        return made

    @contextmanager
    def apply(self, executor: Any, need_restore: bool = True) -> Iterator[None]:
        """Put the averages in the place of the parameters within a ``with`` block.

        Args:
            executor: accepted.
            need_restore: put the parameters back afterwards; if not, call :meth:`restore`.
        """
        scope = global_scope()
        assert self._power is not None, "ExponentialMovingAverage.update() was not called."
        share = 1.0 - float(self._value(self._power).item())
        for parameter, average in self._averages.items():
            held, value = scope.var(parameter.name), self._value(average)
            self._kept[parameter.name] = self._value(parameter)
            held.value = value / np.asarray(share, value.dtype) if share > 0 else value.copy()
        try:
            yield
        finally:
            if need_restore:
                self.restore(executor)

    @staticmethod
    def _value(variable: Variable) -> Array:
        return np.array(variable.get_value())

    def restore(self, executor: Any) -> None:
        """Put the parameters back."""
        for name, value in self._kept.items():
            global_scope().var(name).value = value
        self._kept = {}
