"""Grader of task2_used.py: the list, beside the gradient of a real convolution."""

import paddle

from minipaddle.tools.course.claims import claim, close, uses

HINTS = (
    "Where does the kernel begin? At 0, at `stride`, at twice `stride`, and so on, while it fits.",
    "It fits where its last number is still on the row: `start + width <= size`.",
    "Two loops: over the places where the kernel begins, and over the numbers that it covers there.",
)


def asked(student, size, width, stride):
    return student.used(size, width, stride)


def counted(size, width, stride):
    """Return the gradient of a row of ones."""
    x = paddle.ones([1, 1, size])
    x.stop_gradient = False
    paddle.nn.functional.conv1d(x, paddle.ones([1, 1, width]), stride=stride).sum().backward()
    return x.grad.numpy().ravel()


@claim(50, "one place at a time")
def slowly(ask, draw):
    if uses(ask, "numpy", "paddle"):
        return "By hand: without Paddle, and without NumPy."
    size, width = int(draw.integers(9, 13)), int(draw.integers(3, 5))
    found = ask(asked, size, width, 1)
    if close(found, [width] * size):
        return "At the ends the kernel does not fit everywhere: the first number is used once."
    if close(found, [min(at + 1, width) for at in range(size)]):
        return "The row has two ends: the last number is used once, as the first."
    return None if close(found, counted(size, width, 1)) else "With a stride of 1 it is wrong."


@claim(50, "several places at a time")
def faster(ask, draw):
    for size, width, stride in ((int(draw.integers(9, 15)), 3, 2), (10, 2, 3), (7, 7, 2), (11, 4, 3)):
        found, right = ask(asked, size, width, stride), counted(size, width, stride)
        if close(found, right):
            continue
        if close(found, counted(size, width, 1)):
            return "The stride is left out: with larger steps a number is used less often."
        if len(found) != size:
            return "The list has to have as many numbers as the row, those that nobody uses as well."
        starts = range(0, size - width + stride, stride)
        if close(found, [sum(start <= at < start + width for start in starts) for at in range(size)]):
            return "The kernel stops when it no longer fits: what sticks out at the end does not count."
        return "With a larger stride it is wrong."
    return None
