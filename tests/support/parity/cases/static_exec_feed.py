"""Section 7: what may be fed, what is refused, and what a failing operator says."""

import numpy as np
import paddle

from tests.support.parity.graphs import feed, run
from tests.support.parity.kit import Family, raises

cases = Family("static_exec_feed")
X = np.array([[1.0, 2.0, 3.0]], "float32")


def _doubled():
    return feed("x", -1, 3) * 2


ACCEPTED = {
    "list": [[1.0, 2.0, 3.0]],
    "list of integers": [[1, 2, 3]],
    "tuple": ((1.0, 2.0, 3.0),),
    "rows": np.ones((4, 3), "float32"),
    "strided": np.ones((3, 4), "float32").T[::2],
}
for text, value in ACCEPTED.items():
    cases.add(f"accepts {text}", lambda value=value: run([_doubled()], {"x": value}))


REFUSED = {  # what is fed for a float32 placeholder (-1, 3), and words of the message
    "float64": (X.astype("float64"), "'x'", "'float32'", "'float64'"),
    "int32": (X.astype("int32"), "'x'", "'float32'", "'int32'"),
    "int64": (X.astype("int64"), "'x'", "'float32'", "'int64'"),
    "bool": (X > 1, "'x'", "'float32'", "'bool'"),
    "columns": (np.ones((1, 4), "float32"), "'x'", "(-1, 3)", "[1, 4]"),
    "rank": (np.ones((1, 1, 3), "float32"), "'x'", "(-1, 3)", "[1, 1, 3]"),
    "rank of a list": ([[1.0, 2.0]], "'x'", "(-1, 3)", "[1, 2]"),
    "scalar": (3.0, "'x'", "(-1, 3)"),
    "ragged": ([[1.0, 2.0, 3.0], [1.0]],),
    "object": (object(), "object"),
    "None": (None,),
}


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
