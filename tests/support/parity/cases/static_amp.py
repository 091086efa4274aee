"""static.amp: which casts are inserted, what is minimized, how the loss is scaled.

A CPU has no kernels of float16: where a Program is rewritten as for a GPU, by lists that hold nothing unsupported, only
its listing is recorded.
"""

import warnings

import numpy as np
import paddle
from paddle.static.amp.amp_nn import check_finite_and_unscale, update_loss_scaling

from tests.support.parity.graphs import S, calls, feed, listing, pairs, run
from tests.support.parity.kit import Family, raises

cases = Family("static_amp")
amp, F = paddle.static.amp, paddle.nn.functional
X = np.linspace(-1, 1, 12, dtype="float32").reshape(4, 3)
Y = np.linspace(0, 1, 4, dtype="float32").reshape(4, 1)


def everywhere(dtype="float16", **options):
    """Lists as a GPU has them."""
    found = amp.AutoMixedPrecisionLists(dtype=dtype, **options)
    found.unsupported_list = set(options.get("custom_black_list") or ())
    return found


def dense(x, size, **options):
    """A fully connected layer that starts with numbers that are easy to repeat."""
    constant = paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.1))
    return S.nn.fc(x, size, weight_attr=constant, **options)


def network():
    """The loss of a small network."""
    hidden = F.softmax(dense(feed("x", 4, 3, stop=True), 5, activation="relu"))
    return paddle.mean(F.square_error_cost(dense(hidden, 1), feed("y", 4, 1, stop=True)))


def half_marked():
    """The loss of a small network, of which the beginning is marked."""
    with amp.fp16_guard():
        hidden = dense(feed("x", 4, 3, stop=True), 5, activation="relu")
    return paddle.mean(F.square_error_cost(dense(hidden, 1), feed("y", 4, 1, stop=True)))


def sgd(**options):
    """What updates."""
    return paddle.optimizer.SGD(0.1, **options)


def minimized(decorated, make=network, steps=0):
    """Listings of both Programs after minimize, and values of some steps."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loss, optimizer = make(), decorated()
        _, found = optimizer.minimize(loss)
    answer = {
        "main": listing(),
        "startup": [op.type for op in S.default_startup_program().global_block().ops],
        "pairs": pairs(found),
        "scaled": getattr(optimizer.get_scaled_loss(), "name", None),
        "scale": optimizer.get_loss_scaling().name,
    }
    if steps:
        exe = S.Executor()
        exe.run(S.default_startup_program())
        fetched = [loss, optimizer.get_loss_scaling(), *[one for one, _ in found]]
        answer["values"] = [exe.run(feed={"x": X, "y": Y}, fetch_list=fetched) for _ in range(steps)]
    return answer


cases.add("O1 on a CPU", minimized, lambda: amp.decorate(sgd()), network, 3)
cases.add("O1 older on a CPU", minimized, lambda: amp.decorate(sgd(), use_fp16_guard=False), network, 3)
cases.add("a constant scale", minimized, lambda: amp.decorate(
    sgd(), init_loss_scaling=8.0, use_dynamic_loss_scaling=False), network, 2)  # fmt: skip
cases.add("bfloat16 on a CPU", minimized, lambda: amp.decorate(sgd(), dtype="bfloat16"), network, 2)
cases.add("the scale grows", minimized, lambda: amp.decorate(sgd(), incr_every_n_steps=2), network, 5)
cases.add("O1", minimized, lambda: amp.decorate(sgd(), everywhere()))
cases.add("O1 with promotion", minimized, lambda: amp.decorate(sgd(), everywhere(), use_promote=True))
cases.add("O1 bfloat16", minimized, lambda: amp.decorate(sgd(), everywhere("bfloat16"), dtype="bfloat16"))
cases.add("O1 with lists", minimized, lambda: amp.decorate(
    sgd(), everywhere(custom_white_list=["softmax"], custom_black_list=["elementwise_add"])))  # fmt: skip
cases.add("O1 with names", minimized, lambda: amp.decorate(
    sgd(), everywhere(custom_black_varnames=["fc_1.w_0"])))  # fmt: skip


def without_masters(**options):
    """Level O2 whose parameters have no float32 twins."""
    return lambda: amp.decorate(sgd(), everywhere(), level="O2", master_weight=False, **options)


cases.add("O2", minimized, without_masters())
cases.add("O2 within the guard", minimized, without_masters(use_amp_guard=True), half_marked)
cases.add("O2 without scaling", minimized, without_masters(
    init_loss_scaling=1.0, use_dynamic_loss_scaling=False))  # fmt: skip
cases.add("O2 with promotion", minimized, without_masters(use_promote=True))


def cast_model(level, make=network, **options):
    """The listing of a rewritten Program, and what became 16 bits."""
    make()
    program = S.default_main_program()
    names = amp.cast_model_to_fp16(program, everywhere(), use_fp16_guard=False, level=level, **options)
    return {"main": listing(), "names": sorted(names)}


for level in ("O1", "O2"):
    cases.add(f"cast_model_to_fp16 {level}", cast_model, level)
    cases.add(f"cast_model_to_fp16 {level} of types", lambda level=level: cast_model(level, with_types))


def with_types():
    """The loss of a network that names types, and writes over what it has read."""
    x = feed("x", 4, 3, stop=True)
    hidden = dense(x, 5, activation="relu")
    paddle.assign(hidden * paddle.full([1], 2.0, "float32"), hidden)
    count = paddle.cast(hidden.sum(), "float64")
    hidden = hidden + paddle.cast(count, "float32") * paddle.ones_like(hidden)
    out = dense(paddle.concat([hidden, hidden], axis=1), 1)
    return paddle.mean(F.square_error_cost(out, feed("y", 4, 1, stop=True)))


cases.add("OD", minimized, lambda: amp.decorate(sgd(), everywhere(), level="OD"))
cases.add("O2 with gradients in float32", minimized, without_masters(master_grad=True))
cases.add("bfloat16 whose scale is to change", minimized, lambda: amp.decorate(
    sgd(), dtype="bfloat16", use_dynamic_loss_scaling=True), network, 1)  # fmt: skip


def begun_in_float16(**options):
    """The parameters and their twins as amp_init leaves them."""
    loss = network()
    optimizer = amp.decorate(paddle.optimizer.Momentum(0.1), everywhere(), level="O2", master_weight=True)
    optimizer.minimize(loss)
    S.Executor().run(S.default_startup_program())
    optimizer.amp_init(paddle.CPUPlace(), **options)
    scope = S.global_scope()
    names = [
        name for name in S.default_main_program().global_block().vars if ".w_0" in name or ".b_0" in name
    ]
    found = {name: scope.find_var(name) for name in sorted(names)}
    return {
        name: np.array(one.get_tensor())
        for name, one in found.items()
        if one is not None and one.get_tensor()._is_initialized()
    }


cases.add("O2 begun", begun_in_float16)
cases.add("O2 begun with its twins", lambda: begun_in_float16(rewrite_master_weight=True))


@cases
def marked_operators():
    half_marked()
    scopes = [op.attr("op_namescope") for op in S.default_main_program().global_block().ops]
    return ["__use_fp16__" in scope for scope in scopes]  # the number behind it counts all of the process


# -- the two operators ------------------------------------------------------------------------------------------------


def scaled(grads, scale=4.0, good=0, bad=0, **options):
    """Gradients, scale and counts after both operators."""
    given = [feed(f"g{place}", 2, stop=True) for place in range(len(grads))]
    state = [
        S.create_global_var([1], value, dtype, persistable=True, name=name)
        for name, value, dtype in (("s", scale, "float32"), ("g", good, "int32"), ("b", bad, "int32"))
    ]
    xs = [x * 1.0 for x in given]
    _, found = check_finite_and_unscale(xs, state[0], name="found")
    update_loss_scaling(xs, found, *state, 2, 2, 2.0, 0.5, name="update", **options)
    data = {f"g{place}": np.float32(grad) for place, grad in enumerate(grads)}
    return {"program": listing(), "values": run([found, *xs, *state], data)}


inf, nan = np.inf, np.nan
for text, given in {
    "finite": ([[8, 8], [1, 1]], {}),
    "infinite": ([[8, 8], [inf, 1], [4, 4]], {}),
    "good steps": ([[8, 8]], {"good": 1}),
    "bad steps": ([[nan, 8]], {"bad": 1}),
    "a good step after a bad one": ([[8, 8]], {"bad": 1}),
    "at least 1": ([[inf, 8]], {"bad": 1, "scale": 1.5}),
    "at most what float32 holds": ([[8, 8]], {"good": 1, "scale": 3e38}),
    "no update": ([[inf, 8]], {"bad": 1, "stop_update": True}),
}.items():
    grads, options = given
    cases.add(f"scaling {text}", lambda grads=grads, options=options: scaled(grads, **options))


def linear():
    """The loss of a layer."""
    out = dense(feed("x", 4, 3, stop=True), 1)
    return paddle.mean(F.square_error_cost(out, feed("y", 4, 1, stop=True)))


def overflowing(make):
    """Parameters, scale and loss of steps of which the second overflows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loss, optimizer = linear(), amp.decorate(make(), decr_every_n_nan_or_inf=1)
        _, found = optimizer.minimize(loss)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    fetched = [loss, optimizer.get_loss_scaling(), *[one for one, _ in found]]
    fed = [X, np.where(X > 0.9, inf, X).astype("float32"), X]
    return [exe.run(feed={"x": x, "y": Y}, fetch_list=fetched)[1:] for x in fed]


cases.add("overflow with SGD", overflowing, sgd)
cases.add("overflow with Momentum", overflowing, lambda: paddle.optimizer.Momentum(0.1))
cases.add("overflow with Adam", overflowing, lambda: paddle.optimizer.Adam(0.1), tolerance=1e-4)
cases.add("overflow with AdamW", overflowing, lambda: paddle.optimizer.AdamW(0.1), tolerance=1e-4)


# -- bfloat16 of a CPU ------------------------------------------------------------------------------------------------


def in_bfloat16(pure, guard=False):
    """Listings of both Programs of decorate_bf16."""
    bf16 = amp.bf16
    if guard:
        with bf16.bf16_guard():
            hidden = dense(feed("x", 4, 3, stop=True), 5, activation="relu")
        loss = paddle.mean(F.square_error_cost(dense(hidden, 1), feed("y", 4, 1, stop=True)))
    else:
        loss = network()
    optimizer = bf16.decorate_bf16(sgd(), use_pure_bf16=pure, use_bf16_guard=guard)
    optimizer.minimize(loss, S.default_startup_program())
    return {"main": listing(), "startup": calls(S.default_startup_program())}


cases.add("bf16", in_bfloat16, False)
cases.add("bf16 pure", in_bfloat16, True)
cases.add("bf16 within the guard", in_bfloat16, True, True)


def by_lists(make, **options):
    """The listing of a Program rewritten for bfloat16 by lists of one's own."""
    make()
    lists = amp.bf16.AutoMixedPrecisionListsBF16(**options)
    amp.bf16.rewrite_program_bf16(S.default_main_program(), lists)
    return listing()


cases.add("bf16 with names", lambda: by_lists(network, custom_fp32_varnames={"fc_1.w_0"}))
cases.add(
    "bf16 with lists", lambda: by_lists(network, custom_bf16_list={"softmax"}, custom_fp32_list={"relu"})
)
cases.add("bf16 of types", by_lists, with_types)


def begun_in_bfloat16(pure):
    """Listing of a test Program that amp_init has rewritten, and the parameters as it leaves them."""
    loss = network()
    tested = S.default_main_program().clone(for_test=True)
    optimizer = amp.bf16.decorate_bf16(sgd(), use_pure_bf16=pure, use_bf16_guard=False)
    optimizer.minimize(loss)  # the startup program stays float32
    exe = S.Executor()
    exe.run(S.default_startup_program())
    optimizer.amp_init(paddle.CPUPlace(), test_program=tested, use_bf16_test=True)
    scope, parameters = S.global_scope(), S.default_main_program().all_parameters()
    values = {one.name: np.array(scope.find_var(one.name).get_tensor()) for one in parameters}
    return {"test": listing(tested), "values": values}


cases.add("bf16 begun", begun_in_bfloat16, False)
cases.add("bf16 pure begun", begun_in_bfloat16, True)


@cases
def bits_of_bfloat16():
    return amp.bf16.convert_float_to_uint16(np.float32([[1.0, -2.5], [3.14159, 1e-30]]))


# -- lists and mistakes -----------------------------------------------------------------------------------------------


@cases
def lists():
    found = amp.CustomOpLists({"exp"}, {"conv2d"})
    return ["exp" in found.white_list, "exp" in found.black_list, "conv2d" in found.black_list]


@cases
def errors():
    return [
        raises(lambda: amp.AutoMixedPrecisionLists({"exp"}, {"exp"}), "overlaps"),
        raises(lambda: amp.AutoMixedPrecisionLists(dtype="float64"), "dtype should be"),
        raises(lambda: amp.decorate(sgd(), level="O3"), "level should be"),
        raises(lambda: amp.decorate(sgd(), dtype="int8"), "dtype should be"),
        raises(lambda: amp.decorate(sgd()).get_loss_scaling(), "Please call"),
        raises(lambda: amp.decorate(sgd()).amp_init(paddle.CPUPlace()), "Please call"),
        raises(lambda: amp.bf16.decorate_bf16(sgd()).amp_init(paddle.CPUPlace()), "Please call"),
        raises(lambda: amp.bf16.AutoMixedPrecisionListsBF16({"exp"}, {"exp"}), "overlap"),
        raises(lambda: check_finite_and_unscale(feed("a", 2), feed("b", 1)), "x"),
    ]
