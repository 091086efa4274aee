import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minipaddle import paddle
from minipaddle.ops.indexing.text import read, write
from tests.support.numeric import check, gradients, leaf

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 4, 2))
MASK = X > 0


def both(value):
    """An index for numpy, and the same with tensors for arrays."""
    items = value if isinstance(value, tuple) else (value,)
    ours = tuple(paddle.to_tensor(item) if isinstance(item, np.ndarray) else item for item in items)
    return value, ours if isinstance(value, tuple) else ours[0]


INDICES = {
    "int": 1,
    "negative": (0, -2),
    "all ints": (2, 1, 0),
    "slices": (slice(1, None), slice(None, None, -2)),
    "beyond": slice(1, 99),
    "empty": slice(2, 1),
    "ellipsis": (..., 0),
    "None": (slice(None), None, 1, None),
    "bool": True,
    "no": False,
    "list": [2, 0, 2],
    "empty list": [],
    "numpy int": np.int64(1),
    "range": range(2),
    "array": np.array([2, 0, 2]),
    "array negative": np.array([-1, 0, -1]),
    "array 2-D": np.array([[0, 1], [2, 2]]),
    "array in the middle": (slice(None), [3, 0, 3]),
    "array last": (..., np.array([1, 1, 0])),
    "array and slices": (slice(None, None, -1), np.array([1, 3, 1]), slice(1, None)),
    "two arrays": (np.array([0, 2, 0]), np.array([1, 3, 1])),
    "two that broadcast": (np.array([[0], [2]]), np.array([1, 3])),
    "apart": ([0, 2], slice(None), [1, 0]),
    "apart by ellipsis": ([0, 2], ..., [1, 0]),
    "array then int": ([0, 2], 1),
    "three": ([0, 2], [1, 1], [0, 0]),
    "mask": MASK,
    "mask of rows": np.array([True, False, True]),
    "mask of two axes": MASK[:, :, 0],
    "mask of a column": (slice(None), [True, False, False, True]),
    "mask and array": (np.array([True, False, True]), np.array([3, 3])),
    "mask then int": (MASK[:, :, 0], 1),
}


@pytest.mark.parametrize("name", INDICES)
def test_reads_what_numpy_reads_with_gradients_of_both_orders(name):
    theirs, ours = both(INDICES[name])
    np.testing.assert_array_equal(leaf(X)[ours].numpy(), X[theirs])
    check(lambda x: x[ours], X)


@pytest.mark.parametrize("name", INDICES)
def test_writes_what_numpy_writes(name):
    theirs, ours = both(INDICES[name])
    expected, target = X.copy(), paddle.to_tensor(X)
    expected[theirs] = 7.0
    target[ours] = 7.0
    np.testing.assert_array_equal(target.numpy(), expected)
    assert target.inplace_version == 1


REPEATED = {"list", "array negative", "array", "array 2-D", "array in the middle", "array last"}
REPEATED |= {"array and slices", "two arrays", "three", "mask and array"}


@pytest.mark.parametrize("name", sorted(INDICES.keys() - REPEATED))
def test_writing_sends_gradients_to_both(name):
    index = both(INDICES[name])[1]
    shape = X[INDICES[name]].shape

    def written(x, value):
        y = x * 2
        y[index] = value * 3
        return y

    check(written, X, RNG.normal(size=shape))
    if shape and 0 not in shape:
        check(written, X, RNG.normal(size=(1, *shape[1:])))  # stretched
        check(written, X, RNG.normal(size=(1, *shape)))  # with an axis too many


def test_numbers_beside_arrays_are_taken_first():
    x = paddle.to_tensor(X)
    assert x[0, :, [1, 0]].shape == [4, 2]  # numpy would put the axis of the list in front
    assert x[1, :, [True, False]].shape == [4, 1]
    np.testing.assert_array_equal(x[0, :, [1, 0]].numpy(), X[0][:, [1, 0]])


def test_tensors_as_numbers():
    x = leaf(X)
    one, two = paddle.to_tensor(1), paddle.to_tensor(2)
    np.testing.assert_array_equal(x[one].numpy(), X[1])
    np.testing.assert_array_equal(x[one:two, [one, two]].numpy(), X[1:2, [1, 2]])
    assert np.shares_memory(x[one].array, x.array)


@st.composite
def any_index(draw):
    """A shape and an index for it: basic parts, or one to three arrays that broadcast, or a mask."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, max_side=4))
    if draw(st.booleans()):
        return shape, draw(hnp.basic_indices(shape, allow_newaxis=True))
    if draw(st.booleans()):
        return shape, draw(hnp.arrays(bool, shape[: draw(st.integers(1, len(shape)))]))
    common = draw(hnp.array_shapes(max_dims=2, max_side=3))
    items = []
    for size in shape[: draw(st.integers(1, len(shape)))]:
        if draw(st.booleans()):
            own = common[draw(st.integers(0, len(common))) :] or (1,)
            items.append(draw(hnp.arrays(np.int64, own, elements=st.integers(-size, size - 1))))
        else:
            items.append(draw(st.slices(size)))
    return shape, tuple(items)


@given(any_index())
def test_reading_and_its_gradient_for_any_index(case):
    shape, index = case
    theirs, ours = both(index)
    x = RNG.normal(size=shape)
    expected = x[theirs]
    np.testing.assert_array_equal(leaf(x)[ours].numpy(), expected)
    added = np.zeros(shape)
    np.add.at(added, theirs, np.cos(np.arange(expected.size)).reshape(expected.shape))
    np.testing.assert_allclose(gradients(lambda t: t[ours], x)[0], added, atol=1e-12)


@given(any_index())
def test_writing_for_any_index(case):
    shape, index = case
    theirs, ours = both(index)
    x = RNG.normal(size=shape)
    value = RNG.normal(size=x[theirs].shape)
    expected, target = x.copy(), paddle.to_tensor(x)
    expected[theirs] = value
    target[ours] = paddle.to_tensor(value)
    np.testing.assert_array_equal(target.numpy(), expected)


@given(any_index())
def test_the_text_of_an_index_is_enough_to_read_it(case):
    shape, index = case
    text, arrays = write(index)
    reading = read(text)
    x = RNG.normal(size=shape)
    viewed = x[reading.view]
    again = viewed[reading.fill(arrays)] if reading.arrays else viewed
    np.testing.assert_array_equal(again, x[index])


def test_the_text_reads_like_the_source():
    rows, mask = np.array([1]), np.zeros((2, 2), bool)
    assert write((0, slice(1, None), None, ..., rows))[0] == "0, 1::, None, ..., @"
    assert write((mask, slice(None, None, -1)))[0] == "@2, ::-1"


@pytest.mark.parametrize("rows", [50, 3000])
@pytest.mark.parametrize("repeated", [False, True])
def test_large_gradients_take_other_paths_to_the_same_sum(rows, repeated):
    x = RNG.normal(size=(3000, 9))
    picked = RNG.integers(-3000, 3000, rows) if repeated else RNG.permutation(3000)[:rows]
    expected = np.zeros_like(x)
    weights = np.cos(np.arange(rows * 9)).reshape(rows, 9)
    np.add.at(expected, picked, weights)
    index = paddle.to_tensor(picked)
    np.testing.assert_allclose(gradients(lambda t: t[index], x)[0], expected, atol=1e-12)
    inside = np.zeros((3000, 5, 9))
    np.add.at(inside, (picked, 2), weights)
    np.testing.assert_allclose(
        gradients(lambda t: t[:, 2][index], RNG.normal(size=inside.shape))[0], inside, atol=1e-12
    )
    np.testing.assert_allclose(
        gradients(lambda t: t[index, 2], RNG.normal(size=inside.shape))[0], inside, atol=1e-12
    )


ERRORS = {
    "out of range": (3, IndexError, "out of bounds"),
    "negative out of range": ((0, -5), IndexError, "out of bounds"),
    "list out of range": ([3], IndexError, "out of bounds"),
    "too many": ((0, 0, 0, 0), IndexError, "too many indices"),
    "too many with arrays": ((0, 0, 0, [0]), IndexError, "too many indices"),
    "float": (1.5, ValueError, "float"),
    "str": ("a", ValueError, "str"),
    "dict": ({}, ValueError, "dict"),
    "list of floats": ([1.5], ValueError, "float64"),
    "float array": (np.array([1.0]), ValueError, "float64"),
    "two ellipses": ((..., ...), ValueError, "ellipsis"),
    "step 0": (slice(None, None, 0), ValueError, "is 0"),
    "mask of another shape": (np.array([True, False]), IndexError, "2"),
    "arrays that do not broadcast": (([0, 1], [0, 1, 2]), ValueError, "Broadcast"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_refusals(name):
    index, kind, words = ERRORS[name]
    x = paddle.to_tensor(X)
    with pytest.raises(kind, match=words):
        x[index]
    with pytest.raises(kind, match=words):
        x[index] = 0.0
    np.testing.assert_array_equal(x.numpy(), X)


@pytest.mark.parametrize("value", ["a", None, [1.0, 2.0], {}])
def test_values_that_cannot_be_written(value):
    with pytest.raises(ValueError, match=type(value).__name__):
        paddle.to_tensor(X)[0] = value


def test_a_value_must_fit():
    with pytest.raises(ValueError, match=r"(?s)\[3\].*\[4, 2\]"):
        paddle.to_tensor(X)[0] = paddle.to_tensor([1.0, 2.0, 3.0])


def test_a_value_takes_the_type_of_the_target():
    x, v = paddle.to_tensor([1, 2, 3]), paddle.to_tensor([2.7], stop_gradient=False)
    x[0] = 1.7
    assert x.tolist() == [1, 2, 3]
    y = leaf([0.0, 0.0]) * 1
    y[:1] = v
    y.sum().backward()
    assert v.grad.numpy().dtype == np.float32


def test_writing_twice_to_a_place_gives_gradient_to_the_last():
    values = paddle.to_tensor([10.0, 20.0])
    values.stop_gradient = False
    out = paddle.to_tensor([1.0, 2.0, 3.0]) * 1
    out[[0, 0]] = values
    assert out.tolist() == [20, 2, 3]
    (out * paddle.to_tensor([3.0, 5.0, 7.0])).sum().backward()
    assert values.grad.tolist() == [0, 3]
