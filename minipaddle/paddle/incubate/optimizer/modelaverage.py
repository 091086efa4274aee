"""ModelAverage: parameters averaged over the last steps, to be tried and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.meta import Array, Attrs
from minipaddle.ops.updates.rprop import average_accumulates
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.optimizer.param_groups import Group
from minipaddle.paddle.static.gradient.minimize import append_updates
from minipaddle.paddle.static.program import Variable, default_main_program
from minipaddle.paddle.static.scope import global_scope


class ModelAverage(Optimizer):
    """Add up the parameters at each step; ``with average.apply():`` puts their mean in place of them.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/ModelAverage_en.html)

    Args:
        average_window_rate: the window, as a part of the steps so far.
        parameters: None: in a Program, all of them.
        min_average_window: steps of a window, at least.
        max_average_window: steps of a window, at most.
        name: not used.
    """

    operator = average_accumulates
    accumulators = (
        *(Accumulator(name) for name in ("sum_1", "sum_2", "sum_3", "restore")),
        *(
            Accumulator(name, single=True, dtype="int64")
            for name in ("num_accumulates", "old_num_accumulates", "num_updates")
        ),
    )

    def __init__(
        self,
        average_window_rate: float,
        parameters: Any = None,
        min_average_window: int = 10000,
        max_average_window: int = 10000,
        name: str | None = None,
    ) -> None:
        super().__init__(
            0.0,
            parameters,
            average_window=float(average_window_rate),
            min_average_window=min_average_window,
            max_average_window=max_average_window,
        )
        self._averaged: list[Any] = [parameter for group in self.groups for parameter in group.params]
        self._kept: Any = self._state
        if not current.get().dynamic:
            self._averaged = self._averaged or default_main_program().global_block().all_parameters()
            append_updates(self, [(parameter, parameter) for parameter in self._averaged])

    def _inputs(self, parameter: Any, grad: Any, group: Group, attrs: Attrs, state: Any) -> tuple[Any, ...]:
        self._kept = state
        *sums, _, taken, before, steps = self._held(parameter, attrs, state)
        return (parameter, *sums, taken, before, steps)

    def minimize(
        self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None
    ) -> Any:
        """Do a :meth:`step`; a Program was told when this was made."""
        if current.get().dynamic:
            self.step()

    @contextmanager
    def apply(self, executor: Any = None, need_restore: bool = True) -> Iterator[None]:
        """Put the means in place of the parameters, within a ``with`` block.

        Args:
            executor: of a Program: what runs it.
            need_restore: put the parameters back at the end; else :meth:`restore` does.

        Raises:
            RuntimeError: **Executor should not be None in static graph mode**.
        """
        _check_executor(executor)
        for parameter in self._averaged:
            *sums, aside, taken, before, _ = self._held(parameter, self._numbers, self._kept)
            _write(aside, _read(parameter))
            count = (_read(taken) + _read(before)).astype("float32")
            with np.errstate(invalid="ignore"):  # nothing was added up yet: nan, as in Paddle
                _write(parameter, sum(map(_read, sums)) / count)
        try:
            yield
        finally:
            if need_restore:
                self.restore(executor)

    def restore(self, executor: Any = None) -> None:
        """Put back the parameters that :meth:`apply` has put aside.

        Raises:
            RuntimeError: **Executor should not be None in static graph mode**.
        """
        _check_executor(executor)
        for parameter in self._averaged:
            *_, aside, _, _, _ = self._held(parameter, self._numbers, self._kept)
            _write(parameter, _read(aside))


def _check_executor(executor: Any) -> None:
    if executor is None and not current.get().dynamic:
        raise RuntimeError("Executor should not be None in static graph mode.")


def _read(value: Any) -> Array:
    """Return the numbers of a Tensor, or those that a Variable has in the global Scope."""
    return np.array(_place(value).get_tensor()) if isinstance(value, Variable) else value.array


def _write(value: Any, numbers: Array) -> None:
    if isinstance(value, Variable):
        _place(value).get_tensor().set(numbers.astype(value.meta.dtype))
    else:
        value.set_value(numbers.astype(value.array.dtype))


def _place(variable: Variable) -> Any:
    found = global_scope().find_var(variable.name)
    if found is None:
        raise RuntimeError(
            f"{variable.name} has no value in the global scope: run the startup program first, and the training."
        )
    return found
