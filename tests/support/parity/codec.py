"""Results of cases as plain JSON values and back to something comparable.

An array becomes `{"dtype": .., "shape": .., "data": flat list}`, a refusal
`{"error": .., "words": .., "message": ..}`.
"""

import re
from typing import Any

import numpy as np

from .kit import Refusal

DIGITS = {"float64": 14, "float32": 9, "float16": 5}
MESSAGE_LENGTH = 160
USER_STACK = re.compile(r"In user code:\n\n.*?\n\n *", re.DOTALL)


def encode(value: Any) -> Any:
    """`value` as nested dicts, lists, numbers, strings."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return round_to(value, 14)
    if isinstance(value, Refusal):
        return {"error": value.kind, "words": list(value.words), "message": summary(value.message)}
    if isinstance(value, dict):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return encode_array(np.asarray(value.numpy() if hasattr(value, "numpy") else value))


def encode_array(array: np.ndarray) -> dict[str, Any]:
    """One array; floats keep as many digits as their dtype carries, complex numbers are two arrays."""
    if array.dtype.kind == "c":
        return {"type": str(array.dtype), "real": encode_array(array.real), "imag": encode_array(array.imag)}
    flat = array.ravel().tolist()
    digits = DIGITS.get(str(array.dtype))
    numbers = [round_to(x, digits) for x in flat] if digits else flat
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": numbers}


def round_to(number: float, digits: int) -> float:
    """`number` with that many significant digits."""
    return float(f"{number:.{digits}g}")


def summary(message: str) -> str:
    """The part of an error text a reader needs: Paddle prints stacks, of C++ and of the user's code, before it.

    Addresses, counters and paths are blotted out, so that two recordings of the same behaviour are the same.
    """
    text = USER_STACK.sub("In user code: ", message.rpartition("Error Message Summary:")[2].lstrip("\n-"))
    steady = re.sub(r"0x[0-9a-f]+|(?<=_)\d+|(?<= )/\S+/tests/", "#", " ".join(text.split()))
    return steady[:MESSAGE_LENGTH]
