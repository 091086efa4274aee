"""State dicts: the parameters and persistent buffers of a layer and all layers below it, by dotted name."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy

if TYPE_CHECKING:
    from minipaddle.paddle.nn.layer.layers import Layer


def state_of(layer: Layer, into: dict[str, Any], prefix: str, include_sublayers: bool) -> None:
    """Return the tensors themselves, not copies, by name: parameters, then buffers, then the sublayers'."""
    for name, tensor in [*layer._parameters.items(), *layer._buffers.items()]:
        if tensor is not None and name not in layer._non_persistable_buffer_names_set:
            into[prefix + name] = tensor
    if include_sublayers:
        for name, child in layer._sub_layers.items():  # a shared layer is listed under each name
            state_of(child, into, f"{prefix}{name}.", True)


def load_state(layer: Layer, state: dict[str, Any], use_structured_name: bool) -> tuple[list[str], list[str]]:
    """Copy the values of `state` into `layer`.

    Values that do not fit are skipped with a warning.

    Returns:
        the names that got no value, and the names in `state` without a place.
    """
    own: dict[str, Any] = OrderedDict()
    state_of(layer, own, "", True)
    given = state if use_structured_name else _by_structured_name(own, state)
    unused, missing = [name for name in given if name not in own], []
    for name, tensor in own.items():
        if name not in given:
            missing.append(name)
            continue
        value = np.asarray(given[name])
        as_numpy(value.dtype.name)  # refuses the bits of bfloat16
        if value.shape != tuple(tensor.shape):
            warnings.warn(
                f"Skip loading for {name}. {name} receives a shape {list(value.shape)}, but the expected "
                f"shape is {list(tensor.shape)}.",
                stacklevel=3,
            )
            missing.append(name)
            unused.append(name)
        else:
            tensor.set_value(np.asarray(value, as_numpy(tensor.dtype)))
    return missing, unused


def _by_structured_name(own: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """Return a state dict keyed by ``linear_0.w_0`` as one keyed by ``fc.weight``."""
    names = {tensor.name: name for name, tensor in own.items()}
    return {names.get(name, name): value for name, value in state.items()}
