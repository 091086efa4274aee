"""The bytes of one tensor, as ``paddle.save(x, path, use_binary_format=True)`` and Paddle 2 have them.

A zero of 4 bytes (the version), one of 8 (no sequences), again one of 4; the size of a description; the description,
which is a message of protobuf with the type and the sizes of the axes; the numbers.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

import numpy as np

from minipaddle.engine.core.dtype import no_bfloat16
from minipaddle.engine.core.meta import Array
from minipaddle.ops.common.dtype_code import code_of, dtype_of_code

HEAD = bytes(16)
"""What every such file begins with; no pickle does."""
_BFLOAT16 = 22


def packed(array: Array) -> bytes:
    """Return the bytes of an array."""
    described = (
        b"\x08" + _varint(code_of(array.dtype)) + b"".join([b"\x10" + _varint(size) for size in array.shape])
    )
    return HEAD + struct.pack("<i", len(described)) + described + np.ascontiguousarray(array).tobytes()


def unpacked(content: bytes) -> Array:
    """Return the array that bytes begin with.

    Raises:
        ValueError: if they are damaged, or of another kind.
    """
    start = len(HEAD) + 4
    (length,) = struct.unpack_from("<i", content.ljust(start, b"\0"), len(HEAD))
    fields = list(_fields(content[start : start + length])) if 0 < length <= len(content) - start else []
    keys = [key for key, _ in fields]
    if not content.startswith(HEAD) or not keys or keys != [8, *[16] * (len(keys) - 1)]:
        raise ValueError("it describes no tensor")
    code, shape = fields[0][1], tuple([size for _, size in fields[1:]])
    if code == _BFLOAT16:
        raise ValueError(no_bfloat16())
    dtype = dtype_of_code(code)
    count = math.prod(shape)
    if len(content) - start - length != count * dtype.itemsize:
        raise ValueError(f"its description asks for {count * dtype.itemsize} bytes of numbers")
    return np.frombuffer(content, dtype, count, start + length).reshape(shape).copy()


def _varint(number: int) -> bytes:
    """Return a number, seven bits to a byte, the least first; each byte but the last has the eighth set."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _fields(message: bytes) -> Iterator[tuple[int, int]]:
    """Yield the key of each field of a message, and its number."""
    numbers: list[int] = []
    number = shift = 0
    for byte in message:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    yield from zip(numbers[::2], numbers[1::2])
