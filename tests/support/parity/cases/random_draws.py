"""What is drawn by the rarer names: bit for bit where no function follows the draw; fills, generators, refusals."""

import numpy as np
import paddle

from tests.support.parity.cases.random_streams import drawn
from tests.support.parity.kit import Family, raises

cases = Family("random_draws")
F = paddle.nn.functional
init = paddle.nn.initializer
CHANCES = [[0.1, 0.2, 0.3, 0.4], [3.0, 1.0, 0.0, 5.0]]


def _spread(*numbers, dtype="float32"):
    return paddle.to_tensor(list(numbers), dtype=dtype)


DRAWS = {
    "uniform complex64": lambda: paddle.uniform([3], "complex64").real(),
    "uniform complex128": lambda: paddle.uniform([3], "complex128", -1, 2).imag(),
    "uniform float16": lambda: paddle.rand([5], "float16"),
    "randn complex64": lambda: paddle.randn([3], "complex64").real(),
    "randn complex128": lambda: paddle.randn([3], "complex128").imag(),
    "randn float16": lambda: paddle.randn([5], "float16"),
    "normal of a complex mean": lambda: paddle.normal(1 + 1j, 2.0, [3]).imag(),
    "multinomial": lambda: paddle.multinomial(paddle.to_tensor(CHANCES), 3),
    "multinomial of four": lambda: paddle.multinomial(paddle.to_tensor(CHANCES[0]), 4),
    "multinomial with replacement": lambda: paddle.multinomial(paddle.to_tensor(CHANCES), 20, True),
    "multinomial float64": lambda: paddle.multinomial(paddle.to_tensor(CHANCES, dtype="float64"), 20, True),
    "multinomial method": lambda: paddle.to_tensor(CHANCES).multinomial(2),
    "randint_like": lambda: paddle.randint_like(paddle.ones([6]), -5, 50),
    "randint_like bool": lambda: paddle.randint_like(paddle.ones([6], "int32"), 2, dtype="bool"),
    "bernoulli of p": lambda: paddle.bernoulli(paddle.ones([20]), 0.3),
    "gumbel_softmax hard": lambda: F.gumbel_softmax(paddle.ones([6, 5]), hard=True),
    "sizes one by one": lambda: paddle.concat([paddle.rand(3, 2), paddle.randn(2, 2)]),
    "one size": lambda: paddle.randn(3),
    "word": lambda: paddle.to_tensor(np.array([paddle.Generator().random() % 2**62])),
}
NEAR = {
    "gumbel_softmax": lambda: F.gumbel_softmax(_spread(1, 2, 3)),
    "gumbel_softmax along an axis": lambda: F.gumbel_softmax(paddle.ones([2, 3]), axis=0),
}
"""What is computed of drawn numbers: to rounding."""
for name, draw in DRAWS.items():
    cases.add(name, drawn, draw)
for name, draw in NEAR.items():
    cases.add(name, lambda draw=draw: [[paddle.seed(seed) and draw(), draw()] for seed in (1, 7)])


def filled(shape, initializer):
    """A parameter."""
    paddle.seed(7)
    return paddle.create_parameter(shape, "float32", default_initializer=initializer)


for shape in ([4, 3], [2, 5], [3, 2, 2]):
    cases.add(f"Orthogonal {shape}", filled, shape, init.Orthogonal(1.5))


REFUSALS = {
    "multinomial of a negative one": (lambda: paddle.multinomial(_spread(0.1, -0.2), 1), "should be >= 0"),
    "multinomial of zeros": (lambda: paddle.multinomial(_spread(0, 0), 1), "should be > 0"),
    "multinomial of too few": (
        lambda: paddle.multinomial(_spread(1, 0, 1), 3),
        "less than non-zero categories",
    ),
    "multinomial of none": (lambda: paddle.multinomial(_spread(1, 1), 0), "number of samples should be > 0"),
    "multinomial of three axes": (lambda: paddle.multinomial(paddle.ones([2, 2, 2])), "should be <= 2"),
    "multinomial of no axes": (lambda: paddle.multinomial(paddle.ones([])), "should be > 0"),
    "multinomial of integers": (lambda: paddle.multinomial(paddle.ones([2], "int64")), "is not registered"),
    "randint_like upside down": (lambda: paddle.randint_like(paddle.ones([2]), 5, 2), "low = 5, high = 2"),
    "randint_like below 0": (lambda: paddle.randint_like(paddle.ones([2]), -5), "low must be greater than 0"),
    "randint of 0": (lambda: paddle.randint(0), "low must be greater than 0"),
    "bernoulli above 1": (lambda: paddle.bernoulli(_spread(1.5)), "The probability should be <= 1"),
    "bernoulli below 0": (lambda: paddle.bernoulli(_spread(-0.5)), "The probability should be", ">= 0"),
    "gumbel_softmax of 0": (
        lambda: F.gumbel_softmax(_spread(1, 2), 0.0),
        "temperature must be greater than 0",
    ),
    "gumbel_softmax axis": (lambda: F.gumbel_softmax(_spread(1, 2), axis=3), "axis"),
    "Kaiming mode": (lambda: init.KaimingNormal(mode="x")(paddle.ones([2, 2])), "fan_in"),
    "Uniform upside down": (lambda: init.Uniform(1.0, 0.0), "greater or equal than low"),
    "Generator of a GPU": (lambda: paddle.Generator("gpu"), "device should"),
}
for name, (call, *words) in REFUSALS.items():
    cases.add(f"refused: {name}", raises, call, *words)
