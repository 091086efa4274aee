"""static.nn: layers as functions, which make their parameters where they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.core.dtype import as_numpy
from minipaddle.core.errors import failure
from minipaddle.core.meta import Meta
from minipaddle.names.unique import unique_name
from minipaddle.nn import functional as F
from minipaddle.nn.parameter.create import make_parameter
from minipaddle.ops.linalg.mul import mul
from minipaddle.ops.linalg.product import add_n
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.search.topk import hit_rate, largest_k
from minipaddle.static.build import layer, static_only
from minipaddle.static.program import Variable

__all__ = ["accuracy", "activated", "checked_input", "embedding", "fc", "parameter_maker"]


def checked_input(value: Any, function: str, argument: str = "input") -> Variable:
    """Return `value`, if it is a Variable of floats.

    Raises:
        TypeError: **input**, if it is something else.
    """
    if not isinstance(value, Variable):
        raise failure(
            TypeError,
            f"The type of '{argument}' in {function} must be Variable, but received {type(value)}.",
            "declare a placeholder with paddle.static.data, or make a constant with paddle.assign(array)",
        )
    if value.meta.dtype.kind != "f":
        raise failure(
            TypeError,
            f"The data type of '{argument}' in {function} must be float16, float32 or float64, but received "
            f"{value.meta.dtype.name}.",
            "x.astype('float32')",
        )
    return value


def parameter_maker(name: str, dtype: Any) -> Callable[..., Any]:
    """Return the function (shape, attr, is_bias, default_initializer) that makes parameters of the layer `name`."""

    def make(shape: Any, attr: Any, is_bias: bool = False, default_initializer: Any = None) -> Any:
        return make_parameter(lambda: name, shape, attr, dtype, is_bias, default_initializer)

    return make


def activated(y: Variable, activation: str | None) -> Variable:
    """Return the function of that name of `y`.

    Raises:
        ValueError: naming it, if there is none.
    """
    if activation is None:
        return y
    function = getattr(F, activation, None)
    if function is None:
        raise failure(ValueError, f"There is no activation {activation!r} in paddle.nn.functional.")
    found: Variable = function(y)
    return found


def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Variable:
    """Make a fully connected layer: ``activation(x @ w + b)``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/fc_en.html)

    Args:
        x: any float Variable, or a list of them: each gets a weight of its own, the products are added up.
        size: number of outputs.
        num_flatten_dims: so many axes stay, the others become one.
        weight_attr: a ``ParamAttr``; for a list of inputs perhaps a list.
        bias_attr: a ``ParamAttr``; False: no bias.
        activation: name of a function in ``paddle.nn.functional``.
        name: beginning of all names; by default ``fc_N``.

    Raises:
        TypeError: **input** is no Variable of floats.
    """
    static_only("fc")
    own = name or unique_name("fc")
    inputs = [checked_input(one, "fc") for one in (x if isinstance(x, (list, tuple)) else [x])]
    attrs = list(weight_attr) if isinstance(weight_attr, (list, tuple)) else [weight_attr] * len(inputs)
    make = parameter_maker(own, inputs[0].meta.dtype)
    with layer(own):
        parts = []
        for one, attr in zip(inputs, attrs, strict=True):
            kept = num_flatten_dims % (one.ndim + 1) if num_flatten_dims < 0 else num_flatten_dims
            parts.append(mul(one, make([_width(one.meta, kept), size], attr), x_num_col_dims=kept))
        y = parts[0] if len(parts) == 1 else add_n(parts)
        bias = make([size], bias_attr, is_bias=True)
        if bias is not None:
            y = add(y, bias)
            y.op.printed["axis"] = kept
        return activated(y, activation)


def _width(meta: Meta, kept: int) -> int:
    """Return the size of the axes from `kept` on, taken together.

    Raises:
        ValueError: if one of them is not known.
    """
    width = 1
    for size in meta.shape[kept:]:
        width *= size
        if size < 0:
            raise failure(
                ValueError,
                f"fc needs to know the sizes of the axes from {kept} on, but the shape of the input is "
                f"{list(meta.shape)}.",
                "declare them in paddle.static.data; only the first num_flatten_dims axes may be -1",
            )
    return width


def embedding(
    input: Any,
    size: Any,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Variable:
    """Make a table and take its rows.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/embedding_en.html)

    Args:
        input: row numbers, int64 or int32, any shape.
        size: of the table: [rows, width].
        is_sparse: accepted; gradients are dense.
        is_distributed: accepted.
        padding_idx: a row that reads as zeros; negative counts from the end.
        param_attr: a ``ParamAttr``.
        dtype: of the table.

    Raises:
        TypeError: **input** is no Variable.
    """
    static_only("embedding")
    if not isinstance(input, Variable):
        raise TypeError(f"The type of 'input' in embedding must be Variable, but received {type(input)}.")
    if input.meta.dtype.kind not in "iu":
        raise TypeError(
            f"The data type of 'input' in embedding must be int64, but received {input.meta.dtype.name}."
        )

    name = unique_name("embedding")
    table = parameter_maker(name, as_numpy(dtype))(list(size), param_attr)
    with layer(name):
        found: Variable = F.embedding(input, table, padding_idx)
        return found


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None) -> Variable:
    """Return the share of rows of `input` whose `label` is among the `k` best: a 0-D float32.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/accuracy_en.html)

    Args:
        input: scores [N, classes].
        label: [N, 1], int64.
        k: how many guesses count.
        correct: accepted.
        total: accepted.

    Raises:
        TypeError: **input** is no Variable of floats.
    """
    static_only("accuracy")
    checked_input(input, "accuracy")
    with layer(unique_name("accuracy")):
        best, indices = largest_k(input, k, sorted=False)
        found: Variable = hit_rate(best, indices, label)[0]
        return found
