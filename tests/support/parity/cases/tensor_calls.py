"""Calls of functions that few scripts need: diagonals, products, stacks, grids, medians, complex numbers."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, Refusal, data, derive, frozen

cases = Family("tensor_calls")
SPACE = {"paddle": paddle, "np": np, "T": frozen, "G": derive, "R": data, "nan": np.nan, "inf": np.inf}


def evaluate(text):
    """What an expression gives, or the kind of its refusal."""
    try:
        return eval(text, SPACE)
    except Exception as error:
        return Refusal(type(error).__name__, (), str(error))


for line in cases.listed("calls"):
    cases.add(line, evaluate, line)
