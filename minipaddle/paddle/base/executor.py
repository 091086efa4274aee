"""paddle.base.executor: the Executor, and arrays as the tensors that it is fed, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.static import Executor
from minipaddle.paddle.static.host_tensor import HostTensor

__all__ = ["Executor", "HostTensor", "_as_lodtensor", "as_numpy"]


def as_numpy(tensor: Any, copy: bool = False) -> Any:
    """Return a tensor, or a list of them, as arrays of their own."""
    return [as_numpy(one) for one in tensor] if isinstance(tensor, list) else np.array(tensor)


def _as_lodtensor(data: Any, place: Any = None, dtype: Any = None) -> HostTensor:
    """Return an array, or numbers of type `dtype`, as the tensor that a run is fed."""
    return HostTensor(np.asarray(data, dtype))


__getattr__ = missing(__name__, __all__)
