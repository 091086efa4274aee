"""Section 10: which operators a call appends, what their gradients keep, and the numbers of both."""

import numpy as np
import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, names, run
from tests.support.parity.kit import Family, data

cases = Family("static_ops")
S = paddle.static
F = paddle.nn.functional


def _label(*shape):
    return feed("label", *shape, dtype="int64", stop=True)


def _parameter(*shape):
    given = paddle.nn.initializer.Assign(data(*shape, seed=3).astype("float32"))
    return S.create_parameter(list(shape), "float32", name="w", default_initializer=given)


def constant(values):
    return paddle.assign(np.asarray(values))


def unary(name, home=paddle, **options):
    return lambda x, y: getattr(home, name)(x, **options)


def binary(name, **options):
    return lambda x, y: getattr(paddle, name)(x, y, **options)


def build(fn):
    """Two flowing inputs of shape [-1, 3] with positive numbers below 2; the outputs as a list."""
    x, y = feed("x", -1, 3), feed("y", -1, 3)
    outs = fn(x, y)
    return x, y, list(outs) if isinstance(outs, (list, tuple)) else [outs]


def _fed():
    numbers = {"x": data(2, 3, seed=1, low=0.2, high=1.8), "y": data(2, 3, seed=2, low=0.2, high=1.8)}
    arrays = {name: array.astype("float32") for name, array in numbers.items()}
    label_var = S.default_main_program().global_block().vars.get("label")
    if label_var is not None:
        arrays["label"] = np.array([[1], [2]] if label_var.ndim == 2 else [1, 2])
    return arrays


def listed(fn):
    """The listing with gradients of the flowing outputs, their names, and all values."""
    x, y, outs = build(fn)
    flowing = [out for out in outs if not out.stop_gradient]
    grads = S.gradients(flowing, [x, y]) if flowing else []
    program = details()
    found = [g for g in grads if g is not None]
    values = run(outs + found, _fed())
    return {"outs": names(outs), "grads": names(grads), "listing": program, "values": values}


def unlisted(fn):
    """Like `listed` for operators that the section does not have: names, shapes, dtypes and values."""
    x, y, outs = build(fn)
    flowing = [out for out in outs if not out.stop_gradient]
    found = [g for g in S.gradients(flowing, [x, y]) if g is not None] if flowing else []
    kinds = [[out.name, list(out.shape), str(out.dtype)] for out in outs]
    return {"outs": kinds, "grads": names(found), "values": run(outs + found, _fed())}


def programmed(fn):
    """Only names and operators: for what is random or prints."""
    x, y, outs = build(fn)
    flowing = [out for out in outs if not out.stop_gradient]
    return {"grads": names(S.gradients(flowing, [x, y])), "ops": details()[0]["ops"]}


TABLE = {
    **{name: unary(name) for name in ("exp", "tanh", "sqrt", "square", "log", "abs", "sin", "cos", "assign")},
    **{name: unary(name, F) for name in ("sigmoid", "relu", "softmax", "log_softmax")},
    **{name: unary(name) for name in ("mean", "sum", "max", "min")},
    **{f"{name} axis": unary(name, axis=1) for name in ("mean", "sum", "max", "min")},
    **{f"{name} keepdim": unary(name, axis=[-1], keepdim=True) for name in ("mean", "sum", "max")},
    **{name: binary(name) for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum")},
    **{name: binary(name) for name in ("equal", "not_equal", "less_than", "less_equal", "greater_than")},
    **cases.table("table", globals()),
}
for text, fn in TABLE.items():
    cases.add(text, listed, fn)
cases.add("softmax axis", listed, unary("softmax", F, axis=0), tolerance=1e-3)  # the gradient is rounding
cases.add("dropout", programmed, unary("dropout", F, p=0.3))
cases.add("dropout in test", programmed, unary("dropout", F, p=0.3, training=False))
cases.add("dropout downscale", programmed, unary("dropout", F, p=0.3, mode="downscale_in_infer"))
cases.add("print", programmed, lambda x, y: S.Print(x, message="here"))

SLICES = cases.table("slices", globals())
for text, fn in SLICES.items():
    cases.add(text, listed, fn)

MORE = {
    **{
        name: unary(name) for name in ("prod", "rsqrt", "floor", "ceil", "round", "sign", "erf", "reciprocal")
    },
    **{name: unary(name) for name in ("sinh", "cosh", "tan", "atan", "log1p", "log2", "expm1")},
    **{name: unary(name) for name in ("logsumexp", "t", "flatten")},
    **{name: unary(name, F) for name in ("gelu", "softplus", "leaky_relu", "elu", "silu", "swish", "relu6")},
    **cases.table("more", globals()),
}
for text, fn in MORE.items():
    cases.add(f"more {text}", unlisted, fn)
