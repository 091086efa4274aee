import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minipaddle import paddle
from tests.support.numeric import check, gradients, leaf

RNG = np.random.default_rng(0)


def data(*shape):
    return RNG.normal(size=shape)


SHAPES = [
    ((2, 3), (3, 4)),
    ((3,), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3,)),
    ((4, 2, 3), (3, 2)),
    ((4, 2, 3), (3,)),
    ((3,), (4, 3, 2)),
    ((2, 3), (4, 3, 2)),
    ((4, 2, 3), (1, 3, 2)),
    ((2, 1, 3, 2), (3, 2, 2)),
    ((2, 1, 2, 3), (1, 3, 3, 2)),
    ((1, 1), (1, 1)),
]


@pytest.mark.parametrize(("left", "right"), SHAPES, ids=str)
def test_matmul_gradients_of_both_orders(left, right):
    check(paddle.matmul, data(*left), data(*right))


@pytest.mark.parametrize("flags", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("batches", [((), ()), ((2,), (2,)), ((2,), ()), ((), (2,)), ((2, 1), (3,))], ids=str)
def test_transposed_operands(flags, batches):
    (turn_x, turn_y), (left, right) = flags, batches
    x = data(*left, *((3, 2) if turn_x else (2, 3)))
    y = data(*right, *((4, 3) if turn_y else (3, 4)))
    check(lambda a, b: paddle.matmul(a, b, transpose_x=turn_x, transpose_y=turn_y), x, y)


@pytest.mark.parametrize(("left", "right"), [((3,), (4, 3)), ((3,), (2, 4, 3)), ((3, 2), (3,)), ((3,), (3,))])
def test_a_vector_is_not_transposed(left, right):
    x, y = data(*left), data(*right)
    wide_x, wide_y = np.moveaxis(x, 0, -1) if x.ndim == 2 else x, y.swapaxes(-1, -2) if y.ndim > 1 else y

    def call(a, b):
        return paddle.matmul(a, b, transpose_x=True, transpose_y=True)

    np.testing.assert_allclose(call(leaf(x), leaf(y)).numpy(), np.matmul(wide_x, wide_y))
    check(call, x, y)


@st.composite
def matmul_shapes(draw):
    batch = draw(st.lists(st.integers(1, 3), max_size=2))
    n, k, m = (draw(st.integers(1, 4)) for _ in range(3))

    def one(matrix):
        own = [draw(st.sampled_from([1, size])) for size in batch][draw(st.integers(0, len(batch))) :]
        return (*own, *matrix)

    left = draw(st.sampled_from([one((n, k)), (k,)]))
    right = draw(st.sampled_from([one((k, m)), (k,)]))
    return left, right


@given(matmul_shapes())
def test_matmul_is_numpys_and_gradients_have_the_shapes_of_the_operands(shapes):
    x, y = (data(*shape) for shape in shapes)
    np.testing.assert_allclose(paddle.matmul(leaf(x), leaf(y)).numpy(), np.matmul(x, y), rtol=1e-12)
    dx, dy = gradients(paddle.matmul, x, y)
    assert (dx.shape, dy.shape) == shapes
    moved = np.sum(dx * x)  # the product is linear in each operand: <dx, x> is the weighted output itself
    assert moved == pytest.approx(np.sum(dy * y), rel=1e-9, abs=1e-9)


PRODUCTS = {
    "@": (lambda x, y: x @ y, (2, 3), (3, 2)),
    "mm": (paddle.mm, (2, 3), (3, 2)),
    "bmm": (paddle.bmm, (2, 2, 3), (2, 3, 2)),
    "dot": (paddle.dot, (4,), (4,)),
    "dot of rows": (paddle.dot, (2, 4), (2, 4)),
    "outer": (paddle.outer, (2, 2), (3,)),
    "add_n": (lambda x, y: paddle.add_n([x, y, x]), (2, 3), (2, 3)),
    "add_n of one": (lambda x, y: paddle.add_n(x * y), (2, 3), (2, 3)),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products(name):
    call, left, right = PRODUCTS[name]
    check(call, data(*left), data(*right))


def test_addmm():
    check(lambda b, x, y: paddle.addmm(b, x, y, beta=2.0, alpha=3.0), data(2), data(2, 3), data(3, 2))


def test_integers_stay_integers():
    x = paddle.to_tensor([[1, 2], [3, 4]])
    assert (x @ x).tolist() == [[7, 10], [15, 22]]
    assert (x @ x).numpy().dtype == np.int64


def test_each_gradient_has_its_operands_type():
    x = paddle.to_tensor(data(2, 3).astype("float32"), stop_gradient=False)
    y = leaf(data(3, 2))  # becomes what x is
    (x @ y).sum().backward()
    assert (x.grad.numpy().dtype, y.grad.numpy().dtype) == (np.float32, np.float64)


def test_the_products_do_not_change_their_operands():
    x, y = leaf(data(2, 3)), leaf(data(2, 3))
    before = x.numpy()
    paddle.add_n([x, y])
    np.testing.assert_array_equal(x.numpy(), before)


ERRORS = {
    "matmul": (lambda: paddle.matmul(leaf(data(2, 3)), leaf(data(4, 5))), ValueError, r"\[3\].*\[4\]"),
    "vectors": (lambda: leaf(data(3)) @ leaf(data(4)), ValueError, r"\[3\].*\[4\]"),
    "batch": (lambda: leaf(data(2, 2, 3)) @ leaf(data(3, 3, 2)), ValueError, r"\[2\].*\[3\]"),
    "number": (lambda: paddle.matmul(leaf(2.0), leaf(data(2))), ValueError, "at least 1 axis"),
    "bmm rank": (lambda: paddle.bmm(leaf(data(2, 3)), leaf(data(3, 2))), ValueError, "3-dimensional"),
    "bmm width": (lambda: paddle.bmm(leaf(data(2, 2, 3)), leaf(data(2, 4, 5))), ValueError, r"\[3\].*\[4\]"),
    "bmm batch": (lambda: paddle.bmm(leaf(data(2, 2, 3)), leaf(data(1, 3, 5))), ValueError, r"\[2\].*\[1\]"),
    "dot": (lambda: paddle.dot(leaf(data(3)), leaf(data(4))), RuntimeError, r"\[3\].*\[4\]"),
    "dot ranks": (lambda: paddle.dot(leaf(data(2, 3)), leaf(data(3))), RuntimeError, "same"),
    "add_n": (lambda: paddle.add_n([leaf(data(2)), leaf(data(3))]), ValueError, r"\[2\].*\[3\]"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_refusals(name):
    call, kind, words = ERRORS[name]
    with pytest.raises(kind, match=f"(?s){words}"):
        call()


EINSUMS = ["i,i->", "i,i->i", "ij,ij->i", "ij,jk->ik", "ij,jk->", "...i,...i->...", "ij,i->j", "ii,ij->j"]


@given(st.sampled_from(EINSUMS), st.lists(st.sampled_from((1, 3)), min_size=4, max_size=4))
def test_einsum_gives_gradients_of_the_shape_of_each_operand_also_where_a_size_of_1_is_broadcast(
    equation, sizes
):
    rest = iter(sizes)
    shapes = [
        [next(rest) for letter in one if letter != "."] for one in equation.partition("->")[0].split(",")
    ]
    shapes = [[one[0]] * 2 if letters == "ii" else one for one, letters in zip(shapes, equation.split(","))]
    check(lambda a, b: paddle.einsum(equation, a, b), *[data(*shape) for shape in shapes])
