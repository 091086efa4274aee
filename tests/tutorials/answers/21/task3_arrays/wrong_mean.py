# hint: `unbroadcast` has the right shape and wrong numbers: it sums, and takes no mean and no part.
import numpy as np
from task1_value import Value


def unbroadcast(grad, shape):
    grad = grad.mean(axis=tuple(range(grad.ndim - len(shape))))
    return grad.mean(axis=tuple(at for at, size in enumerate(shape) if size == 1), keepdims=True)


def accumulate(self, grad):
    self.grad = self.grad + unbroadcast(np.asarray(grad, float), self.data.shape)


Value.accumulate = accumulate


def matmul(a, b):
    return Value(a.data @ b.data, (a, b), (lambda dy: dy @ b.data.T, lambda dy: a.data.T @ dy))


def total(a):
    return Value(a.data.sum(), (a,), (lambda dy: dy * np.ones_like(a.data),))


def transpose(a):
    return Value(a.data.T, (a,), (lambda dy: dy.T,))
