"""Section 9: gradients of gradients, names and values. `ours` where 2.6.2 stops or is wrong."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, names, run
from tests.support.parity.kit import Family

F = paddle.nn.functional
cases = Family("static_backward_orders")
X = np.array([0.5, 1.5])


def derivatives(make, order):
    """Names and values of the first `order` derivatives of the sum of `make(x)`."""
    x = feed("x", 2, dtype="float64")
    found, y = [], make(x)
    for _ in range(order):
        (y,) = S.gradients(y, x)
        found.append(y)
    return {"names": names(found), "values": run(found, {"x": X})}


SECOND = cases.table("second", globals())
for text, make in SECOND.items():
    cases.add(f"second of {text}", derivatives, make, 2)

THIRD = cases.table("third", globals())
for text, make in THIRD.items():
    cases.add(f"third of {text}", derivatives, make, 3)


def by_values(make, order):
    """The last derivative only, where Paddle's names say nothing."""
    return derivatives(make, order)["values"][-1]


SOFTMAX = np.exp(X) / np.exp(X).sum()
CURVATURE = (
    SOFTMAX * (1 - SOFTMAX) * (1 - 2 * SOFTMAX)
)  # with two classes: of the slope of softmax(x)[0] at x[0]
OURS = cases.table("ours", globals())
for text, (make, order, answer) in OURS.items():
    cases.add(f"ours {text}", by_values, make, order, ours=answer)
