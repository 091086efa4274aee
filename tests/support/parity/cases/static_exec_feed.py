"""Section 7: what may be fed, what is refused, and what a failing operator says."""

import numpy as np
import paddle

from tests.support.parity.graphs import feed, run
from tests.support.parity.kit import Family, raises

cases = Family("static_exec_feed")
X = np.array([[1.0, 2.0, 3.0]], "float32")


def _doubled():
    return feed("x", -1, 3) * 2


ACCEPTED = cases.table("accepted", globals())
for text, value in ACCEPTED.items():
    cases.add(f"accepts {text}", lambda value=value: run([_doubled()], {"x": value}))


REFUSED = cases.table("refused", globals())


def refused(value, words):
    y = _doubled()
    return raises(lambda: run([y], {"x": value}), *words)


for text, (value, *words) in REFUSED.items():
    cases.add(f"refuses {text}", refused, value, words)


def names_it(call, *words):
    """Whether the call fails with ValueError or RuntimeError (Paddle has both) and says the words."""
    found = raises(call)
    return found.kind in ("ValueError", "RuntimeError"), [word in found.message for word in words]


def _mismatch():
    return paddle.matmul(feed("a", -1, 3), feed("b", -1, 2))  # the line a message has to quote
