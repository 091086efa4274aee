"""Section 2: operators between variables and numbers."""

import numpy as np

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, run, var_line
from tests.support.parity.kit import Family, data

cases = Family("static_arithmetic")


def listed(fn, stop=False):
    """Result, all operators and values of `fn(x, y, i)` with i an int64 variable."""
    x, y, i = (
        feed("x", -1, 3, stop=stop),
        feed("y", -1, 3, stop=stop),
        feed("i", -1, 3, dtype="int64", stop=True),
    )
    out = fn(x, y, i)
    program = details()
    fed = {"x": data(2, 3, low=0.5).astype("float32"), "y": data(2, 3, seed=2, low=0.5).astype("float32")}
    fed["i"] = np.arange(1, 7).reshape(2, 3)
    return {"out": var_line(out).replace(" bool stop", " bool"), "listing": program, "value": run([out], fed)}


BINARY = cases.table("binary", globals())
WITHOUT_GRADIENT = cases.table("without gradient", globals())
for text, fn in WITHOUT_GRADIENT.items():
    cases.add(text, listed, fn, True)
for text, fn in BINARY.items():
    cases.add(text, listed, fn)


def fixed_shape(fn):
    """`fn` of a variable without -1 in its shape."""
    x = feed("x", 2, 3)
    out = fn(x)
    return {"listing": details(), "value": run([out], {"x": data(2, 3, low=0.5).astype("float32")})}


cases.add("2 / x of a fixed shape", fixed_shape, lambda x: 2 / x)
cases.add("2 ** x of a fixed shape", fixed_shape, lambda x: 2**x)
