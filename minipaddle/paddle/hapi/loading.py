"""Reading parameters from a file into a network, with a word for each that does not fit."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.paddle.framework.io import load


def load_parameters(network: Any, path: str, skip_mismatch: bool) -> None:
    """Copy the values of a file into the parameters and buffers of a network.

    Args:
        network: a Layer.
        path: a file that ``paddle.save`` wrote.
        skip_mismatch: leave out, with a warning, what does not fit; else that is an error.

    Raises:
        AssertionError: if there is no such file.
        ValueError: if something is missing in the file, or has another shape.
    """
    if not Path(path).exists():
        raise failure(AssertionError, "Failed to load parameters, please check path.", f"there is no {path}")
    stored = load(path)
    fitting = {}
    for name, value in network.state_dict().items():
        mistake = _mismatch(name, value, stored.get(name))
        if mistake and not skip_mismatch:
            raise failure(ValueError, mistake, "skip_mismatch=True leaves it as it is")
        if mistake:
            warnings.warn(f"Skip loading for {name}. {mistake}", stacklevel=3)
        else:
            fitting[name] = stored[name]
    network.set_state_dict(fitting)


def _mismatch(name: str, ours: Any, stored: Any) -> str | None:
    """Return what keeps a stored value from being loaded, if anything does."""
    if stored is None:
        return f"{name} is not found in the providing file."
    if list(stored.shape) != list(ours.shape):
        return f"{name} receives a shape {list(stored.shape)}, but the expected shape is {list(ours.shape)}."
    return None
