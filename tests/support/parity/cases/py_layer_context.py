"""Section 10: what the context offers, gradients of odd kinds, PyLayers within PyLayers, higher orders."""

from tests.support.parity.kit import Family

cases = Family("py_layer_context")


def double(ctx, x):
    return x * 2
