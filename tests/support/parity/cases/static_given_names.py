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
CALLS = """
    add_n([x, y]) | addmm(s, s, s) | arange(0, 4, 1) | argsort(x) | bernoulli(x) | bincount(rows) | bmm(c, c)
    bitwise_not(b) | broadcast_to(x, [4, 2, 3]) | chunk(x, 3, 1) | clip(x, 0.0, 1.0) | clone(x) | concat([x, y])
    cross(s, s) | cumprod(x, 1) | cumsum(x) | cumsum(x, 1) | empty([2]) | empty_like(x) | eye(3)
    expand(x, [4, 2, 3]) | flatten(x)
    flip(x, [0]) | full([2], 1.0) | full_like(x, 2.0) | gather(x, rows) | index_select(x, rows) | linspace(0, 1, 5)
    masked_select(x, b) | matmul(s, s) | mm(s, s) | moveaxis(x, 0, 1) | multinomial(x) | mv(s, s[0]) | nan_to_num(x)
    norm(x) | norm(x, p=2, axis=1) | norm(x, p=1, axis=1) | normal(0.0, 1.0, [2]) | ones([2]) | ones_like(x) | rand([2])
    randint(0, 5, [2]) | randint_like(x, 0, 5) | randn([2]) | randperm(4) | repeat_interleave(x, 2) | reshape(x, [-1])
    roll(x, 1) | scale(x, 2.0) | scatter(x, rows, y) | scatter_nd(i[:, 0:1], y, [5, 3]) | zeros([2]) | zeros_like(x)
    scatter_nd_add(x, i[:, 0:1], y) | solve(s, s) | sort(x) | split(x, 3, 1) | squeeze(x, [0]) | stack([x, y])
    standard_normal([2]) | tile(x, [2, 1]) | topk(x, 2) | transpose(x, [1, 0]) | triangular_solve(s, s) | tril(x)
    triu(x) | uniform([2]) | unique(rows) | unsqueeze(x, 0) | where(b, x, y) | F.adaptive_avg_pool2d(im, 2)
    F.adaptive_max_pool2d(im, 2) | F.avg_pool1d(c, 2) | F.avg_pool2d(im, 2) | F.max_pool1d(c, 2) | F.max_pool2d(im, 2)
    F.conv1d(c, c) | F.conv2d(im, im) | F.conv2d(im, im, x[:, 0]) | F.cross_entropy(x, rows) | logical_not(b)
    F.embedding(i, s) | F.glu(im) | F.grid_sample(im, im[:, :, :, 0:2]) | F.instance_norm(im) | F.unfold(im, 2)
    F.interpolate(im, [4, 4]) | F.layer_norm(x, [3]) | F.linear(s, s) | F.linear(s, s, s[0]) | F.nll_loss(x, rows)
    F.margin_ranking_loss(x, y, y) | F.one_hot(i, 4) | F.prelu(im, x[0, 0:1]) | F.temporal_shift(im, 2)
    F.softmax(x, dtype='float64') | F.log_softmax(x, dtype='float64') | S.nn.fc(x, 2) | S.nn.fc(x, 2, activation='relu')
    S.nn.cond(b[0, 0:1], lambda: x * 2, lambda: x + 1)
"""


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
    *[one.strip() for line in CALLS.splitlines() for one in line.split(" | ") if one.strip()],
):
    cases.add(call, named, call)


LAYERS = """
    Linear(3, 4)(x) | Embedding(5, 3)(rows) | Dropout(0.5)(x) | MaxPool2D(2)(im) | AvgPool2D(2)(im) | Softmax()(x)
    AdaptiveAvgPool2D(2)(im) | AdaptiveMaxPool2D(2)(im) | ReLU()(x) | Sigmoid()(x) | Tanh()(x) | GELU()(x) | ELU()(x)
    LeakyReLU()(x) | Softplus()(x) | Softsign()(x) | Silu()(x) | Swish()(x) | Mish()(x) | Hardswish()(x) | ReLU6()(x)
    Hardsigmoid()(x) | LogSigmoid()(x) | Softshrink()(x) | PReLU()(x) | Upsample(scale_factor=2)(im) | GLU()(im)
    CrossEntropyLoss()(x, rows) | L1Loss()(x, y) | NLLLoss()(x, rows) | BCELoss()(x, y) | BCEWithLogitsLoss()(x, y)
    LayerNorm(3)(x) | GroupNorm(1, 3)(im) | SELU()(x) | AvgPool1D(2)(c) | MaxPool1D(2)(c)
"""


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


for call in [one.strip() for line in LAYERS.splitlines() for one in line.split(" | ") if one.strip()]:
    cases.add(f"nn.{call}", layer_named, call)
