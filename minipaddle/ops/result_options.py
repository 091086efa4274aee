"""Result options: what is to happen with the result of a function (:mod:`minipaddle.engine.core.calling.keywords`)."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.calling.keywords import apply_options
from minipaddle.ops.creation.assign import assign
from minipaddle.ops.place import on_cpu


@apply_options.filled
def with_options(
    result: Any, out: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Any:
    """Return `result`, written into `out` (into several, if the function has several results), asking for a gradient.

    Raises:
        ValueError: **The device should not be**, for another one than the CPU.
        RuntimeError: **Pinning memory is not supported**.
    """
    if device is not None:
        on_cpu(device)
    if pin_memory:
        raise RuntimeError("Pinning memory is not supported for Place(cpu)")
    if isinstance(out, (list, tuple)):
        result = tuple([assign(one, into) for one, into in zip(result, out, strict=True)])
    elif out is not None:
        result = assign(result, out)
    if requires_grad:
        result.stop_gradient = False
    return result
