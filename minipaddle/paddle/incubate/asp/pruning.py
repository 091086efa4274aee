"""Networks whose weights are pruned, and an optimizer that keeps the zeros.

Real Paddle 3.3.1 cannot prune a network (its optimizer asks a Program for what Programs no longer have); what its
documentation says is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.paddle.incubate.asp.masks import MaskAlgo, create_mask
from minipaddle.paddle.nn import Conv2D, Layer, Linear
from minipaddle.paddle.optimizer import Optimizer

Pruning = Callable[[Any, int, int, MaskAlgo, str], tuple[Any, Any]]

_ALGORITHMS = {
    "mask_1d": MaskAlgo.MASK_1D,
    "mask_2d_greedy": MaskAlgo.MASK_2D_GREEDY,
    "mask_2d_best": MaskAlgo.MASK_2D_BEST,
}
_supported: dict[str, Pruning | None] = {"linear": None, "conv2d": None}
"""Kinds of layers whose weights are pruned, and own functions for it."""
_excluded: set[str] = set()
_masks: dict[str, Any] = {}
"""The mask of each pruned parameter, by its name."""


def set_excluded_layers(param_names: Sequence[str], main_program: Any = None) -> None:
    """Leave layers out: those whose parameters' names begin with one of `param_names`."""
    _excluded.update(param_names)


def reset_excluded_layers(main_program: Any = None) -> None:
    """Leave no layer out."""
    _excluded.clear()


def add_supported_layer(layer: Any, pruning_func: Pruning | None = None) -> None:
    """Prune the weights of one more kind of layers.

    Args:
        layer: a layer, its class, or the name that its parameters begin with.
        pruning_func: returns the pruned weight and the mask of ``(weight, n, m, mask_algo, name)``.

    Raises:
        AssertionError: **should be**, for something else.
    """
    if isinstance(layer, str):
        _supported[layer] = pruning_func
        return
    kind = layer if isinstance(layer, type) else type(layer)
    assert issubclass(kind, Layer), f"The type of layer should be string of Layer, but got {kind}!"
    _supported[kind.__name__.lower()] = pruning_func


def prune_model(
    model: Layer, n: int = 2, m: int = 4, mask_algo: str = "mask_1d", with_mask: bool = True
) -> dict[str, Any]:
    """Set `n` in every `m` weights of the linear and convolutional layers of `model` to zero; return the masks.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/asp/prune_model_en.html)

    Args:
        model: a network.
        n: how many are zero.
        m: of how many side by side.
        mask_algo: "mask_1d", "mask_2d_greedy" or "mask_2d_best".
        with_mask: whether an optimizer from :func:`decorate` keeps the zeros.

    Raises:
        AssertionError: **mask_algo should be**.
    """
    assert mask_algo in _ALGORITHMS, (
        f'The "mask_algo" should be one of {list(_ALGORITHMS)}, but got {mask_algo!r}'
    )
    masks = {}
    for layer in [model, *model.sublayers()]:
        kind = type(layer).__name__.lower()
        weight = layer.parameters(include_sublayers=False)[:1]
        if not weight or not (kind in _supported or isinstance(layer, Linear | Conv2D)):
            continue
        if any(weight[0].name.startswith(name) for name in _excluded):
            continue
        masks[weight[0].name] = _pruned(weight[0], n, m, _ALGORITHMS[mask_algo], _supported.get(kind))
    if with_mask:
        _masks.update(masks)
    return masks


def _pruned(weight: Any, n: int, m: int, algorithm: MaskAlgo, function: Pruning | None) -> Any:
    """Prune one weight, along the axis that a product adds up; return the mask."""
    numbers = weight.numpy()
    if function is not None:
        pruned, mask = function(numbers, n, m, algorithm, weight.name)
    else:
        mask = (
            create_mask(numbers.T, algorithm, n, m).T
            if numbers.ndim == 2
            else create_mask(numbers, algorithm, n, m)
        )
        pruned = numbers * mask
    weight.set_value(np.ascontiguousarray(pruned))
    return np.ascontiguousarray(mask)


class OptimizerWithSparsityGuarantee:
    """An optimizer that sets the pruned weights to zero again after each step; else it is the one inside."""

    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._optimizer, name)

    def step(self) -> None:
        """Take a step, and set what is pruned to zero."""
        self._optimizer.step()
        self._prune()

    def minimize(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Take a step down `loss`, and set what is pruned to zero."""
        done = self._optimizer.minimize(loss, *args, **kwargs)
        self._prune()
        return done

    def _prune(self) -> None:
        for parameter in (one for group in self._optimizer._groups for one in group.params):
            if parameter.name in _masks:
                parameter.set_value(parameter.numpy() * _masks[parameter.name])


def decorate(optimizer: Optimizer) -> OptimizerWithSparsityGuarantee:
    """Return an optimizer that keeps the zeros of networks that :func:`prune_model` has pruned.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/asp/decorate_en.html)
    """
    return OptimizerWithSparsityGuarantee(optimizer)
