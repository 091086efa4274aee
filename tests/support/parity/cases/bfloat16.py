"""bfloat16, bit for bit: `numpy()` gives the bits of each number as uint16."""

import io
import pickle

import numpy as np
import paddle

from tests.support.parity.kit import Family, raises

cases = Family("bfloat16")
RNG = np.random.default_rng(16)
WIDE = (RNG.normal(size=(3, 4)) * 10.0 ** RNG.integers(-6, 6, (3, 4))).astype("float32")
NEAR = RNG.uniform(0.3, 3.0, (3, 4)).astype("float32")
TIES = np.array(
    [1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, 3.4e38, 3.39e38, 1e-39, np.inf, -0.0], "float32"
)


def brain(array, **options):
    return paddle.to_tensor(array, dtype="bfloat16", **options)


def named(dtype):
    return str(dtype).rpartition(".")[2].lower()


CALLS = {
    "a number added": lambda x: x + 0.25,
    "a number taken away from": lambda x: 1 - x,
    "times a number": lambda x: x * 2.75,
    "over a number": lambda x: x / 3.0,
    "times itself": lambda x: x * x,
    "minus another": lambda x: x - brain(NEAR[::-1].copy()),
    "to a power of another": lambda x: brain(NEAR) ** brain(NEAR[::-1].copy()),
    "sum": lambda x: x.sum(),
    "sum of rows": lambda x: x.sum(1),
    "maximum": lambda x: paddle.maximum(x, brain(NEAR)),
    "floor": paddle.floor,
    "floor divided": lambda x: x // 0.7,
    "reshape and transpose": lambda x: x.reshape([4, 3]).T,
    "index": lambda x: x[1:, ::2],
    "gather": lambda x: paddle.gather(x, paddle.to_tensor([2, 0])),
    "stack": lambda x: paddle.stack([x, x]),
    "expand": lambda x: paddle.expand(x, [2, 3, 4]),
    "add_n": lambda x: paddle.add_n([x, x, x]),
    "clone": lambda x: x.clone(),
    "float32 and back": lambda x: (x.astype("float32") * 1.1).astype("bfloat16"),
}


def with_gradient(call):
    x = brain(NEAR, stop_gradient=False)
    y = call(x)
    paddle.autograd.backward([y], [brain(RAMP[: y.numpy().size].reshape(y.shape))])
    return [y, x.grad]


RAMP = np.linspace(0.25, 4.0, 24).astype("float32")
for name, call in CALLS.items():
    cases.add(f"call: {name}", with_gradient, call)
for name in ("log", "log2", "log10", "log1p"):
    cases.add(f"call: {name}", lambda f: f(brain(NEAR)), getattr(paddle, name))
for dtype in ("float16", "float32", "float64", "int64", "bool"):
    cases.add(f"cast to {dtype}", lambda t: brain(NEAR).astype(t), dtype)
cases.add("rounding", lambda: [brain(WIDE), brain(TIES), paddle.to_tensor(WIDE).astype("bfloat16")])
cases.add("rounding of doubles", lambda: paddle.to_tensor(NEAR.astype("float64") * 1.0001).astype("bfloat16"))


@cases
def printing():
    return [repr(brain(WIDE)), str(brain(1.5)), repr(brain([[0.5], [-2.0]]))]


@cases
def numbers():
    x = brain([1.5, 3.14159])
    return [x.numpy(), np.asarray(x), x[1].item(), float(x[1]), f"{x[1]:.3f}", x.itemsize, x.element_size()]


@cases
def bits_are_taken():
    bits = np.array([16256, 16416, 49280], "uint16")
    return [paddle.to_tensor(bits), named(paddle.to_tensor(bits).dtype), named(brain([1.0]).dtype)]


@cases
def where_types_meet():
    x = brain(NEAR)
    found = [(x * x.astype(t)).dtype for t in ("float16", "float32", "float64")]
    found += [(x * 2).dtype, (x - 1.5).dtype, (paddle.to_tensor(2) * x).dtype]
    found += [(x[0, 0] - paddle.to_tensor([1.5])).dtype, (x * paddle.to_tensor(1.5)).dtype]
    return [*map(named, found), raises(lambda: x * x.astype("int64"), "Type promotion only support")]


@cases
def creation():
    made = [paddle.zeros([2], "bfloat16"), paddle.ones([2], "bfloat16"), paddle.full([2], 1.3, "bfloat16")]
    made += [
        paddle.zeros_like(brain(NEAR)),
        paddle.full_like(brain(NEAR), 0.7),
        brain(NEAR).astype("bfloat16"),
    ]
    return [*made, paddle.to_tensor([1.3]).bfloat16(), paddle.to_tensor([1.3]).cast_("bfloat16")]


@cases
def random_streams():
    paddle.seed(11)
    found = [
        paddle.rand([5], "bfloat16"),
        paddle.randn([5], "bfloat16"),
        paddle.uniform([5], "bfloat16", -2.0, 3.0),
    ]
    return [*found, paddle.rand([2])]


@cases
def limits():
    info = paddle.finfo("bfloat16")
    return [
        info.min,
        info.max,
        info.eps,
        info.tiny,
        info.smallest_normal,
        info.bits,
        info.dtype,
        info.resolution,
    ]


@cases
def gradients_add_up_and_are_hooked():
    x = brain(NEAR, stop_gradient=False)
    x.register_hook(lambda grad: grad * 1.1)
    (x * 3.3).sum().backward()
    (x * 1.7).sum().backward()
    y = paddle.to_tensor(NEAR, stop_gradient=False)
    (y.astype("bfloat16") * 3.3).sum().backward()
    return [x.grad, y.grad]


@cases
def views_of_bytes():
    x = brain(NEAR)
    return [x.view("float16"), x.view("int32"), x.view("int8"), paddle.to_tensor(NEAR).view("bfloat16")]


@cases
def files():
    def through(content):
        file = io.BytesIO()
        paddle.save(content, file)
        raw = pickle.loads(file.getvalue())
        return raw["w"] if isinstance(raw, dict) else raw[1], paddle.load(io.BytesIO(file.getvalue()))

    bits, state = through({"w": brain(NEAR)})
    alone, tensor = through(brain(NEAR))
    return [bits, state["w"], named(state["w"].dtype), alone, tensor]


@cases
def layers():
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.BatchNorm1D(2)).bfloat16()
    other = paddle.nn.Linear(2, 2).to(dtype="bfloat16")
    kept = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.BatchNorm1D(2))
    kept.bfloat16(excluded_layers=[paddle.nn.Linear])
    return [[named(one.dtype) for one in one.state_dict().values()] for one in (net, other, kept)]


@cases
def an_optimizer():
    weight = paddle.create_parameter([3], "bfloat16", default_initializer=paddle.nn.initializer.Constant(1.0))
    training = paddle.optimizer.SGD(0.01, parameters=[weight])
    for _ in range(4):
        (weight * brain([1.0, 2.0, 3.0])).sum().backward()
        training.step()
        training.clear_grad()
    return weight


@cases
def the_default_type():
    paddle.set_default_dtype("bfloat16")
    try:
        return [paddle.get_default_dtype(), paddle.to_tensor([1.3]), paddle.zeros([1]), paddle.full([1], 0.3)]
    finally:
        paddle.set_default_dtype("float32")


@cases
def what_is_supported():
    return [paddle.amp.is_bfloat16_supported(), paddle.amp.is_float16_supported()]
