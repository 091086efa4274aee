"""Calls over every dtype, recorded from Paddle 3.3.1: one expression on each line of `dtype_calls.txt`.

Those under `# hostile` work on vectors of numbers that are hard for their type (zero, the limits, nan, infinities),
those under `# plain` on small matrices of easy ones, those under `# shapes` on tensors without axes or elements, and
those under `# more shapes` on such ones again, of a few dtypes, and on tensors that are broadcast.
The text of a call and the name of a dtype are its key in the record; one line of text is what it answers.
"""

from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["DTYPES", "answer", "calls"]

DTYPES = (
    "bool", "uint8", "int8", "int16", "int32", "int64",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
FEW = ("int64", "float32", "complex64")
DIGITS = {"float16": 3, "float32": 6, "float64": 9, "complex64": 6, "complex128": 9}


def calls() -> dict[str, tuple[str, ...]]:
    """The expressions, each with the dtypes that it is for."""
    found: dict[str, tuple[str, ...]] = {}
    dtypes = DTYPES
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.startswith("# "):
            dtypes = FEW if line == "# more shapes" else DTYPES
        else:
            found[line] = dtypes
    return found


def hostile(dtype: str) -> tuple[list[Any], list[Any]]:
    """Two lists of numbers that are hard for the type; none of the second is an integer zero."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return [False, True, True, False], [True, True, False, False]
    if kind == "f":
        top = float(np.finfo(dtype).max)
        some = [0.0, -1.0, 0.5, 3.0, -10.0, top, np.nan, np.inf, -np.inf]
        return some, [0.0, 2.0, -0.5, 0.0, 3.0, top, 1.0, np.inf, 2.0]
    if kind == "c":
        return [0, -1, 1j, 0.5 + 0.5j, -2 - 1j, 3], [1, 2j, -1, 0.5 - 0.5j, 1 + 1j, 2]
    least, top = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    return [0, least, top, 3, top - 1, 5, 7], [1, 2, top, 2, 3, 7, 5]


def names(paddle: Any, dtype: str) -> dict[str, Any]:
    """What the expressions may use; tensors of `dtype` want gradients, where that is possible."""
    first, second = hostile(dtype)
    turn = 0.25j if np.dtype(dtype).kind == "c" else 0
    half = 2 if np.dtype(dtype).kind in "fc" else 1
    x = (np.array([[1, 3, 2], [6, 5, 4]]) + turn) / half
    y = (np.array([[2, 1, 3], [1, 4, 2]]) - turn) / half
    arrays = {
        "h": first, "k": second, "zero": [0] * len(first), "x": x, "y": y, "v": x[0], "q": x[:, :2],
        "q3": np.stack([x[0], x[1], y[0]]), "s": x[0, 1], "e": np.zeros((0, 3)),
    }  # fmt: skip
    if np.dtype(dtype).kind == "b":
        arrays = {name: np.asarray(array) % 2 == 1 for name, array in arrays.items()}
    found = {
        name: paddle.to_tensor(np.asarray(array, np.dtype(dtype)), dtype, stop_gradient=False)
        for name, array in arrays.items()
    }
    others = {"i": np.array([1, 0]), "j": np.array([[1, 0], [0, 2]]), "empty": np.zeros(0, "int64")}
    found |= {name: paddle.to_tensor(array) for name, array in others.items()}
    found["b"] = paddle.to_tensor(np.array([[True, False, True], [False, False, True]]))
    return found


def answer(paddle: Any, call: str, dtype: str) -> str:
    """Dtype, shape and numbers of what the call returns, and of the gradients under an uneven seed; or the error."""
    space = names(paddle, dtype)
    try:
        out = eval(call, {"paddle": paddle, "F": paddle.nn.functional, **space})
        out = out[0] if isinstance(out, list) else out
        parts = [text(out)]
    except Exception as error:
        return type(error).__name__
    if out.stop_gradient:
        return parts[0]
    inputs = {name: one for name, one in space.items() if not one.stop_gradient}
    try:
        kind = np.dtype(named(out))
        ramp = np.arange(1, out.numpy().size + 1).reshape(out.shape)
        seed = ramp * (1 + 0.5j) if kind.kind == "c" else ramp
        seeds = [paddle.to_tensor(seed.astype(kind), out.dtype)]
        grads = paddle.grad([out], list(inputs.values()), seeds, allow_unused=True)
        parts += [f"d{name} {text(grad)}" for name, grad in zip(inputs, grads) if grad is not None]
    except Exception as error:
        parts.append(type(error).__name__)
    return " | ".join(parts)


def named(tensor: Any) -> str:
    """The name of its dtype."""
    return str(tensor.numpy().dtype)


def text(tensor: Any) -> str:
    """Write dtype, shape and numbers."""
    name = named(tensor)
    array = tensor.numpy()
    shape = ",".join(map(str, array.shape))
    return f"{name}[{shape}] {' '.join(number(one, name) for one in array.reshape(-1))}".rstrip()


def number(value: Any, dtype: str) -> str:
    """Write a number with as many digits as its type is good for."""
    if value.dtype.kind not in "fc":
        return str(int(value))
    digits = DIGITS[dtype]
    if value.dtype.kind == "f":
        return f"{float(value):.{digits}g}"
    return f"{value.real:.{digits}g}{value.imag:+.{digits}g}j"
