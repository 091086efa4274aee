"""Masks with zeros in every group of m: which elements stay, and whether a matrix is as sparse as that."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array


class MaskAlgo(Enum):
    """How a mask is made."""

    MASK_1D = "get_mask_1d"
    MASK_2D_GREEDY = "get_mask_2d_greedy"
    MASK_2D_BEST = "get_mask_2d_best"


class CheckMethod(Enum):
    """How a mask is looked at."""

    CHECK_1D = "check_mask_1d"
    CHECK_2D = "check_mask_2d"

    @staticmethod
    def get_checking_method(mask_algo: MaskAlgo) -> CheckMethod:
        """Return the way to look at what an algorithm made.

        Raises:
            AssertionError: `mask_algo` is none.
        """
        assert isinstance(mask_algo, MaskAlgo), "mask_algo should be MaskAlgo type"
        return CheckMethod.CHECK_1D if mask_algo is MaskAlgo.MASK_1D else CheckMethod.CHECK_2D


def calculate_density(x: Any) -> float:
    """Return the share of the elements that are not zero.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/asp/calculate_density_en.html)
    """
    array = np.asarray(x)
    return float(np.count_nonzero(array)) / array.size


def _padded(mat: Array, rows: int, columns: int) -> Array:
    """Return a matrix, with zeros behind it up to multiples of both."""
    return np.pad(mat, [(0, -mat.shape[0] % rows), (0, -mat.shape[1] % columns)])


def _groups(mat: Array, m: int) -> Array:
    """Return the rows of a matrix in groups of m, one below the other."""
    return _padded(mat, 1, m).reshape(-1, m)


def _tiles(mat: Array, m: int) -> Iterator[tuple[tuple[slice, slice], Array]]:
    """Return the squares of m by m of a matrix, each with its place."""
    whole = _padded(mat, m, m)
    for row, column in product(range(0, whole.shape[0], m), range(0, whole.shape[1], m)):
        place = (slice(row, row + m), slice(column, column + m))
        yield place, whole[place]


def check_mask_1d(mat: Any, n: int, m: int) -> bool:
    """Return whether `n` in every `m` that stand side by side are zero; zeros are put behind a short row."""
    return bool((np.count_nonzero(_groups(np.asarray(mat), m), axis=1) <= m - n).all())


def get_mask_1d(mat: Any, n: int, m: int) -> Array:
    """Return a mask that leaves out, of every `m` that stand side by side, the `n` smallest."""
    array = np.asarray(mat)
    groups = _groups(array, m)
    mask = np.ones_like(groups)
    np.put_along_axis(mask, np.argsort(np.abs(groups), axis=1)[:, :n], 0, axis=1)
    return mask.reshape(array.shape[0], -1)[:, : array.shape[1]]


def check_mask_2d(mat: Any, n: int, m: int) -> bool:
    """Return whether in every square of `m` by `m`, `n` of each row are zero, or `n` of each column, as Paddle asks."""
    for _, tile in _tiles(np.asarray(mat), m):
        by_rows, by_columns = (np.count_nonzero(tile, axis=axis) <= m - n for axis in (1, 0))
        if not by_rows.all() and not by_columns.all():
            return False
    return True


def get_mask_2d_greedy(mat: Any, n: int, m: int) -> Array:
    """Return a mask that keeps, in every square, the largest first, at most `n` of each row and of each column."""
    array = np.asarray(mat)
    mask = np.zeros(_padded(array, m, m).shape)
    for place, tile in _tiles(array, m):
        kept = np.zeros((m, m))
        for cell in np.argsort(np.abs(tile), axis=None, kind="stable")[::-1]:
            row, column = divmod(int(cell), m)
            if kept[row].sum() < n and kept[:, column].sum() < n:
                kept[row, column] = 1
        mask[place] = kept
    return mask[: array.shape[0], : array.shape[1]]


@cache
def _patterns(n: int, m: int) -> Array:
    """Return every square of `m` by `m` with `n` ones in each row and each column."""
    rows = [np.isin(np.arange(m), chosen).astype(float) for chosen in combinations(range(m), n)]
    squares = (np.array(some) for some in product(rows, repeat=m))
    return np.array([square for square in squares if (square.sum(axis=0) == n).all()])


def get_mask_2d_best(mat: Any, n: int, m: int) -> Array:
    """Return the mask that keeps most, of those with `n` of each row and of each column of every square."""
    array, patterns = np.asarray(mat), _patterns(n, m)
    mask = np.zeros(_padded(array, m, m).shape)
    for place, tile in _tiles(array, m):
        mask[place] = patterns[np.argmax((patterns * np.abs(tile)).sum(axis=(1, 2)))]
    return mask[: array.shape[0], : array.shape[1]]


_ALGORITHMS: dict[str, Any] = {
    "get_mask_1d": get_mask_1d,
    "get_mask_2d_greedy": get_mask_2d_greedy,
    "get_mask_2d_best": get_mask_2d_best,
    "check_mask_1d": check_mask_1d,
    "check_mask_2d": check_mask_2d,
}


def _as_matrix(array: Array) -> Array:
    """Return a tensor of up to four axes as a matrix; of a convolution's weights, the third axis lies along rows.

    Raises:
        ValueError: **is not supported**, for more axes.
    """
    if array.ndim > 4:
        raise ValueError(
            f"Only dimension <= 4 is supported, the dimension of input tensor is not: {array.ndim}"
        )
    if array.ndim == 4:
        return array.transpose(0, 1, 3, 2).reshape(-1, array.shape[2])
    return array.reshape(-1, array.shape[-1])


def create_mask(tensor: Any, func_name: MaskAlgo = MaskAlgo.MASK_1D, n: int = 2, m: int = 4) -> Array:
    """Return the mask of a tensor, of its shape and type.

    Raises:
        AssertionError: **is only accepted as type MaskAlgo**.
        ValueError: **is supported**, for more than four axes.
    """
    assert isinstance(func_name, MaskAlgo), (
        f"func_name argument of create_mask is only accepted as type MaskAlgo. But got {type(func_name)}"
    )
    array = np.asarray(tensor)
    mask = _ALGORITHMS[func_name.value](_as_matrix(array), n, m).astype(array.dtype)
    if array.ndim == 4:
        first, second, third, fourth = array.shape
        return np.asarray(mask.reshape(first, second, fourth, third).transpose(0, 1, 3, 2))
    return np.asarray(mask.reshape(array.shape))


def check_sparsity(
    tensor: Any, func_name: CheckMethod = CheckMethod.CHECK_1D, n: int = 2, m: int = 4
) -> bool:
    """Return whether a tensor of up to four axes has as many zeros as a mask of `n` and `m`.

    Raises:
        AssertionError: **is only accepted as type CheckMethod**.
        ValueError: **is supported**, for more than four axes.
    """
    assert isinstance(func_name, CheckMethod), (
        f"func_name argument of check_sparsity is only accepted as type CheckMethod. But got {type(func_name)}"
    )
    return bool(_ALGORITHMS[func_name.value](_as_matrix(np.asarray(tensor)), n, m))
