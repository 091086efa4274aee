"""Matrix products and layer functions made of them."""

import paddle

from tests.support.parity.kit import Family, api, data, functional

F = paddle.nn.functional
cases = Family("linear")

MATMUL = [  # shapes whose gradients Paddle gets right, see docs/parity.md for the others
    ((2, 3), (3, 4)),
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2,), (2, 3)),
    ((4, 2, 3), (3, 2)),
    ((4, 2, 3), (4, 3, 2)),
    ((4, 2, 3), (1, 3, 2)),
    ((2, 1, 2, 3), (1, 3, 3, 2)),
    ((2, 2, 2, 3), (3,)),
    ((1, 1), (1, 1)),
]
for left, right in MATMUL:
    arrays = data(*left), data(*right, seed=2)
    cases.gradients(f"matmul {list(left)} {list(right)}", api("matmul"), *arrays, single=left == (2, 3))

TRANSPOSED = cases.table("transposed", globals())
for which, (left, right, flags) in TRANSPOSED.items():
    cases.gradients(f"matmul transpose {which}", api("matmul", **flags), data(*left), data(*right, seed=2))

PRODUCTS = cases.table("products", globals())
for name, (fn, left, right) in PRODUCTS.items():
    cases.gradients(name, fn, data(*left), data(*right, seed=2), single=True)
cases.gradients(
    "linear with bias", functional("linear"), data(4, 3), data(3, 2, seed=2), data(2, seed=3), single=True
)
