"""An optimizer whose arguments and state are read from its update operator; see ``sgd.py``, ``adam.py``."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from minipaddle.engine.operator.operator import Operator
from minipaddle.paddle.nn.arguments import bound
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.optimizer import Optimizer

REQUIRED = inspect.Parameter.empty
_USUAL = {"learning_rate": 0.001} | dict.fromkeys(
    ("lazy_mode", "multi_precision", "use_lowprecision_moment", "use_multi_tensor"), False
)
"""Defaults of common arguments; others default to None."""


class Algorithm(Optimizer):
    """Base of the algorithms: the settings that the update operator lacks, the order of arguments and their checks.

    ::

        class Adadelta(Algorithm, operator=adadelta, arguments="learning_rate epsilon rho parameters name"):
            "Measure each step in units of the steps so far."

    An argument that the operator also has is a number, with the operator's default and type. (``rho=decay``: the
    operator's name is decay.) Other arguments, and other defaults, are given to the class line by name.
    The operator's inputs other than parameter, gradient and learning rate are the state: one accumulator each.
    """

    kept_as: ClassVar[dict[str, str]] = {}
    """The name of an accumulator in a saved state, if not the operator's name."""
    operator: Operator
    __signature__: inspect.Signature
    _takes: inspect.Signature
    _numbers_of: dict[str, str]
    """The operator's name of each argument that is a number."""

    def __init_subclass__(cls, operator: Operator | None = None, arguments: str = "", **others: Any) -> None:
        if operator is None:  # a user's class
            return
        cls.operator, state = operator, operator.input_names[2:]
        cls.rate_at = state.index("learning_rate")
        state.remove("learning_rate")
        cls.accumulators = [cls._accumulator(name) for name in state]
        names = {name: own or name for name, _, own in (each.partition("=") for each in arguments.split())}
        cls._numbers_of = {
            name: own for name, own in names.items() if own in operator.defaults and name not in others
        }
        usual = {name: operator.defaults[own] for name, own in cls._numbers_of.items()} | others
        cls.__signature__ = cls._takes = inspect.Signature(
            [
                inspect.Parameter(
                    name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=usual.get(name, _USUAL.get(name))
                )
                for name in names
            ]
        )

    @classmethod
    def _accumulator(cls, name: str) -> Accumulator:
        power_of = name.removesuffix("_pow")
        if power_of != name:  # beta1 ** t after t steps
            return Accumulator(f"{name}_acc", start=power_of, single=True)
        return Accumulator(cls.kept_as.get(name, name))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = bound(self, self._takes, args, kwargs)
        self._check(given)
        numbers = {
            own: type(self.operator.defaults[own])(given[name]) for name, own in self._numbers_of.items()
        }
        shared: list[Any] = [
            given.get(name) for name in ("learning_rate", "parameters", "weight_decay", "grad_clip", "name")
        ]
        super().__init__(*shared, **numbers)
        self._multi_precision = given.get("multi_precision", False)

    def _check(self, given: dict[str, Any]) -> None:
        """Raise for invalid arguments, and store the arguments that the operator does not take."""
