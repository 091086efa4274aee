"""Placeholders and parameters made by hand: ``static.data``, ``create_global_var``, ``static.create_parameter``."""

from __future__ import annotations

from typing import Any

from minipaddle.core.dtype import default_float
from minipaddle.static.build import static_only
from minipaddle.static.program import default_main_program
from minipaddle.static.variable import Variable, meta_from

__all__ = ["data"]


def data(name: str, shape: Any, dtype: Any = None, lod_level: int = 0) -> Variable:
    """Declare what will be fed: a placeholder in the global Block.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/data_en.html)

    Args:
        name: by which it is fed.
        shape: sizes; None or -1 where they change from run to run.
        dtype: None: the default float type.
        lod_level: accepted.

    Raises:
        TypeError: **name** is no string, or **shape** no list or tuple.
        ValueError: **shape** or **data type** differs from an earlier declaration.
    """
    static_only("data")
    if not isinstance(name, str):
        raise TypeError(f"The type of 'name' in static.data must be str, but received {type(name).__name__}.")
    meta = meta_from(shape, default_float() if dtype is None else dtype)
    block = default_main_program().global_block()
    return block.create_var(name, meta.shape, meta.dtype, stop_gradient=True, is_data=True)
