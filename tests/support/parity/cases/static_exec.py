"""Section 7: running programs, what can be fetched, what a run leaves alone."""

import numpy as np

from tests.support.parity.graphs import S, declared, feed
from tests.support.parity.kit import Family

cases = Family("static_exec")
X = np.array([[1.0, 2.0, 3.0]], "float32")


def noting(seen, name):
    """A py_func that writes down when it runs."""

    def func(t):
        seen.append(name)
        return np.array(t)

    return func


def _two_probes():
    seen, x = [], feed("x", 2)
    first = S.py_func(noting(seen, "first"), x, declared("a", 2))
    S.py_func(noting(seen, "second"), first, declared("b", 2))
    S.py_func(noting(seen, "third"), x, declared("c", 2))
    return seen
