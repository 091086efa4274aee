# hint: `transpose` turns the table, and its rule turns the gradient back.
import numpy as np
from task1_value import Value


def unbroadcast(grad, shape):
    grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))))
    return grad.sum(axis=tuple(at for at, size in enumerate(shape) if size == 1), keepdims=True)


def accumulate(self, grad):
    self.grad = self.grad + unbroadcast(np.asarray(grad, float), self.data.shape)


Value.accumulate = accumulate


def matmul(a, b):
    return Value(a.data @ b.data, (a, b), (lambda dy: dy @ b.data.T, lambda dy: a.data.T @ dy))


def total(a):
    return Value(a.data.sum(), (a,), (lambda dy: dy * np.ones_like(a.data),))


def transpose(a):
    return Value(a.data.T, (a,), (lambda dy: dy,))
