"""In-place methods over all dtypes: a success equals the function's result; a refusal changes nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minipaddle import paddle
from minipaddle.ops.methods import InplaceMethods

DTYPES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
PUBLIC = [name for name in dir(InplaceMethods) if name.endswith("_") and not name.startswith("_")]
NAMES = sorted(name for name in PUBLIC if hasattr(paddle.Tensor, name.removesuffix("_")))

numbers = st.sampled_from([True, 0, 2, -1, 2.5, 300, 1j, None, "2", [1.0], [[1.0, 2.0]]])
tensors = st.builds(
    lambda dtype, shape: paddle.to_tensor(np.ones(shape), dtype=dtype),
    st.sampled_from(DTYPES),
    st.sampled_from([(), (1,), (2,), (3,), (2, 2), (1, 2)]),
)
arguments = st.lists(st.one_of(numbers, tensors), max_size=3)


def target(dtype, shape, kind):
    numbers = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    x = paddle.to_tensor(numbers, stop_gradient=kind == "frozen")
    return x * paddle.ones([], dtype) if kind == "computed" else x


def state(x):
    return x.numpy().tolist(), x.dtype, list(x.shape), x.inplace_version, x.edge, x.stop_gradient, x.is_leaf


@pytest.mark.sweep
@settings(max_examples=1500, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.sampled_from(DTYPES),
    st.sampled_from([(), (2,), (2, 2)]),
    st.sampled_from(["frozen", "leaf", "computed"]),
    arguments,
)
def test_a_refusal_changes_nothing_and_a_success_counts_once(name, dtype, shape, kind, args):
    x = target(dtype, shape, kind)
    alias = x.detach()
    before, memory = state(x), state(alias)
    with paddle.no_grad():
        try:
            wanted = getattr(target(dtype, shape, kind), name.removesuffix("_"))(*args)
        except Exception:
            wanted = None
    written = args[0] if name == "where_" and args and isinstance(args[0], paddle.Tensor) else x
    held = [(arg, state(arg)) for arg in (x, *args) if isinstance(arg, paddle.Tensor) and arg is not written]
    versions = written.inplace_version
    try:
        result = getattr(x, name)(*args)
    except Exception:
        assert state(x) == before
        assert state(alias) == memory
    else:
        assert result is written
        assert written.inplace_version == versions + 1
        flat = getattr(target(dtype, shape, kind), name.removesuffix("_"))(*args).stop_gradient
        assert kind != "leaf" or name == "where_" or flat
        np.testing.assert_array_equal(written.numpy(), wanted.numpy())
        assert written.dtype == wanted.dtype
    for other, content in held:
        assert state(other) == content


def test_gradients_pass_the_cast_of_the_target(leaf):
    x, w = leaf([1.0, 2.0]), leaf([3.0, 4.0], "float64")
    h = x * 1
    view = h[:]
    assert h.multiply_(w) is h
    assert (h.dtype, h.inplace_version, view.tolist()) == (paddle.float64, 1, [1, 2])
    h.sum().backward()
    assert (x.grad.dtype, x.grad.tolist(), w.grad.tolist()) == (paddle.float32, [3, 4], [1, 2])


def test_a_method_of_several_operators_writes_for_all_who_share(leaf):
    x = leaf([1.0, 2.0])
    h = x * 3
    view = h[0:1]
    h.masked_fill_(paddle.to_tensor([True, False]), 7.0)
    assert (h.tolist(), view.tolist(), view.inplace_version) == ([7, 6], [7], 1)
    h.sum().backward()
    assert x.grad.tolist() == [0, 3]


def test_second_derivatives_pass_a_write_in_place(leaf):
    x = leaf([-1.5, 0.5], "float64")
    h = x * 1
    h.multiply_(x)
    (first,) = paddle.grad((h * h).sum(), x, create_graph=True)
    (second,) = paddle.grad(first.sum(), x)
    np.testing.assert_allclose(first.numpy(), 4 * x.numpy() ** 3)
    np.testing.assert_allclose(second.numpy(), 12 * x.numpy() ** 2)
