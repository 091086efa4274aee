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
    "sum of two axes": unary("sum", axis=[0, 1]),
    "pow number": unary("pow", y=2.0),
    "pow root": unary("pow", y=0.5),
    "clip": unary("clip", min=0.5, max=1.0),
    "matmul transpose_y": binary("matmul", transpose_y=True),
    "matmul transpose_x": binary("matmul", transpose_x=True),
    "matmul parameter": lambda x, y: paddle.matmul(x, _parameter(3, 5)),
    "reshape": unary("reshape", shape=[-1]),
    "transpose": unary("transpose", perm=[1, 0]),
    "unsqueeze": unary("unsqueeze", axis=1),
    "squeeze": lambda x, y: paddle.squeeze(paddle.unsqueeze(x, 1), 1),
    "concat": lambda x, y: paddle.concat([x, y]),
    "concat axis": lambda x, y: paddle.concat([x, y], axis=1),
    "stack": lambda x, y: paddle.stack([x, y]),
    "stack axis": lambda x, y: paddle.stack([x, y], axis=1),
    "split": lambda x, y: paddle.split(x, 3, axis=1),
    "split sections": lambda x, y: paddle.split(x, [1, 2], axis=1),
    "split one used": lambda x, y: paddle.split(x, 3, axis=1)[1],
    "scale": unary("scale", scale=2.0, bias=1.0),
    "cast": unary("cast", dtype="float64"),
    "cast to integer": unary("cast", dtype="int64"),
    "where": lambda x, y: paddle.where(x > y, x, y),
    "expand": lambda x, y: paddle.expand(x[0], [2, 3]),
    "gather": lambda x, y: paddle.gather(x, constant([1, 0, 1])),
    "cross_entropy": lambda x, y: F.cross_entropy(x, _label(-1, 1)),
    "softmax_with_cross_entropy": lambda x, y: F.softmax_with_cross_entropy(x, _label(-1, 1)),
    "square_error_cost": lambda x, y: F.square_error_cost(x, y),
    "lookup_table_v2": lambda x, y: F.embedding(_label(-1), _parameter(5, 2)) * paddle.mean(x),
    "ones_like": unary("ones_like"),
    "zeros_like": unary("zeros_like"),
    "full_like": unary("full_like", fill_value=2.0),
    "arg_max": unary("argmax", axis=1),
    "full": lambda x, y: paddle.full([2], 3.0),
    "assign values": lambda x, y: constant(np.float32([1.0, 2.0])),
    "detach": lambda x, y: x.detach(),
    "clone": lambda x, y: x.clone(),
    **{name: binary(name) for name in ("equal", "not_equal", "less_than", "less_equal", "greater_than")},
    "greater_equal": binary("greater_equal"),
    "fan out": lambda x, y: paddle.sum(paddle.exp(x) + paddle.tanh(x)),
    "broadcast": lambda x, y: x + paddle.mean(y, axis=0),
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
    "mse_loss": lambda x, y: F.mse_loss(x, y),
    "dropout in test": unary("dropout", F, p=0.3, training=False),
    "l1_loss": lambda x, y: F.l1_loss(x, y),
    "binary_cross_entropy": lambda x, y: F.binary_cross_entropy(F.sigmoid(x), y.detach()),
    "binary_cross_entropy_with_logits": lambda x, y: F.binary_cross_entropy_with_logits(x, y.detach()),
    "cross_entropy 1-D": lambda x, y: F.cross_entropy(x, _label(-1)),
    "cross_entropy none": lambda x, y: F.cross_entropy(x, _label(-1), reduction="none"),
    "cross_entropy soft": lambda x, y: F.cross_entropy(x, F.softmax(y).detach(), soft_label=True),
    "pow": binary("pow"),  # minipaddle's gradient operator keeps Out, too
    "tile": unary("tile", repeat_times=[2, 1]),
    "broadcast_to": lambda x, y: paddle.broadcast_to(x[0], [2, 3]),
    "index_select": lambda x, y: paddle.index_select(x, constant([1, 0])),
    "chunk": lambda x, y: paddle.chunk(x, 3, axis=1),
    "x[None]": lambda x, y: x[None],
    "x[::2]": lambda x, y: x[::2],
    "x.T": lambda x, y: x.T,
    "floor_divide": binary("floor_divide"),
    "mod": lambda x, y: paddle.mod(x.detach(), y.detach()),
    "zeros": lambda x, y: paddle.zeros([2]),
    "ones int": lambda x, y: paddle.ones([2], "int64"),
    "arange": lambda x, y: paddle.arange(3),
    "one_hot": lambda x, y: F.one_hot(_label(-1), 4),
    "max of two": lambda x, y: paddle.max(paddle.maximum(x, y)),
}
for text, fn in MORE.items():
    cases.add(f"more {text}", unlisted, fn)
