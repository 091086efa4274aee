"""Arrays in JSON's words."""

from typing import Any

DIGITS = {"float64": 12, "float32": 8, "float16": 4}


def array(numbers: Any) -> dict[str, Any]:
    """Type, shape, and the elements with as many digits as the type carries."""
    kind = str(numbers.dtype)
    flat = numbers.ravel().tolist()
    data = [float(f"{one:.{DIGITS[kind]}g}") for one in flat] if kind in DIGITS else flat
    return {"dtype": kind, "shape": list(numbers.shape), "data": data}
