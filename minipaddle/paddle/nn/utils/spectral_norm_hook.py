"""Spectral normalisation: a weight divided by its largest singular value (arXiv 1802.05957)."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.views.reshape import reshape
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.nn.functional.norm import normalize
from minipaddle.paddle.nn.initializer.random import Normal
from minipaddle.paddle.nn.layer.common import Linear
from minipaddle.paddle.nn.layer.conv import Conv1DTranspose, Conv2DTranspose
from minipaddle.paddle.nn.layer.layers import Layer


class SpectralNorm:
    """The hook that recomputes the weight before each call; while training it improves its two vectors."""

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    def matrix(self, weight: Any) -> Any:
        """Return the weight as a matrix with one row per output."""
        order = [self.dim, *[axis for axis in range(len(weight.shape)) if axis != self.dim]]
        return reshape(transpose(weight, order) if self.dim else weight, [weight.shape[self.dim], -1])

    def compute_weight(self, layer: Layer) -> Any:
        """Return the weight divided by its largest singular value."""
        weight = getattr(layer, self.name + "_orig")
        u, v = getattr(layer, self.name + "_u"), getattr(layer, self.name + "_v")
        matrix = self.matrix(weight)
        if layer.training:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.set_value(normalize(matmul(matrix, u, transpose_x=True), axis=0, epsilon=self.eps))
                    u.set_value(normalize(matmul(matrix, v), axis=0, epsilon=self.eps))
            u, v = u.clone(), v.clone()
        return weight / sum(u * matmul(matrix, v))

    def __call__(self, layer: Layer, inputs: Any) -> None:
        """Recompute the weight."""
        object.__setattr__(layer, self.name, self.compute_weight(layer))


def spectral_norm(
    layer: Layer,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Layer:
    """Have `layer` divide its parameter `name` by its largest singular value before each call; return it.

    Args:
        layer: a layer with that parameter, which becomes ``NAME_orig``.
        name: the name of the parameter.
        n_power_iterations: how often the estimate is improved in each call while training.
        eps: keeps lengths from 0.
        dim: the axis of the outputs; by default 1 for Linear and transposed convolutions, else 0.

    Raises:
        RuntimeError: **two spectral_norm hooks**, if it is done already.
        ValueError: **n_power_iterations**.
    """
    for hook in layer._forward_pre_hooks.values():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    if dim is None:
        dim = 1 if isinstance(layer, (Conv1DTranspose, Conv2DTranspose, Linear)) else 0
    hook = SpectralNorm(name, n_power_iterations, dim, eps)
    weight = getattr(layer, name)
    with no_grad():
        vectors = [
            normalize(
                layer.create_parameter([size], default_initializer=Normal(0.0, 1.0)), axis=0, epsilon=eps
            )
            for size in hook.matrix(weight).shape
        ]
    del layer._parameters[name]
    layer.add_parameter(name + "_orig", weight)
    object.__setattr__(layer, name, weight * 1.0)
    for letter, vector in zip("uv", vectors, strict=True):
        layer.register_buffer(f"{name}_{letter}", vector.detach())
    layer.register_forward_pre_hook(hook)
    return layer
