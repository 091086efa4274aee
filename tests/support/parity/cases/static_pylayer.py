"""Section 11: static_pylayer: blocks, names, values, gradients."""

import numpy as np

from tests.support.parity.graphs import S, feed, run
from tests.support.parity.kit import Family

cases = Family("static_pylayer")
X = np.array([1.0, 2.0], "float32")
layer = S.nn.static_pylayer


def value(variable):
    """Whether gradients stop at it, and its shape and dtype."""
    return [variable.name, variable.stop_gradient, list(variable.shape), str(variable.dtype)]


KINDS = cases.table("kinds", globals())


def kind(forward, backward, given):
    x = feed("x", *given.shape, dtype=str(given.dtype))
    out = layer(forward, [x], backward)
    return {"out": value(out), "values": run([out, *S.gradients(out, x)], {"x": given})}


for text, (forward, backward, given) in KINDS.items():
    cases.add(f"kind {text}", kind, forward, backward, given)
