"""What is drawn by the rarer names: bit for bit where no function follows the draw; fills, generators, refusals."""

import paddle

from tests.support.parity.cases.random_streams import drawn
from tests.support.parity.kit import Family, raises

cases = Family("random_draws")
F = paddle.nn.functional
init = paddle.nn.initializer
CHANCES = [[0.1, 0.2, 0.3, 0.4], [3.0, 1.0, 0.0, 5.0]]


def _spread(*numbers, dtype="float32"):
    return paddle.to_tensor(list(numbers), dtype=dtype)


DRAWS = cases.table("draws", globals())
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


REFUSALS = cases.table("refusals", globals())
for name, (call, *words) in REFUSALS.items():
    cases.add(f"refused: {name}", raises, call, *words)
