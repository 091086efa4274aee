"""Every call of `dtype_calls` for every dtype, against the record of Paddle 3.3.1 (no Paddle needed).

If Paddle has no kernel for a real type, or none for the gradient, NumPy computes and nothing is compared; an
impossible call raises an error of minipaddle. Complex numbers are refused where Paddle refuses them.
"""

import json
import re

import numpy as np
import pytest

from minipaddle import paddle
from tests.support.parity import RESULTS
from tests.support.parity.dtype_calls import DTYPES, answer, calls
from tests.support.parity.dtype_differences import differences

RECORD = json.loads((RESULTS / "dtypes_3.3.1.json").read_text())
OURS = differences()
TOLERANCE = {"float16": 5e-3, "float32": 2e-5, "float64": 1e-6, "complex64": 1e-4, "complex128": 1e-6}
NO_KERNEL = ("RuntimeError", "NotImplementedError")
CLEAN = ("RuntimeError", "ValueError", "TypeError", "IndexError", "EnforceNotMet", "NotImplementedError")


def is_error(text: str) -> bool:
    return re.fullmatch(r"\w+", text) is not None


def as_number(text: str) -> complex:
    return complex(text.replace("+-", "-"))


def same(ours: str, theirs: str, tolerance: float) -> bool:
    """Whether two answers have the same words, and numbers that are nearly the same."""
    words = list(zip(ours.split(), theirs.split(), strict=False))
    if len(ours.split()) != len(theirs.split()):
        return False
    for one, other in words:
        if one == other:
            continue
        is_word = "[" in one + other or one.isalpha() or other.isalpha()
        if is_word and {one, other} - {"nan", "inf"}:
            return False
        a, b = as_number(one), as_number(other)
        if not (np.isnan(a) and np.isnan(b)) and not abs(a - b) <= tolerance * max(1, abs(b)):
            return False
    return True


def agrees(ours: str, theirs: str, dtype: str) -> bool:
    """Whether our answer is Paddle's, as far as Paddle has one."""
    tolerance = max(TOLERANCE.get(dtype, 0), 2e-5)
    if same(ours, theirs, tolerance):
        return True
    if dtype.startswith("complex"):
        return is_error(theirs) and ours in CLEAN
    if theirs in NO_KERNEL:
        return not is_error(ours) or ours in CLEAN
    parts = theirs.split(" | ")
    no_gradient = len(parts) == 1 or is_error(parts[1])
    integer = dtype == "float16" or np.dtype(dtype).kind in "biu"
    return no_gradient and integer and same(ours.split(" | ")[0], parts[0], tolerance)


def test_every_call_is_recorded():
    assert {call: tuple(found) for call, found in RECORD["calls"].items()} == calls()
    assert RECORD["paddle"] == "3.3.1"


def test_differences_are_of_calls():
    assert [pair for pair in OURS if pair[1] not in calls().get(pair[0], ())] == []


@pytest.mark.parametrize("dtype", DTYPES)
def test_same_as_paddle(dtype):
    wrong = []
    for call, found in RECORD["calls"].items():
        if dtype not in found:
            continue
        ours = answer(paddle, call, dtype)
        if agrees(ours, found[dtype], dtype) == ((call, dtype) in OURS):
            wrong.append(f"{call}\n  ours   {ours}\n  Paddle {found[dtype]}\n  {OURS.get((call, dtype), '')}")
    assert not wrong, "\n".join(wrong)
