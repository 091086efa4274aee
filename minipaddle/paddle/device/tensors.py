"""``paddle.FloatTensor(2, 3)`` and its like: tensors of one type, by the names of another library's.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/device/FloatTensor_en.html)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.ops.creation.full import zeros

__all__ = [
    "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor",
    "IntTensor", "LongTensor", "ShortTensor",
]  # fmt: skip


def _of(dtype: str) -> Callable[..., Any]:
    def tensor(*args: Any) -> Any:
        sizes = all(isinstance(one, int) for one in args)
        if sizes:
            return zeros(list(args) or [0], dtype=dtype)
        if len(args) > 1:
            raise ValueError(
                "(InvalidArgument) the first argument should be what a tensor can be made of, alone, or all "
                f"arguments sizes; received {len(args)} arguments"
            )
        return to_tensor(args[0]).astype(dtype)

    tensor.__doc__ = (
        f"Return a {dtype} tensor of these sizes, of zeros; or with the content of a list, array or tensor."
    )
    return tensor


FloatTensor, DoubleTensor, HalfTensor = _of("float32"), _of("float64"), _of("float16")
BFloat16Tensor = _of("bfloat16")
ByteTensor, CharTensor, ShortTensor = _of("uint8"), _of("int8"), _of("int16")
IntTensor, LongTensor, BoolTensor = _of("int32"), _of("int64"), _of("bool")
