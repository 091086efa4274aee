"""Python data into arrays; tensors out of nothing; casts and copies."""

import re

import numpy as np
import pytest

from minipaddle import paddle
from minipaddle.engine.mode.eager import current, within
from minipaddle.engine.value import dtype as dtypes
from minipaddle.ops.creation import full
from minipaddle.ops.creation import range as sequences
from minipaddle.ops.creation.assign import assign, assign_op, constant
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.convert import array_from
from minipaddle.ops.random import generator as random
from minipaddle.ops.random import sample as sampling
from minipaddle.paddle.autograd.grad import grad


@pytest.fixture
def double():
    dtypes.set_default_float("float64")
    yield
    dtypes.set_default_float("float32")


READ = [
    (1.5, "float32", ()),
    (3, "int64", ()),
    (True, "bool", ()),
    (1j, "complex64", ()),
    ([1, 2.5], "float32", (2,)),
    ([[1, 2], [3, 4]], "int64", (2, 2)),
    ([], "float32", (0,)),
    ([True, False], "bool", (2,)),
    (np.float64(1.5), "float64", ()),
    ([np.float64(1.5)], "float32", (1,)),
    (np.array([1, 2], "int32"), "int32", (2,)),
    (np.array([1, 2], ">f8"), "float64", (2,)),
    (paddle.Tensor(np.ones(2)), "float64", (2,)),
    ([paddle.Tensor(np.float32(1)), paddle.Tensor(np.float32(2))], "float32", (2,)),
]


@pytest.mark.parametrize(("data", "dtype", "shape"), READ, ids=lambda value: str(value)[:20])
def test_types_of_python_data(data, dtype, shape):
    found = array_from(data)
    assert (found.dtype, found.shape) == (np.dtype(dtype), shape)
    assert found.dtype.isnative


def test_default_type(double):
    assert array_from(1.5).dtype == "float64"
    assert array_from([1j]).dtype == "complex128"
    assert array_from(3).dtype == "int64"
    assert full.ones([1]).array.dtype == "float64"
    assert sequences.arange(0, 1, 0.5).array.dtype == "float64"


def test_data_is_copied():
    source = np.ones(2)
    for data in (source, paddle.Tensor(source)):
        assert not np.shares_memory(array_from(data), source)


@pytest.mark.parametrize("data", [None, "text", {}], ids=str)
def test_data_that_no_tensor_holds(data):
    with pytest.raises(TypeError, match=r"Can't constructs a 'paddle.Tensor'"):
        array_from(data)


@pytest.mark.parametrize(
    "code", sorted(set(np.typecodes["All"]) - set(np.typecodes["AllInteger"] + "nN?efdgFDG"))
)
def test_an_array_of_a_type_that_no_tensor_holds_is_refused_by_its_type(code):
    """It was said to be of the class of arrays, which is allowed."""
    data = np.zeros(2, code)
    with pytest.raises(ValueError, match=f"no array of dtype {re.escape(str(data.dtype))}"):
        paddle.to_tensor(data)
    with pytest.raises(ValueError, match="no array of dtype object"):
        paddle.to_tensor([None])
    with pytest.raises(TypeError, match="== `object`"):
        paddle.assign(np.array([1, "a"], object))


def test_ragged_lists():
    with pytest.raises(ValueError, match="inhomogeneous"):
        array_from([[1, 2], [3]])


MADE = {
    "zeros": (lambda: full.zeros([2]), [0.0, 0.0], "float32"),
    "zeros int": (lambda: full.zeros([2], "int64"), [0, 0], "int64"),
    "ones 0-D": (lambda: full.ones([]), 1.0, "float32"),
    "full int": (lambda: full.full([2], 3), [3.0, 3.0], "float32"),
    "full bool": (lambda: full.full([1], True), [True], "bool"),
    "full complex": (lambda: full.full([1], 1j), [1j], "complex64"),
    "full of a tensor": (
        lambda: full.full(paddle.Tensor(np.array([1, 2])), paddle.Tensor(np.array(2.5))),
        [[2.5, 2.5]],
        "float32",
    ),
    "full truncates": (lambda: full.full([1], 1.7, "int64"), [1], "int64"),
    "eye": (lambda: sequences.eye(2), [[1, 0], [0, 1]], "float32"),
    "eye wide": (lambda: sequences.eye(1, 3, "int32"), [[1, 0, 0]], "int32"),
    "arange": (lambda: sequences.arange(3), [0, 1, 2], "int64"),
    "arange float": (lambda: sequences.arange(0, 1, 0.5), [0, 0.5], "float32"),
    "arange back": (lambda: sequences.arange(7, 1, -2), [7, 5, 3], "int64"),
    "arange dtype": (lambda: sequences.arange(2, dtype="float64"), [0, 1], "float64"),
    "linspace": (lambda: sequences.linspace(0, 1, 3), [0, 0.5, 1], "float32"),
    "linspace one": (lambda: sequences.linspace(2, 3, 1), [2], "float32"),
    "ones_like": (lambda: full.ones_like(paddle.Tensor(np.array([5, 6]))), [1, 1], "int64"),
    "zeros_like dtype": (lambda: full.zeros_like(paddle.Tensor(np.array([5])), "float64"), [0], "float64"),
    "full_like": (lambda: full.full_like(paddle.Tensor(np.array([5, 6])), 1.7), [1, 1], "int64"),
}


@pytest.mark.parametrize("name", MADE)
def test_made(name):
    make, values, dtype = MADE[name]
    made = make()
    assert made.array.tolist() == values
    assert made.array.dtype == dtype
    assert made.stop_gradient


def test_empty_has_a_shape_and_is_the_same_every_time():
    assert full.empty([2, 3]).array.tolist() == full.empty([2, 3]).array.tolist()
    assert full.empty_like(paddle.Tensor(np.ones((2, 1), "int32"))).array.dtype == "int32"


def test_arange_refuses_to_stand_still():
    with pytest.raises(ValueError, match="step"):
        sequences.arange(0, 1, 0)


DRAWN = {
    "randn": (lambda: sampling.randn([500]), "float32", -6, 6),
    "rand": (lambda: sampling.rand([500]), "float32", 0, 1),
    "uniform": (lambda: sampling.uniform([500], min=2.0, max=3.0), "float32", 2, 3),
    "normal": (lambda: sampling.normal(100.0, 1.0, [500]), "float32", 90, 110),
    "randint": (lambda: sampling.randint(2, 5, [500]), "int64", 2, 4),
    "randint up to": (lambda: sampling.randint(3, shape=[500]), "int64", 0, 2),
    "randperm": (lambda: sampling.randperm(500), "int64", 0, 499),
    "bernoulli": (lambda: sampling.bernoulli(paddle.Tensor(np.full(500, 0.5))), "float64", 0, 1),
}


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_numbers(name):
    draw, dtype, low, high = DRAWN[name]
    random.seed(1)
    first, second = draw().array, draw().array
    random.seed(1)
    np.testing.assert_array_equal(draw().array, first)
    assert first.dtype == dtype
    assert first.shape == (500,)
    assert low <= first.min() < first.max() <= high
    assert (first != second).any()


def test_distributions():
    random.seed(2)
    drawn = sampling.normal(3.0, 2.0, [20000]).array
    assert abs(drawn.mean() - 3) < 0.1
    assert abs(drawn.std() - 2) < 0.1
    assert abs(sampling.bernoulli(paddle.Tensor(np.full(20000, 0.3))).array.mean() - 0.3) < 0.02
    assert sorted(sampling.randperm(50).array) == list(range(50))
    assert sampling.normal(paddle.Tensor(np.array([0.0, 1000.0])), 1.0).array.round(-2).tolist() == [0, 1000]


def test_randint_refuses_an_empty_range():
    with pytest.raises(ValueError, match="low must be less than high"):
        sampling.randint(3, 3)


def leaf(values, dtype="float32") -> paddle.Tensor:
    made = paddle.Tensor(np.array(values, dtype))
    made.stop_gradient = False
    return made


def test_cast():
    assert cast(leaf([1.7, -1.7]), "int64").array.tolist() == [1, -1]
    assert cast(leaf([0.0, 0.5]), bool).array.tolist() == [False, True]
    with pytest.raises(TypeError, match="nonsense"):
        cast(leaf([1.0]), "nonsense")


def test_gradient_of_a_cast_is_cast_back_even_through_integers():
    x = leaf([1.5])
    out = cast(cast(x, "int64"), "float64")
    found = grad(out, x)[0].array
    assert (found.tolist(), found.dtype) == ([1], np.dtype("float32"))


def test_copy_and_assign_are_differentiable_copies():
    x = leaf([1.0, 2.0])
    for out in (assign_op(x), assign(x)):
        assert not np.shares_memory(out.array, x.array)
        assert grad(out, x)[0].array.tolist() == [1, 1]


def test_assign_of_python_data():
    assert assign([1.0, 2.0]).array.dtype == "float64"
    assert assign(3).array.tolist() == [3]
    assert assign(np.array([1, 2], "int32")).array.dtype == "int32"


def test_assign_into_a_tensor():
    x, target = leaf([1.0, 2.0]), paddle.Tensor(np.zeros(2, "float32"))
    memory = target.array
    out = assign(x, target)
    assert out is target
    assert target.array is memory
    assert target.inplace_version == 1
    assert grad(target, x)[0].array.tolist() == [1, 1]


def test_assign_into_a_leaf_leaves_it_one():
    target = leaf([0.0, 0.0])
    before = target.edge
    assign(np.array([5.0, 6.0], "float32"), target)
    assert target.array.tolist() == [5, 6]
    assert target.edge is before
    assert current.get().grad


def test_assign_gives_the_target_another_shape_and_type():
    source, target = leaf([1.0, 2.0, 3.0]), paddle.Tensor(np.zeros((2, 2), "int64"))
    assert assign(source, target) is target
    assert (target.shape, target.dtype) == ([3], source.dtype)
    (target * 2).sum().backward()
    assert source.grad.tolist() == [2, 2, 2]


def test_constants_are_made_by_the_mode():
    seen = []

    class Listening(type(current.get())):
        def apply(self, op, inputs, attrs):
            seen.append(op.type)
            return super().apply(op, inputs, attrs)

    with within(Listening(True)):
        constant([1.0])
        full.ones([2])
    assert seen == ["assign_value", "fill_constant"]
