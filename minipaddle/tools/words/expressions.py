"""Expressions written by users: a subset of Python, over arrays, with the functions listed here.

The prompt (``print EXPRESSION``) and breakpoints (``break if EXPRESSION``) parse them here, and define the names in
them. An expression may come from a stranger, such as in a file of commands: it can read numbers and nothing else. It
has no statements, no lambda, no attribute and no call that is not listed, and gets arrays that it cannot write to.
"""

import ast
import builtins
import math
from functools import partial
from typing import Any, cast

import numpy as np

from minipaddle.tools.words.language import phrase


def _import_numpy(name: str, *rest: Any) -> Any:
    """Return a module of NumPy: some array methods import one on first call. Expressions cannot call this."""
    if name.partition(".")[0] != "numpy":
        raise ImportError(f"an expression imports nothing: {name}")
    return __import__(name, *rest)


_OF_PYTHON = "abs all any bool enumerate float int len list map max min range round sorted sum tuple zip"
_OF_MATH = "sqrt log log10 exp isfinite"
_BUILTINS = {
    **{name: getattr(builtins, name) for name in _OF_PYTHON.split()},
    **{name: getattr(math, name) for name in _OF_MATH.split()},
}
_OF_ARRAYS = (
    "T all any argmax argmin argsort astype clip conj copy cumprod cumsum diagonal dot dtype flatten imag "
    "item itemsize max mean min nbytes ndim nonzero numpy prod ptp ravel real repeat reshape round searchsorted "
    "shape size squeeze std sum swapaxes take tolist trace transpose var kind name "
)
_OF_NUMPY = (
    "abs absolute add allclose angle arange arccos arcsin arctan arctan2 array array_equal asarray "
    "average bincount bool_ ceil column_stack concatenate corrcoef cos cosh count_nonzero cov cross "
    "cumsum deg2rad diag diff divide e eq einsum equal exp exp2 expand_dims expm1 eye fabs flip float16 "
    "float32 float64 floor fmax fmin full full_like greater greater_equal histogram hstack hypot inf "
    "inner int16 int32 int64 int8 isclose isfinite isin isinf isnan kron less less_equal linalg linspace "
    "log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor matmul maximum median "
    "meshgrid minimum mod moveaxis multiply nan nan_to_num nanargmax nanargmin nanmax nanmean nanmedian "
    "nanmin nanstd nansum nanvar negative newaxis norm not_equal ones ones_like outer percentile pi pinv "
    "power quantile reciprocal remainder roll sign sin sinh sort split sqrt square stack subtract tan "
    "tanh tensordot tile tril triu true_divide trunc uint8 unique vdot vstack where zeros zeros_like cond "
    "det eigh eigvals eigvalsh inv matrix_rank slogdet solve svd "
)
_ATTRIBUTES = frozenset((_OF_ARRAYS + _OF_NUMPY).split())
_SYNTAX = (
    *(ast.Expression, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp),
    *(ast.Call, ast.keyword, ast.Starred, ast.Attribute, ast.Subscript, ast.Slice),
    *(ast.Name, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.comprehension, ast.expr_context),
    *(ast.boolop, ast.operator, ast.unaryop, ast.cmpop),
)


class BadExpression(ValueError):
    """The text is no expression; the message has the reason, `kind` the name of Python's error."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class Expression:
    """A parsed expression, which can be evaluated many times. Raises BadExpression if `text` is no expression.

    >>> Expression("abs(g) > 2").evaluate({"g": -3})
    True
    """

    def __init__(self, text: str) -> None:
        try:
            tree = ast.parse(text, "<expression>", "eval")
            for node in ast.walk(tree):
                if why := _refused(node):
                    kind = "OverflowError" if isinstance(node, ast.BinOp) else "SyntaxError"
                    raise BadExpression(why, kind)
            self._code = compile(tree, "<expression>", "eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            if isinstance(error, BadExpression):
                raise
            raise BadExpression(str(error), type(error).__name__) from error
        called = [_called(node) for node in ast.walk(tree)]
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        own = {node.id for node in names if isinstance(node.ctx, ast.Store)}  # of comprehensions
        self.names = tuple(dict.fromkeys(node.id for node in names if node.id not in {*called, *own}))
        """The names that it needs; the functions that it calls are not among them."""

    def evaluate(self, meaning: dict[str, Any]) -> Any:
        """Return the result with names bound by `meaning`; errors in the expression propagate."""
        space = {name: _to_read(value) for name, value in meaning.items()}
        return eval(self._code, {**space, "__builtins__": {**_BUILTINS, "__import__": _import_numpy}})


def _called(node: ast.AST) -> str:
    """Return the name of the function called at a node, if it is a call of one; else ""."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _refused(node: ast.AST) -> str:
    """Return why a node has no place in an expression; "" if it has."""
    if not isinstance(node, _SYNTAX):
        return phrase("{what} has no place in an expression; `!` runs Python", what=type(node).__name__)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _is_endless(node):
        return phrase("{what} has too many digits", what=ast.unparse(node))
    if isinstance(node, ast.Attribute) and node.attr not in _ATTRIBUTES:
        return phrase("{what} is not for expressions; `!` runs Python", what=f".{node.attr}")
    if isinstance(node, ast.Name) and node.id.startswith("__"):
        return phrase("names like __this__ are not for expressions: {name}", name=node.id)
    if (name := _called(node)) and name not in _BUILTINS:
        known = ", ".join(sorted(_BUILTINS))
        return phrase("{what}() is not for expressions; there are {names}", what=name, names=known)
    if isinstance(node, ast.Call) and not isinstance(node.func, (ast.Name, ast.Attribute)):
        return phrase("only what has a name can be called")
    return ""


def _is_endless(power: ast.BinOp) -> bool:
    """Return whether an integer power, such as 10**10**10, would take more than a megabit."""
    base, exponent = _whole(power.left), _whole(power.right)
    return base is not None and exponent is not None and exponent * base.bit_length() > 1_000_000


def _whole(node: ast.AST) -> int | None:
    """Return the integer at a node, written as a literal or a power; None if there is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_endless(node):
        base, exponent = _whole(node.left), _whole(node.right)
        return base**exponent if base is not None and exponent is not None and exponent >= 0 else None
    return None


def _to_read(value: Any) -> Any:
    """Return an array as a read-only view, which has a Tensor's methods; everything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    view = value.view(_Numbers)
    view.flags.writeable = False
    return view


class _Numbers(np.ndarray):
    """An array with those methods of a Tensor that are functions in NumPy: ``w.grad.abs().max()``."""

    def __array_wrap__(self, array: Any, *about: Any) -> Any:
        if array.ndim == 0:
            return array[()]  # a number, as NumPy's own
        return super().__array_wrap__(array, *about)

    def __getattr__(self, name: str) -> Any:
        function = {"norm": np.linalg.norm, "numpy": np.asarray}.get(name, getattr(np, name, None))
        if name not in ("norm", "numpy") and not isinstance(function, np.ufunc):
            raise AttributeError(f"a tensor here has no {name}")
        return partial(cast(Any, function), self)
