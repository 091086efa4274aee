"""DistributedStrategy: how a job of several processes is to train; what one process is told, and keeps."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from enum import Enum
from typing import Any

from minipaddle.paddle.distributed.fleet.base.message import Message
from minipaddle.paddle.distributed.fleet.base.strategy_fields import MESSAGES_OF_LISTS, OTHER_NAMES, defaults
from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.paddle.static.executor.compiled_program import BuildStrategy, ExecutionStrategy

_HALF = 38
"""The width of each of the two columns of the overview."""


class DistributedStrategy:
    """How to train in a job; each field is an attribute, its default is in the table of `strategy_fields`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/distributed/fleet/DistributedStrategy_en.html)

    One process keeps what it is told and trains as ever: what a strategy changes is between processes, or in the
    Programs that Paddle rewrites for them.

    Raises:
        TypeError: **is not a attribute of DistributedStrategy**, when something else is set.
        AssertionError: **key:... not in ...**, for an unknown key of a field that is a dict.
        ValueError: **The type of `flag` is invalid**, for an `a_sync` that is no bool.
    """

    strategy: Message
    hybrid_parallel_order: list[str]
    sync_param_name: list[str]
    execution_strategy: ExecutionStrategy

    def __init__(self) -> None:
        vars(self)["strategy"] = Message(defaults("strategy"))
        vars(self)["hybrid_parallel_order"] = ["dp", "pp", "sharding", "sep", "cp", "mp"]
        vars(self)["execution_strategy"] = ExecutionStrategy()
        vars(self)["sync_param_name"] = ["embedding", "layer_norm", ".b_"]

    def __getattr__(self, name: str) -> Any:
        strategy = vars(self).get("strategy")
        field = OTHER_NAMES.get(name, name)
        if strategy is None or not hasattr(strategy, field):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = getattr(strategy, field)
        if field == "build_strategy":
            return _build_strategy(value)
        return value.as_dict() if isinstance(value, Message) and field.endswith("_configs") else value

    def __setattr__(self, name: str, value: Any) -> None:
        field = OTHER_NAMES.get(name, name)
        if name in vars(self):
            vars(self)[name] = value
            return
        if not hasattr(self.strategy, field):
            raise TypeError(f"{name} is not a attribute of {type(self).__name__}")
        now = getattr(self.strategy, field)
        if field == "build_strategy":
            given = {key: getattr(value, key) for key in now.as_dict() if hasattr(value, key)}
            value = {key: each.value if isinstance(each, Enum) else each for key, each in given.items()}
        elif field == "hybrid_configs":
            value = self._without_orders(value)
        elif field == "a_sync":
            self._check_a_sync(value)
        elif not isinstance(now, Message) and type(value) is not type(now):
            warnings.warn(f"{name} should have value of {type(now).__name__} type", stacklevel=2)
            return
        setattr(self.strategy, field, value)

    def _check_a_sync(self, flag: Any) -> None:
        if not isinstance(flag, bool):
            raise ValueError(
                f"The type of `flag` is invalid, expected type is bool, but received {type(flag)}"
            )
        self.strategy.a_sync_configs = {"k_steps": 0}

    def _without_orders(self, configs: dict[str, Any]) -> dict[str, Any]:
        """Keep what is no field, and return the rest."""
        kept = dict(configs)
        self.hybrid_parallel_order = kept.pop("order", self.hybrid_parallel_order)
        if "sync_param_name" in (of_mp := dict(kept.get("mp_configs", {}))):
            self.sync_param_name = of_mp.pop("sync_param_name")
            kept["mp_configs"] = of_mp
        return kept

    def save_to_prototxt(self, output: str | os.PathLike[str]) -> None:
        """Write what was set into a file, in Paddle's form."""
        write_whole(output, str(self.strategy).encode())

    def load_from_prototxt(self, pb_file: str | os.PathLike[str]) -> None:
        """Set what a file of `save_to_prototxt` says; lists grow."""
        with open(pb_file, encoding="utf-8") as file:
            self.strategy.read(iter(file))

    def __repr__(self) -> str:
        return "\n".join(f"    {line}" for line in self._overview()) + "\n"

    def _overview(self) -> Iterator[str]:
        double, single = (f"+{mark * (2 * _HALF + 2)}+" for mark in "=-")
        yield from (double, _title(""), _title("DistributedStrategy Overview"), _title(""))
        values = {
            name: value for name, value in self.strategy.as_dict().items() if not name.endswith("_configs")
        }
        build = values.pop("build_strategy").as_dict()
        flags = [
            name
            for name, value in values.items()
            if value is True and hasattr(self.strategy, f"{name}_configs")
        ]
        for name in flags:
            yield from (double, _title(f"{name}=True <-> {name}_configs"), single)
            for key, value in getattr(self.strategy, f"{name}_configs").as_dict().items():
                many = isinstance(value, list) and key not in MESSAGES_OF_LISTS
                for at, each in enumerate(value if many else [value]):
                    yield _row("" if at else key, each)
        yield from (double, _title("Environment Flags, Communication Flags"), single)
        for name, value in values.items():
            if not (isinstance(value, bool) and hasattr(self.strategy, f"{name}_configs")):
                yield _row(name, value)
        yield from (double, _title("Build Strategy"), single)
        yield from (_row(name, value) for name, value in build.items())
        yield double


def _build_strategy(message: Message) -> BuildStrategy:
    made = BuildStrategy()
    for name, value in message.as_dict().items():
        setattr(made, name, BuildStrategy.ReduceStrategy(value) if name == "reduce_strategy" else value)
    return made


def _title(text: str) -> str:
    return f"|{text:^{2 * _HALF + 2}}|"


def _row(name: str, value: Any) -> str:
    return f"|{name:>{_HALF}}  {value!s:^{_HALF}}|"
