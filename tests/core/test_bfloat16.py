"""bfloat16: float32 rounded to 8 bits of mantissa, in every operator of the table, forward and backward."""

import copy
import pickle

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.autograd.grad import grad
from minipaddle.engine.core.dtype import as_numpy, promoted
from minipaddle.engine.core.dtype.bfloat16 import (
    BFLOAT16,
    Bfloat16Array,
    as_array,
    is_bfloat16,
    narrow,
    rounded,
    wide,
)
from minipaddle.engine.core.eager import Eager
from minipaddle.engine.core.meta import meta_of
from tests.support.operators import ALL, DIFFERENTIABLE, call, each, example, wanted

as_numpy("bfloat16")


def nearest(number):
    """The bfloat16 next to a number, found by looking at both neighbours; of two the even one."""
    below = np.float32(number).view(np.uint32) >> np.uint32(16)
    pair = [np.uint32(bits << 16).view(np.float32) for bits in (int(below), int(below) + 1)]
    gaps = [abs(float(one) - float(np.float32(number))) for one in pair]
    even = int(below) % 2
    return pair[even] if gaps[0] == gaps[1] else pair[int(np.argmin(gaps))]


# -- the numbers ----------------------------------------------------------------------------------------------------


def test_rounding_is_to_the_nearest_and_of_two_to_the_even_one():
    rng = np.random.default_rng(0)
    numbers = np.concatenate(
        [rng.normal(size=300) * 10.0 ** rng.integers(-30, 30, 300), [1 + 2**-8, 1 + 3 * 2**-8]]
    )
    numbers = numbers.astype(np.float32)
    assert rounded(numbers).tolist() == [float(nearest(one)) for one in numbers]
    assert rounded(1 + 2**-8) == 1
    assert rounded(1 + 3 * 2**-8) == 1 + 2**-6


def test_what_is_no_number_and_what_is_too_large():
    assert np.isnan(rounded([np.nan, -np.nan])).all()
    assert rounded([np.inf, -np.inf, 3.4e38]).tolist() == [np.inf, -np.inf, np.inf]
    assert rounded(paddle.finfo("bfloat16").max) == paddle.finfo("bfloat16").max < np.inf


# -- the arrays -----------------------------------------------------------------------------------------------------


def test_arithmetic_of_arrays_is_rounded():
    x, y = narrow([1.0, 256.0]), narrow([2**-8, 1.0])
    assert is_bfloat16(x + y)
    assert (x + y).tolist() == [1.0, 256.0]
    assert (x * 3.14159).dtype is BFLOAT16
    assert (x + np.float32([2**-8, 1])).dtype == np.float32
    assert (x < y).dtype == bool
    x += y
    x[1] = 3.14159
    assert x.tolist() == [1.0, 3.140625]
    np.add.at(x, [0, 0], [0.001, 1.0])
    assert x.tolist() == [2.0, 3.140625]


def test_what_numpy_makes_without_asking_has_its_own_dtype():
    x = narrow([3.0, 1.0])
    assert x.argsort().dtype == np.int64
    assert not is_bfloat16(x.argsort())
    assert type(as_array(x.argsort())) is np.ndarray
    assert x.reshape(2, 1).dtype is BFLOAT16
    assert type(x.astype("float32")) is np.ndarray
    assert (x.itemsize, x.nbytes) == (2, 4)
    with pytest.raises(TypeError):
        np.zeros(3, BFLOAT16)


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(how):
    x = narrow([1.5, 2.5])
    assert type(how(x)) is Bfloat16Array
    assert how(x).tolist() == x.tolist()
    assert how(BFLOAT16) is BFLOAT16


def test_the_type_that_values_meet_in():
    assert promoted(BFLOAT16, BFLOAT16) is promoted(BFLOAT16, np.dtype("int64")) is BFLOAT16
    assert promoted(BFLOAT16, np.dtype("float16")) == promoted(np.dtype("float32"), BFLOAT16) == np.float32
    assert promoted(BFLOAT16, np.dtype("complex64")) == np.complex64


# -- every operator -------------------------------------------------------------------------------------------------


def in_float(arrays, attrs, to):
    """The example with its floats in another type: float32 that bfloat16 has too, or bfloat16."""
    single = [
        rounded(one) if one is not None and np.asarray(one).dtype.kind == "f" else one
        for one in map(_array, arrays)
    ]
    if to is BFLOAT16:
        single = [narrow(one) if one is not None and one.dtype.kind == "f" else one for one in single]
    floats = {name: to for name, value in attrs.items() if isinstance(value, np.dtype) and value.kind == "f"}
    floats |= {
        name: to for name, value in attrs.items() if isinstance(value, str) and value.startswith("float")
    }
    return single, {**attrs, **floats}


def _array(one):
    return None if one is None else np.asarray(one)


def close(found, single, what, some=1e-5):
    """Whether one rounding is between bfloat16 and what float32 gives of the same numbers."""
    assert type(found.array) is (Bfloat16Array if found.array.dtype is BFLOAT16 else np.ndarray), what
    here, there = wide(found.array), single.array
    if found.array.dtype is BFLOAT16:
        assert np.array_equal(here, rounded(here), equal_nan=True), what
        there = rounded(there)
    top = float(np.abs(there).max(initial=0, where=np.isfinite(there)))
    np.testing.assert_allclose(here, there, rtol=some, atol=some * max(top, 1), err_msg=what)


SINGLE = np.dtype("float32")
KNOWING = [op for op in ALL if "f" in op.kinds and op.type != "sgn"]


def test_sgn_is_not_for_bfloat16():
    with pytest.raises(TypeError, match="must be float16, float32, float64, complex64 or complex128"):
        paddle.sgn(paddle.ones([1], "bfloat16"))


@each([op for op in KNOWING if not op.updates])
def test_a_call(op):
    arrays, attrs = example(op)
    attrs = {**op.defaults, **attrs}
    outs = []
    for to in (SINGLE, BFLOAT16):
        values, given = in_float(arrays, attrs, to)
        tensors = [None if one is None else Eager.tensor(one.copy()) for one in values]
        outs.append(call(op, tensors, given))
    metas = op.infer_metas([None if one is None else meta_of(one) for one in values], given)
    for found, single, meta in zip(outs[1], outs[0], metas if op.multiple else [metas], strict=True):
        assert found.array.dtype == meta.dtype
        close(found, single, "output")


@each([op for op in DIFFERENTIABLE if op in KNOWING])
def test_its_gradients(op):
    arrays, attrs = example(op)
    attrs = {**op.defaults, **attrs}
    found = []
    for to in (SINGLE, BFLOAT16):
        values, given = in_float(arrays, attrs, to)
        tensors = [None if one is None else Eager.tensor(one.copy()) for one in values]
        leaves = [tensors[place] for place in wanted(op, values)]
        for leaf in leaves:
            leaf.stop_gradient = False
        outs = [
            one for one in call(op, tensors, given) if not one.stop_gradient and one.array.dtype.kind in "fc"
        ]
        found.append((leaves, grad(outs, leaves, allow_unused=True)))
    (_, singles), (leaves, grads) = found
    for leaf, one, single in zip(leaves, grads, singles, strict=True):
        assert one.array.dtype == leaf.array.dtype
        close(one, single, "gradient", 0.02)  # a rule may start from an output, which is rounded
