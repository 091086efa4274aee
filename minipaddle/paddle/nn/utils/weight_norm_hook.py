"""Weight normalisation: a weight learned as a length and a direction (arXiv 1602.07868)."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.ops.creation.assign import assign
from minipaddle.ops.math.exponential import sqrt, square
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.views.reshape import reshape
from minipaddle.paddle.nn.layer.layers import Layer


def _lengths(weight: Any, dim: int) -> Any:
    """Return the length of each slice along `dim`, or of the whole (-1), in a shape that broadcasts."""
    axes = [axis for axis in range(len(weight.shape)) if axis != dim] if dim != -1 else None
    return sqrt(sum(square(weight), axis=axes, keepdim=dim != -1) + 1e-12)


class WeightNorm:
    """The hook that recomputes the weight before each call: ``g v / |v|``."""

    def __init__(self, name: str, dim: int) -> None:
        self.name, self.dim = name, dim

    def compute_weight(self, layer: Layer) -> Any:
        """Return the weight from length and direction."""
        g, v = getattr(layer, self.name + "_g"), getattr(layer, self.name + "_v")
        lengths = _lengths(v, self.dim)
        return v * (reshape(g, lengths.shape) / lengths)

    def __call__(self, layer: Layer, inputs: Any) -> None:
        """Recompute the weight."""
        object.__setattr__(layer, self.name, self.compute_weight(layer))


def weight_norm(layer: Layer, name: str = "weight", dim: int | None = 0) -> Layer:
    """Have `layer` learn the length ``NAME_g`` and the direction ``NAME_v`` of its parameter `name`; return it.

    Args:
        layer: a layer with that parameter.
        name: the name of the parameter.
        dim: each slice along this axis has its own length; None: one length for all.

    Raises:
        RuntimeError: **two weight_norm hooks**, if it is done already.
        AssertionError: **dim**, for an axis that does not exist.
    """
    for hook in layer._forward_pre_hooks.values():
        if isinstance(hook, WeightNorm) and hook.name == name:
            raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
    weight = getattr(layer, name)
    ndim = len(weight.shape)
    axis = -1 if dim is None else dim
    assert -ndim <= axis < ndim, "dim must set between [-R, R), R means the dimension of weight."
    axis = axis % ndim if axis != -1 else -1
    hook = WeightNorm(name, axis)
    with no_grad():
        lengths = _lengths(weight, axis)
        shape = [] if axis == -1 else [weight.shape[axis]]
        del layer._parameters[name]
        direction = layer.create_parameter(weight.shape, dtype=weight.dtype)
        assign(weight, direction)
        length = layer.create_parameter(shape, dtype=weight.dtype)
        assign(reshape(lengths, shape), length)
    layer.add_parameter(name + "_v", direction)
    layer.add_parameter(name + "_g", length)
    hook(layer, None)
    layer.register_forward_pre_hook(hook)
    return layer


def remove_weight_norm(layer: Layer, name: str = "weight") -> Layer:
    """Merge the two parameters of :func:`weight_norm` again; return the layer.

    Raises:
        ValueError: **weight_norm of**, if it was not split.
    """
    for number, hook in list(layer._forward_pre_hooks.items()):
        if isinstance(hook, WeightNorm) and hook.name == name:
            with no_grad():
                weight = hook.compute_weight(layer)
                object.__delattr__(layer, name)
                del layer._parameters[name + "_g"], layer._parameters[name + "_v"]
                whole = layer.create_parameter(weight.shape, dtype=weight.dtype)
                whole.set_value(weight)
            layer.add_parameter(name, whole)
            del layer._forward_pre_hooks[number]
            return layer
    raise ValueError(f"weight_norm of '{name}' not found in {layer}")
