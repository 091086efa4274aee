"""Parameter groups: the tensors that an optimizer trains, with special settings for some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from minipaddle.engine.mode.eager import current
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.nn.parameter.parameter import Trainable


@dataclass
class Group:
    """Parameters with common settings."""

    params: list[Tensor]
    learning_rate: float = 1.0
    """A factor of the optimizer's learning rate."""
    options: dict[str, Any] = field(default_factory=dict)
    """Settings that override the optimizer's: ``weight_decay``, ``grad_clip``, the algorithm's numbers."""
    everything: bool = False
    """Whether this group has all parameters that a Program trains; then `params` is empty."""

    def share(self, parameter: Any) -> float:
        """Return the factor of the optimizer's learning rate for a parameter: its own, times the group's."""
        own: dict[str, float] = getattr(parameter, "optimize_attr", {})
        return own.get("learning_rate", 1.0) * self.learning_rate

    def of(self, pairs: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Return the pairs of parameter and gradient that belong to this group."""
        members = {id(parameter) for parameter in self.params}
        return [pair for pair in pairs if self.everything or id(pair[0]) in members]


def groups_of(parameters: Any) -> list[Group]:
    """Return the parameter groups in the argument `parameters`.

    Raises:
        AttributeError: **parameters argument given to the Optimizer should not be None**.
        TypeError: for a single Tensor or dict, or something that is no Tensor.
        AssertionError: for a dict without ``params``.
        ValueError: **some parameters appear in more than one parameter group**.
    """
    if parameters is None and not current.get().dynamic:
        return [Group([], everything=True)]
    if parameters is None:
        raise AttributeError(
            "parameters argument given to the Optimizer should not be None in dygraph mode. "
            "Hand over what is to be trained: parameters=model.parameters()."
        )
    if isinstance(parameters, Tensor) or hasattr(parameters, "parameters"):
        raise TypeError(
            "`parameters` argument given to the optimizer should be an iterable of paddle Tensors, "
            f"but got argument type is `{type(parameters).__name__}`. Write [parameter] for a single one, and "
            "layer.parameters() for those of a layer."
        )
    if isinstance(parameters, dict):
        raise TypeError(
            "`parameters` argument should not get dict type, if parameter groups is needed, "
            "please set `parameters` as list of dict"
        )
    given = list(parameters)
    grouped = bool(given) and isinstance(given[0], dict)
    groups = [_group(one) for one in given] if grouped else [Group(_tensors(given))]
    _check_disjoint(groups)
    return groups


def require_parameters(groups: list[Group]) -> None:
    """Raise IndexError, as Paddle, if the `groups` of an optimizer have no parameter at all."""
    if not any(group.params for group in groups):
        raise IndexError(
            "list index out of range: the list of parameters given to this optimizer is empty. Hand over what is to be "
            "trained: parameters=model.parameters(). A generator can be read only once: make a list of it."
        )


def _group(given: Any) -> Group:
    assert isinstance(given, dict), "parameter groups must all be dicts, but one of them is not"
    assert "params" in given, (
        "params should be set in parameters if parameter groups are optimized in different options"
    )
    options = {name: value for name, value in given.items() if name not in ("params", "learning_rate")}
    params = given["params"]
    members = [params] if isinstance(params, Tensor | Trainable) else list(params)
    return Group(_tensors(members), float(given.get("learning_rate", 1.0)), options)


def _tensors(given: Iterable[Any]) -> list[Tensor]:
    tensors = list(given)
    for tensor in tensors:
        if not isinstance(tensor, Tensor | Trainable):
            raise TypeError(
                "`parameters` argument given to the optimizer should be an iterable of paddle Tensors, "
                f"but one of them is `{type(tensor).__name__}`."
            )
    return tensors


def _check_disjoint(groups: list[Group]) -> None:
    seen: set[int] = set()
    for group in groups:
        members = {id(tensor) for tensor in group.params}
        if seen & members:
            raise ValueError("some parameters appear in more than one parameter group")
        seen |= members
