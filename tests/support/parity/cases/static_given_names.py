"""``name=`` in a Program: which outputs of a call have it, for every function that takes a name."""

import paddle

from tests.support.parity.graphs import S, feed, names
from tests.support.parity.kit import Family

cases = Family("static_given_names")
ALONE = """abs acos all any asin atan ceil conj cos cosh erf exp expm1 floor isfinite isinf isnan log log1p
    log2 neg numel reciprocal round rsqrt sign sin sinh sqrt square tan tanh"""
BOTH = """add allclose cdist complex divide dot equal expand_as floor_divide greater_equal greater_than heaviside
    isclose less_equal less_than maximum minimum mod multiply not_equal outer pow remainder subtract"""
TRUTHS = "bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor"
REDUCED = "amax amin argmax argmin logsumexp max mean min prod std sum"
SQUARE = "bmm cholesky det diag diagonal eigh inv inverse qr slogdet svd t trace"
ACTIVATIONS = """dropout elu gelu gumbel_softmax hardsigmoid hardswish label_smooth leaky_relu log_sigmoid log_softmax
    mish normalize relu relu6 selu sigmoid silu softmax softplus softshrink softsign swish tanh"""
LOSSES = """binary_cross_entropy binary_cross_entropy_with_logits kl_div l1_loss mse_loss sigmoid_focal_loss
    smooth_l1_loss"""

OTHER = ("F.", "empty", "outer")


class Functions(dict):
    """The functions of paddle and paddle.linalg by their names, as an expression asks for them."""

    def __missing__(self, name):
        for home in (paddle, paddle.linalg):
            if hasattr(home, name):
                return getattr(home, name)
        raise KeyError(name)


def named(call):
    """The names of the results of a call with ``name='N'``, of the next one with it, and of one without.

    Some are other operators than Paddle's: these are asked with a name only.
    """
    values = {
        "x": feed("x", 2, 3), "y": feed("y", 2, 3), "s": feed("s", 3, 3), "c": feed("c", 2, 3, 3),
        "b": feed("b", 2, 3, dtype="bool"), "i": feed("i", 2, 3, dtype="int64"),
        "rows": feed("rows", 2, dtype="int64"), "im": feed("im", 2, 3, 8, 8),
    }  # fmt: skip
    space = {"F": paddle.nn.functional, "S": S, **values}
    given = f"{call[:-1]}, name='N')"
    texts = (given, given) if call.startswith(OTHER) else (given, given, call)
    found = [eval(text, space, Functions()) for text in texts]
    return [names(one) if isinstance(one, (list, tuple)) else one.name for one in found]


for call in (
    *[f"{one}(x)" for one in f"{ALONE} {REDUCED}".split() if one not in ("all", "any")],
    *[f"{one}(b)" for one in ("all", "any")],
    *[f"{one}(x, 1)" for one in REDUCED.split()],
    *[f"{one}(x, y)" for one in BOTH.split()],
    *[f"{one}(b, b)" for one in TRUTHS.split()],
    *[f"{one}(s)" for one in SQUARE.split() if one != "bmm"],
    *[f"F.{one}(x)" for one in ACTIVATIONS.split()],
    *[f"F.{one}(x, y)" for one in LOSSES.split()],
    *cases.listed("calls"),
):
    cases.add(call, named, call)


def layer_named(call):
    """Names of the results of two layers of one name, and of one without a name."""
    values = {
        "x": feed("x", 2, 4),
        "y": feed("y", 2, 4),
        "c": feed("c", 2, 3, 4),
        "im": feed("im", 2, 4, 8, 8),
    }
    values["rows"] = feed("rows", 2, dtype="int64")
    call = call.replace("(3", "(4").replace("(1, 3)", "(1, 4)")
    given = call.replace(")(", ", name='N')(", 1).replace("(, ", "(")
    return [eval(f"paddle.nn.{text}", {"paddle": paddle} | values).name for text in (given, given, call)]


for call in cases.listed("layers"):
    cases.add(f"nn.{call}", layer_named, call)
