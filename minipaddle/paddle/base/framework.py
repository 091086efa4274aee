"""paddle.base.framework: the current mode, and the classes of parameters; Programs are in ``paddle.static``."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.dtype import DTYPES, DType, as_numpy
from minipaddle.paddle.framework.static_mode import in_dynamic_mode
from minipaddle.paddle.nn.parameter.parameter import Parameter

__all__ = [
    "EagerParamBase", "Parameter", "convert_np_dtype_to_dtype_", "grad_var_name", "in_dygraph_mode",
    "in_dynamic_or_pir_mode", "in_pir_mode",
]  # fmt: skip

EagerParamBase = Parameter
in_dygraph_mode = in_dynamic_or_pir_mode = in_dynamic_mode


def in_pir_mode() -> bool:
    """Return False: Programs have Blocks and Operators, as in Paddle 2.6."""
    return False


def convert_np_dtype_to_dtype_(np_dtype: Any) -> DType:
    """Return Paddle's data type for one of NumPy's, or for a name.

    Raises:
        TypeError: if there is none.
    """
    return DTYPES[as_numpy(np_dtype).name]


def grad_var_name(var_name: str) -> str:
    """Return the name of the gradient of a Variable with this name: ``x@GRAD``."""
    return f"{var_name}@GRAD"


__getattr__ = missing(__name__, __all__)
