"""Properties of `linalg` outside of the general contract: vectors that may turn, matrices without an inverse."""

import numpy as np
import pytest

from minipaddle import paddle

L = paddle.linalg
STEP = 1e-6
RNG = np.random.default_rng(4)
ANY = RNG.uniform(0.2, 0.9, (3, 3)) + np.diag([1.0, 2.0, 4.0]) + 1j * RNG.uniform(0.1, 0.4, (3, 3))
HERMITIAN = ANY @ ANY.conj().T
TALL = ANY[:, :2]
WEIGHT = RNG.uniform(0.5, 1.5, (3, 3))


def leaf(array):
    return paddle.to_tensor(array, stop_gradient=False)


def slope(function, array, hermitian=False):
    """The gradient of a real number by differences: by the real part of an element and, times 1j, by the other."""

    def at(moved):
        return float(function(paddle.to_tensor(moved)))

    found = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        for unit in (1, 1j) if array.dtype.kind == "c" else (1,):
            one = np.zeros_like(array)
            one[place] = unit * STEP
            if hermitian:
                one = (one + one.conj().T) / 2
            found[place] += unit * (at(array + one) - at(array - one)) / (2 * STEP)
    return found


def weighted(sizes):
    return (sizes * paddle.to_tensor(WEIGHT[: sizes.shape[0], : sizes.shape[1]])).sum()


def of_eigh(x):
    values, vectors = L.eigh(x)
    return weighted(paddle.square(paddle.abs(vectors))) + (values**3).sum()


def of_svd(x):
    left, sizes, right = L.svd(x)
    turned = (left * left.conj().sum(0)).sum(1)  # the phase of each column is lost
    sides = weighted(paddle.square(paddle.abs(left))) + weighted(paddle.square(paddle.abs(right)))
    both = paddle.real((left[0] * right[:, 1] * 2j).sum())  # and the phase of a pair of them
    return sides + (sizes**3).sum() + paddle.square(paddle.abs(turned)).sum() + both


@pytest.mark.parametrize(
    ("function", "array", "hermitian"),
    [
        (of_eigh, HERMITIAN, True),
        (of_svd, ANY, False),
        (of_svd, TALL, False),
        (of_svd, TALL.conj().T.copy(), False),
    ],
    ids=["eigh", "svd", "svd high", "svd wide"],
)
def test_gradients_of_what_does_not_turn(function, array, hermitian):
    x = leaf(array)
    function(x).backward()
    exact = slope(function, array, hermitian)
    np.testing.assert_allclose(x.grad.numpy(), exact, rtol=0, atol=1e-6 * max(1, np.abs(exact).max()))


@pytest.mark.parametrize("function", [of_eigh, lambda x: of_svd(x.astype("complex128"))])
def test_second_gradients_of_what_does_not_turn(function):
    array = HERMITIAN.real.copy()

    def first(x):
        x = x.detach()
        x.stop_gradient = False
        return weighted(paddle.grad(function(x), x, create_graph=True)[0])

    x = leaf(array)
    (second,) = paddle.grad(weighted(paddle.grad(function(x), x, create_graph=True)[0]), x)
    exact = slope(first, array, hermitian=function is of_eigh)
    np.testing.assert_allclose(second.numpy(), exact, rtol=1e-4, atol=1e-4)


def test_equal_eigenvalues_have_a_gradient():
    x = leaf(np.eye(3))
    L.eigh(x)[0].sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), np.eye(3))


def test_the_gradient_of_a_determinant_that_is_zero():
    singular = np.array([[1.0, 2, 3], [2, 4, 6], [1, 0, 1]])
    x = leaf(singular)
    L.det(x).backward()
    np.testing.assert_allclose(x.grad.numpy(), slope(L.det, singular), rtol=0, atol=1e-8)


def test_a_pivot_of_zero_is_found_in_the_backward_pass_too():
    x = leaf(np.ones((2, 2)))
    out = L.slogdet(x)[1]
    with pytest.raises(ValueError, match="not invertible"):
        out.backward()


@pytest.mark.parametrize("batch", [(), (0,), (2, 2)])
def test_batches_of_any_shape(batch):
    x = paddle.to_tensor(np.broadcast_to(HERMITIAN.real, (*batch, 3, 3)).copy())
    whole = [L.inv(x), L.cholesky(x), L.qr(x)[0], L.svd(x)[0], L.solve(x, x), L.triangular_solve(x, x)]
    whole += [L.eigh(x)[1]]
    assert [tuple(one.shape) for one in whole] == [(*batch, 3, 3)] * len(whole)
    assert tuple(L.det(x).shape) == batch
