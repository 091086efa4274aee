"""Section 2: variables, parameters, placeholders, and when gradients stop."""

import paddle

from tests.support.parity.graphs import var_line
from tests.support.parity.kit import Family

cases = Family("static_variables")
S = paddle.static


def _block():
    return S.default_main_program().global_block()


def facts(variable):
    """What can be read of a variable."""
    return {
        "line": var_line(variable),
        "dtype is": variable.dtype == getattr(paddle, str(variable.dtype).rpartition(".")[2]),
        "str": str(variable.dtype),
        "shape": [isinstance(variable.shape, tuple), list(variable.shape), variable.ndim],
        "class": type(variable).__name__,
    }


# -- create_var ---------------------------------------------------------------------------------------------------


# -- parameters ---------------------------------------------------------------------------------------------------


# -- placeholders -------------------------------------------------------------------------------------------------


# -- what a variable answers --------------------------------------------------------------------------------------


# -- stop_gradient ------------------------------------------------------------------------------------------------
