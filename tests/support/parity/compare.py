"""Compare two encoded results; a difference is a line `path: what differs`."""

from collections.abc import Iterator
from typing import Any

import numpy as np

TOLERANCE = {"float64": 1e-10, "float32": 1e-5, "float16": 2e-3}
SMALL = 1e-3  # below this size errors are judged absolutely: what cancels to zero has no relative error


def differences(wanted: Any, got: Any, tolerance: float | None = None, path: str = "result") -> Iterator[str]:
    """All places where `got` is not `wanted`."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        kind = dict_kind(wanted)
        yield from kind(wanted, got, tolerance, path)
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for i, (a, b) in enumerate(zip(wanted, got, strict=True)):
            yield from differences(a, b, tolerance, f"{path}[{i}]")
    elif isinstance(wanted, float) and isinstance(got, float):
        yield from numbers(np.array(wanted), np.array(got), tolerance or TOLERANCE["float64"], path)
    elif type(wanted) is not type(got) or wanted != got:
        yield f"{path}: {brief(got)}, Paddle has {brief(wanted)}"


def dict_kind(wanted: dict[str, Any]) -> Any:
    """Arrays and refusals have rules of their own."""
    if set(wanted) == {"dtype", "shape", "data"}:
        return arrays
    return refusals if set(wanted) == {"error", "words", "message"} else mappings


def mappings(
    wanted: dict[str, Any], got: dict[str, Any], tolerance: float | None, path: str
) -> Iterator[str]:
    """Same keys, same values."""
    if set(wanted) != set(got):
        yield f"{path}: keys {sorted(got)}, Paddle has {sorted(wanted)}"
        return
    for key in wanted:
        yield from differences(wanted[key], got[key], tolerance, f"{path}.{key}")


def refusals(
    wanted: dict[str, Any], got: dict[str, Any], tolerance: float | None, path: str
) -> Iterator[str]:
    """Same exception type; and `got` was asked for every key word of `wanted`.

    That its whole message has the words that it was asked for is seen to where a case runs (`collect.checked`): a
    message without them has another `error`. Here messages are cut short.
    """
    if got.get("error") != wanted["error"]:
        mine = f"{got.get('error')} ({got.get('message', '')})"
        yield f"{path}: {mine}, Paddle raises {wanted['error']}: {wanted['message']}"
    elif unasked := [word for word in wanted["words"] if word not in got["words"]]:
        yield f"{path}: the case does not ask for the key words {unasked}"


def arrays(wanted: dict[str, Any], got: dict[str, Any], tolerance: float | None, path: str) -> Iterator[str]:
    """dtype and shape exactly; floats within the tolerance of their dtype, everything else exactly."""
    for key in ("dtype", "shape"):
        if got.get(key) != wanted[key]:
            yield f"{path}: {key} {got.get(key)}, Paddle has {wanted[key]}"
            return
    allowed = (tolerance or TOLERANCE[wanted["dtype"]]) if wanted["dtype"] in TOLERANCE else 0.0
    yield from numbers(np.array(wanted["data"]), np.array(got["data"]), allowed, path)


def numbers(wanted: np.ndarray, got: np.ndarray, allowed: float, path: str) -> Iterator[str]:
    """Relative to the largest finite number of the array."""
    if not allowed:
        same = np.array_equal(wanted, got)
    else:
        size = np.max(np.abs(wanted), where=np.isfinite(wanted), initial=SMALL)
        same = np.allclose(got, wanted, rtol=allowed, atol=allowed * size, equal_nan=True)
    if not same:
        yield f"{path}: {brief(got.tolist())}, Paddle has {brief(wanted.tolist())}"


def brief(value: Any) -> str:
    """`value` in at most 100 characters."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."
