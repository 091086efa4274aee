"""Section 3: which operators hand on where sequences begin and end (LoD), and of which input, as the Program tells."""

import numpy as np
import paddle

from tests.support.parity.kit import Family

cases = Family("static_lods")
S, F = paddle.static, paddle.nn.functional
read, write = paddle.tensor.array_read, paddle.tensor.array_write


def place(name, shape, dtype="float32", levels=0):
    return S.data(name, shape, dtype, lod_level=levels)


def levels(call, shapes, dtypes, of):
    """The levels of what `call` gives when input number `of` has two."""
    places = [
        place(f"x{of}{n}", shape, dtype, 2 * (n == of))
        for n, (shape, dtype) in enumerate(zip(shapes, dtypes, strict=True))
    ]
    found = call(*places)
    return [one.lod_level for one in (found if isinstance(found, (list, tuple)) else [found])]


def case(name, call, *shapes, dtypes=None):
    """For each input the levels that the results have if it has some."""
    types = dtypes or ["float32"] * len(shapes)
    cases.add(name, lambda: [levels(call, shapes, types, of) for of in range(len(shapes))])


ROWS, SQUARE = [-1, 4], [4, 4]
ALONE = """
    abs acos acosh argmax argmin argsort asin asinh assign atan atanh bernoulli ceil cos cosh cummax cummin cumsum
    diag_embed diagonal digamma erf erfinv exp expm1 floor i0 i0e i1 i1e isfinite isinf isnan lgamma log log10 log1p
    log2 logcumsumexp logit logsumexp max mean min mode neg nonzero norm numel ones_like poisson prod rank reciprocal
    round rsqrt scale shape sign sin sinh sort sqrt square stanh std sum tan tanh tril triu trunc unbind unique var
    zeros_like
"""
PAIRS = """
    add allclose atan2 cross dist divide equal equal_all floor_divide fmax fmin greater_equal greater_than heaviside
    isclose kron less_equal less_than maximum minimum multiply nextafter not_equal pow remainder subtract
"""
FUNCTIONS = """
    celu dropout elu gelu gumbel_softmax hardshrink hardsigmoid hardswish leaky_relu log_sigmoid log_softmax mish relu
    relu6 rrelu selu sigmoid silu softmax softplus softshrink softsign swish tanhshrink thresholded_relu
"""
for name in ALONE.split():
    case(name, lambda x, name=name: getattr(paddle, name)(x), ROWS)
for name in FUNCTIONS.split():
    case(f"functional {name}", lambda x, name=name: getattr(F, name)(x), ROWS)
for name in PAIRS.split():
    case(name, lambda x, y, name=name: getattr(paddle, name)(x, y), [-1, 3], [-1, 3])
case("cumprod", lambda x: paddle.cumprod(x, 0), ROWS)
case("kthvalue", lambda x: paddle.kthvalue(x, 1), ROWS)
case("topk", lambda x: paddle.topk(x, 1), ROWS)
case("log_loss", F.log_loss, [-1, 1], [-1, 1])
for name in (
    "mse_loss",
    "smooth_l1_loss",
    "binary_cross_entropy",
    "kl_div",
    "binary_cross_entropy_with_logits",
):
    case(f"functional {name}", lambda x, y, name=name: getattr(F, name)(x, y, reduction="none"), ROWS, ROWS)
for name in ["bitwise_and", "bitwise_or", "bitwise_xor"]:
    case(name, lambda x, y, name=name: getattr(paddle, name)(x, y), ROWS, ROWS, dtypes=["int64", "int64"])
for name in ["logical_and", "logical_or", "logical_xor"]:
    case(name, lambda x, y, name=name: getattr(paddle, name)(x, y), ROWS, ROWS, dtypes=["bool", "bool"])
case("logical_not", paddle.logical_not, ROWS, dtypes=["bool"])
case("bitwise_not", paddle.bitwise_not, ROWS, dtypes=["int64"])

# -- where rows go somewhere else ------------------------------------------------------------------------------------

case("concat", lambda x, y: paddle.concat([x, y]), ROWS, ROWS)
case("concat of columns", lambda x, y: paddle.concat([x, y], 1), ROWS, ROWS)
case("stack", lambda x, y: paddle.stack([x, y]), ROWS, ROWS)
case("add_n", lambda x, y: paddle.add_n([x, y]), ROWS, ROWS)
case("unstack", lambda x: paddle.unstack(x, 1), ROWS)
case("split rows", lambda x: paddle.split(x, 2), [6, 4])
case("split columns", lambda x: paddle.split(x, 2, 1), ROWS)
case("split columns unevenly", lambda x: paddle.split(x, [1, 3], -1), ROWS)
case("split rows unevenly", lambda x: paddle.split(x, [2, 4], 0), [6, 4])
case("chunk", lambda x: paddle.chunk(x, 2, 1), ROWS)
case("slice of columns", lambda x: x[:, 1:2], ROWS)
case("one column", lambda x: x[:, 1], ROWS)
case("slice of rows", lambda x: x[0:2], ROWS)
case("slice of as many rows", lambda x: x[0:6], [6, 4])
case("one row", lambda x: x[0], ROWS)
case("slice of rows and columns", lambda x: x[0:2, 1:2], ROWS)
case("every second row", lambda x: x[::2], ROWS)
case("gather", paddle.gather, ROWS, [3], dtypes=["float32", "int64"])
case("gather_nd", paddle.gather_nd, ROWS, [3, 1], dtypes=["float32", "int64"])
case("index_select", paddle.index_select, ROWS, [3], dtypes=["float32", "int64"])
case("index_sample", paddle.index_sample, ROWS, [-1, 2], dtypes=["float32", "int64"])
case(
    "index_add",
    lambda x, i, v: paddle.index_add(x, i, 0, v),
    [6, 4],
    [2],
    [2, 4],
    dtypes=["float32", "int64", "float32"],
)
case("masked_select", paddle.masked_select, ROWS, ROWS, dtypes=["float32", "bool"])
case("scatter", paddle.scatter, ROWS, [2], [2, 4], dtypes=["float32", "int64", "float32"])
case("scatter_nd_add", paddle.scatter_nd_add, ROWS, [2, 1], [2, 4], dtypes=["float32", "int64", "float32"])
case(
    "take_along_axis",
    lambda x, i: paddle.take_along_axis(x, i, 1),
    [6, 4],
    [6, 2],
    dtypes=["float32", "int64"],
)
case("put_along_axis", lambda x, i, v: paddle.put_along_axis(x, i, v, 1), [6, 4], [6, 2], [6, 2],
     dtypes=["float32", "int64", "float32"])  # fmt: skip
case("where", paddle.where, ROWS, ROWS, ROWS, dtypes=["bool", "float32", "float32"])
case("flip", lambda x: paddle.flip(x, [0]), ROWS)
case("roll", lambda x: paddle.roll(x, 1), ROWS)
case("repeat_interleave", lambda x: paddle.repeat_interleave(x, 2, 0), ROWS)
case("tile of rows", lambda x: paddle.tile(x, [2, 1]), [6, 4])
case("tile of columns", lambda x: paddle.tile(x, [1, 2]), [6, 4])
case("expand to another first axis", lambda x: paddle.expand(x, [3, 6, 4]), [6, 4])
case("expand to as many", lambda x: paddle.expand(x, [6, 4]), [6, 1])
case("expand to as many by chance", lambda x: paddle.expand(x, [6, 6, 4]), [6, 4])
case("expand_as", paddle.expand_as, [6, 1], [6, 4])
case("transpose", lambda x: x.transpose([1, 0]), SQUARE)
case("reshape", lambda x: x.reshape([-1, 2, 2]), ROWS)
case("reshape to other rows", lambda x: x.reshape([12, 2]), [6, 4])
case("reshape to as many rows", lambda x: x.reshape([6, 2, 2]), [6, 4])
case("squeeze the first", lambda x: x.squeeze(0), [1, 4])
case("squeeze the last", lambda x: x.squeeze(-1), [-1, 1])
case("unsqueeze the first", lambda x: x.unsqueeze(0), ROWS)
case("unsqueeze the last", lambda x: x.unsqueeze(-1), ROWS)
case("flatten the rest", lambda x: x.flatten(1), [-1, 2, 2])
case("flatten", lambda x: x.flatten(), [6, 4])
case("cast", lambda x: x.astype("int64"), ROWS)
case("detach", lambda x: x.detach(), ROWS)
case("clip", lambda x: x.clip(0.0, 1.0), ROWS)

# -- networks and products -------------------------------------------------------------------------------------------

case("matmul", paddle.matmul, SQUARE, SQUARE)
case("mv", paddle.mv, SQUARE, [4])
case("bmm", paddle.bmm, [3, 4, 4], [3, 4, 4])
case("addmm", paddle.addmm, SQUARE, SQUARE, SQUARE)
case("dot", paddle.dot, [4], [4])
case("multi_dot", lambda x, y: paddle.linalg.multi_dot([x, y]), SQUARE, SQUARE)
case("einsum", lambda x, y: paddle.einsum("ij,jk->ik", x, y), SQUARE, SQUARE)
case("inverse", paddle.inverse, SQUARE)
case("solve", paddle.linalg.solve, SQUARE, SQUARE)
case("triangular_solve", paddle.linalg.triangular_solve, SQUARE, SQUARE)
case("lerp", paddle.lerp, SQUARE, SQUARE, SQUARE)
case("fc", lambda x: S.nn.fc(x, 3), ROWS)
case("embedding", lambda x: S.nn.embedding(x, [9, 3]), [-1], dtypes=["int64"])
case("embedding of weights", lambda i, w: F.embedding(i, w), [-1], [9, 4], dtypes=["int64", "float32"])
case("one_hot", lambda x: F.one_hot(x, 3), [-1], dtypes=["int64"])
case("layer_norm", S.nn.layer_norm, ROWS)
case("batch_norm", S.nn.batch_norm, ROWS)
case("prelu", lambda x: S.nn.prelu(x, "all"), ROWS)
case("conv2d", lambda x: S.nn.conv2d(x, 2, 1), [-1, 2, 3, 3])
case("max_pool2d", lambda x: F.max_pool2d(x, 2), [-1, 2, 4, 4])
case("adaptive_avg_pool2d", lambda x: F.adaptive_avg_pool2d(x, 2), [-1, 2, 4, 4])
case("pad", lambda x: F.pad(x, [0, 0, 1, 1]), ROWS)
case("maxout", lambda x: F.maxout(x, 2), [-1, 2, 3, 3])
case("softmax_with_cross_entropy", F.softmax_with_cross_entropy, ROWS, [-1, 1], dtypes=["float32", "int64"])
case("nll_loss", lambda x, y: F.nll_loss(x, y, reduction="none"), [6, 4], [6], dtypes=["float32", "int64"])
case("label_smooth", F.label_smooth, ROWS)
case("list", lambda x: read(write(x, paddle.zeros([1], "int64")), paddle.zeros([1], "int64")), ROWS)
case("print", lambda x: S.Print(x), ROWS)
case("cond", lambda x: S.nn.cond(paddle.full([], True, "bool"), lambda: x * 2, lambda: x * 3), ROWS)
case("static_pylayer", lambda x: S.nn.static_pylayer(lambda v: v * 2, [x], lambda g: g), ROWS)
case("sequence_pool", lambda x: S.nn.sequence_pool(x, "sum"), ROWS)
case("sequence_softmax", S.nn.sequence_softmax, [-1, 1])


@cases
def gradients_have_those_of_their_variables():
    x = place("x", ROWS, levels=2)
    x.stop_gradient = False
    y = paddle.exp(x)
    return [one.lod_level for one in S.gradients([(y * y).sum()], [x, y])]


@cases
def a_second_pass_too():
    x = place("x", ROWS, levels=2)
    x.stop_gradient = False
    loss = (paddle.exp(x) * x).sum()
    S.append_backward(loss, parameter_list=[x])
    pairs = S.append_backward(paddle.tanh(loss), parameter_list=[x])
    return [one.lod_level for _, one in pairs]


@cases
def what_is_called_like_a_gradient_or_a_level_is_none():
    place("x", ROWS, levels=1)
    other = place("x@GRAD", ROWS)
    return other.lod_level, paddle.exp(other).lod_level


@cases
def a_run_has_them_where_rows_stay():
    x = place("x", ROWS, levels=1)
    given = paddle.base.create_lod_tensor(np.ones([5, 4], "float32"), [[2, 3]], paddle.CPUPlace())
    outs = [
        x[:, :2],
        paddle.tanh(x),
        x[paddle.full([5], 0, "int64")],
        x.transpose([1, 0]),
        paddle.ones([5, 4]) + x,
    ]
    return [one.lod() for one in S.Executor().run(feed={"x": given}, fetch_list=outs, return_numpy=False)]
