"""Section 7: what may be fed, what is refused, and what a failing operator says."""

import warnings

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, ones, run, weight
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


def scalars_for_zero_d():
    x = feed("x")
    return [run([x], {"x": value}) for value in (3.0, 3, np.float32(3.0))]


def integers_for_an_integer_placeholder():
    x = feed("n", 2, dtype="int64", stop=True)
    return run([x], {"n": [1, 2]})


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


def integer_widths_are_not_mixed():
    x = feed("n", 2, dtype="int64", stop=True)
    return raises(lambda: run([x], {"n": np.ones(2, "int32")}), "'n'", "'int64'", "'int32'")


def feed_is_no_dict():
    y = _doubled()
    return [raises(lambda thing=thing: run([y], thing), "feed") for thing in ([X], "x", X, 3)]


def names_it(call, *words):
    """Whether the call fails with ValueError or RuntimeError (Paddle has both) and says the words."""
    found = raises(call)
    return found.kind in ("ValueError", "RuntimeError"), [word in found.message for word in words]


def missing_feed():
    y = _doubled()
    return [names_it(lambda given=given: run([y], given), "scale") for given in (None, {})]


def missing_feed_of_a_matmul():
    y = paddle.matmul(feed("a", 2, 3), feed("b", 3, 2))
    return names_it(lambda: run([y], {"a": ones(2, 3)}), "matmul_v2", "b")


def missing_feed_of_an_operator_that_is_not_fetched():
    x, z = feed("x", 2), feed("z", 2)
    paddle.exp(z)
    y = x * 2
    return names_it(lambda: run([y], {"x": ones(2)}), "exp")


def feeds_are_not_remembered():
    y = _doubled()
    exe = S.Executor()
    first = exe.run(feed={"x": X}, fetch_list=[y])
    return first, names_it(lambda: exe.run(fetch_list=[y]), "scale")


def unused_placeholder():
    feed("unused", 2)
    return run([_doubled()], {"x": X})


def unknown_names():
    y = _doubled()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = run([y], {"x": X, "stranger": X})
    told = [w.category.__name__ for w in caught if "stranger" in str(w.message)]
    return found, told


def _mismatch():
    return paddle.matmul(feed("a", -1, 3), feed("b", -1, 2))  # the line a message has to quote


def failing_operator_quotes_the_line():
    y = _mismatch()
    words = (
        "In user code",
        "the line a message has to quote",
        "static_exec_feed.py",
        "[operator < matmul_v2 > error]",
    )
    return raises(lambda: run([y], {"a": ones(2, 3), "b": ones(4, 2)}), *words)


def program_survives_a_failure():
    y = _mismatch()
    failed = raises(lambda: run([y], {"a": ones(2, 3), "b": ones(4, 2)}), "matmul_v2")
    return failed, run([y], {"a": ones(2, 3), "b": ones(3, 2)})


def failing_elementwise():
    y = feed("a", -1) + feed("b", -1)
    return raises(lambda: run([y], {"a": ones(2), "b": ones(3)}), "[operator < elementwise_add > error]")


def main_before_startup():
    y = paddle.matmul(feed("x", -1, 3), weight(3, 2))
    return names_it(lambda: S.Executor().run(feed={"x": X}, fetch_list=[y]), "w", "matmul_v2")
