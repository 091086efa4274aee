"""Grader of task3_arrays.py: shapes drawn with axes missing and repeated, and a network beside Paddle's."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Axes that are missing are missing in front: sum those away. Axes of size 1 were repeated: sum, and keep them.",
    "The rules of `matmul` are `dy @ b.data.T` and `a.data.T @ dy`; that of `total` gives `dy` to every element.",
    "`unbroadcast` sums twice: over the axes in front that the shape lacks, then over those where it has a 1.",
)


def summed(student, grad, shape):
    return student.unbroadcast(grad, tuple(shape))


def tables(student, a, b, dy):
    from task1_value import Value

    left, right = Value(a), Value(b)
    made = student.matmul(left, right)
    return made.data, *(rule(dy) for rule in made.rules)


def whole(student, a, dy):
    from task1_value import Value

    operand = Value(a)
    made = student.total(operand)
    return made.data, made.rules[0](dy)


def turned(student, a, dy):
    from task1_value import Value

    operand = Value(a)
    made = student.transpose(operand)
    return made.data, made.rules[0](dy)


def network(student, x, w, b, v):
    """The gradients of a small network, by the student's own tape."""
    from task1_value import Value
    from task2_backward import backward

    x, w, b, v = map(Value, (x, w, b, v))
    h = (student.matmul(x, w) + b).tanh()
    z = student.matmul(h, v) / (h * h + Value(1.0)).log().exp()
    backward(student.total(z * student.transpose(student.transpose(z))))
    return [one.grad for one in (x, w, b, v)]


@claim(30, "unbroadcast")
def sums(ask, draw):
    grad = draw.normal(size=(4, 2, 3))
    for shape, right in (
        ((3,), grad.sum((0, 1))),
        ((2, 3), grad.sum(0)),
        ((4, 2, 3), grad),
        ((2, 1), grad.sum((0, 2), keepdims=True)[0]),
        ((1, 2, 1), grad.sum((0, 2), keepdims=True)),
        ((), grad.sum()),
    ):
        answer = ask(summed, grad, list(shape))
        if close(answer, grad) and not close(right, grad):
            return "`unbroadcast` gives the gradient back as it came: it has to sum."
        if not (hasattr(answer, "shape") and tuple(answer.shape) == shape):
            return "`unbroadcast` answers in another shape than the one that it is given."
        if not close(answer, right):
            return (
                "`unbroadcast` has the right shape and wrong numbers: it sums, and takes no mean and no part."
            )
    return None


@claim(25, "matmul")
def products(ask, draw):
    a, b, dy = draw.normal(size=(4, 2)), draw.normal(size=(2, 3)), draw.normal(size=(4, 3))
    value, da, db = ask(tables, a, b, dy)
    if not close(value, a @ b):
        return "`matmul` is not the product of the two tables."
    if close(db, (a.T @ dy).T) or close(da, (dy @ b.T).T):
        return "A rule of `matmul` answers with the transposed gradient: it has the shape of its operand."
    return None if close(da, dy @ b.T) and close(db, a.T @ dy) else "A rule of `matmul` is wrong."


@claim(15, "total and transpose")
def others(ask, draw):
    a, dy = draw.normal(size=(2, 3)), float(draw.normal())
    value, da = ask(whole, a, dy)
    if not close(value, a.sum()):
        return "`total` is the sum of all elements, one number."
    if close(da, np.ones((2, 3))):
        return "The rule of `total` forgets `dy`: every element gets `dy`, not 1."
    if not close(np.broadcast_to(da, (2, 3)), np.full((2, 3), dy)):
        return "The rule of `total` gives `dy` to every element."
    back = draw.normal(size=(3, 2))
    value, da = ask(turned, a, back)
    right = close(value, a.T) and close(da, back.T)
    return None if right else "`transpose` turns the table, and its rule turns the gradient back."


@claim(30, "a network has the gradients that Paddle has")
def networks(ask, draw):
    arrays = [draw.normal(size=shape) for shape in ((4, 2), (2, 3), (3,), (3, 3))]
    x, w, b, v = (paddle.to_tensor(array, stop_gradient=False) for array in arrays)
    h = paddle.tanh(x @ w + b)
    z = (h @ v) / (h * h + 1.0)
    (z * z).sum().backward()
    answers = ask(network, *arrays)
    for name, answer, right in zip("xwbv", answers, (x, w, b, v)):
        if not close(answer, right.grad.numpy()) and name == "b":
            return "In a network the gradient of the bias is wrong: it was added to every row."
        if not close(answer, right.grad.numpy()):
            return "In a network of your operators the gradients are not those that Paddle has."
    return None
