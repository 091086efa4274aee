"""Grader of task1_table.py: three shapes, and where the function was asked."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close, uses

HINTS = (
    "One pass for each result. What does `y.backward(v)` begin with, and what does `.grad` do with several passes?",
    "A row of `np.eye(len(y))` is 1 at one result. Make a new leaf for each pass, or clear the gradient.",
    "In a loop over the results: forward anew with a fresh leaf, backward from one result, and the gradient is a row.",
)


def asked(student, A, x):
    A = paddle.to_tensor(A)
    return student.table(lambda x: paddle.tanh(paddle.matmul(A, x)), x)


def right(A, x):
    return (1 - np.tanh(A @ x) ** 2)[:, None] * A


@claim(70, "of two results and three operands, and of others")
def shapes(ask, draw):
    for rows, columns in ((2, 3), (4, 4), (5, 2)):
        A, x = draw.normal(size=(rows, columns)), draw.normal(size=columns)
        given, wanted = ask(asked, A, x), right(A, x)
        if close(given, wanted):
            continue
        if close(given, wanted.T):
            return "A result has a row, and an operand a column: turn the table round."
        if close(given, np.cumsum(wanted, axis=0)):
            return "The passes are added up in `.grad`: clear it before each."
        if close(given, np.tile(wanted.sum(axis=0), (rows, 1))):
            return "`backward` began with ones, so each row is the sum of all: begin with one result alone."
        if close(given, A):
            return "That is the table of the product alone: differentiate the function as it is."
        return "That is not the Jacobian."
    return None


@claim(30, "without nudging")
def passes(ask, draw):
    A, x = draw.normal(size=(3, 2)), draw.normal(size=2)
    if uses(ask, "jacobian"):
        return "`paddle.autograd.jacobian` does it for you: do it with backward passes."
    passes = ask.ran(asked, A, x).count("matmul_grad")
    return (
        None
        if passes
        else "No backward pass ran: the function was asked at other places, and that is nudging."
    )
