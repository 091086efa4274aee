"""What a sweep over all functions found."""

import paddle

from tests.support.parity.kit import Family, data, frozen

cases = Family("swept")
MATRIX, ROW = data(2, 3), data(3)

for number in (2, 2.5, True):
    for dtype in ("float32", "int64"):
        cases.add(
            f"{dtype} divided down by {number}",
            lambda number, dtype: [
                function(frozen([1, 3, 5]).astype(dtype), number)
                for function in (paddle.floor_divide, paddle.remainder, paddle.mod)
            ],
            number,
            dtype,
        )
