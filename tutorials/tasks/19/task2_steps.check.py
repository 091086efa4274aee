"""Grader of task2_steps.py: one Program, fed with small numbers and large ones."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`while_loop(condition, body, [...])`: the list is what goes around, here the number and the count.",
    "Begin with `paddle.assign(x)` and `paddle.zeros_like(x)`. The body returns a list of two.",
    "The condition looks at the number alone; the body halves it, and makes the count one larger.",
)


def run(student, numbers):
    """Write the Program once; return what it gives for each number, and the gradient of x."""
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x = paddle.static.data("x", [1], "float64")
            x.stop_gradient = False
            left, count = student.build(x)
            (slope,) = paddle.static.gradients(left, x)
        fetch = [left, count] if slope is None else [left, count, slope]
        executor = paddle.static.Executor()
        return [executor.run(main, feed={"x": np.array([number])}, fetch_list=fetch) for number in numbers]
    finally:
        paddle.disable_static()


def halved(number):
    count = 0
    while number > 1:
        number, count = number / 2, count + 1
    return number, count


@claim(40, "what is left")
def left(ask, draw):
    numbers = [float(draw.uniform(2**n, 2 ** (n + 1))) for n in (3, 6, 9, 99)]
    answers = ask(run, numbers)
    if close(answers[0][0], answers[1][0]):
        return "It is always the same, whatever is fed."
    for number, (found, *_) in zip(numbers, answers):
        if close(found, [2 * halved(number)[0]]):
            return "One round is missing: 1.5 is above 1."
        if close(found, [number / 16]) and not close(found, [halved(number)[0]]):
            return "The number of rounds is built in: what is fed decides."
        if number > 1e9 and not close(found, [halved(number)[0]]):
            return "It ends too early where a hundred rounds are due: the loop belongs into the Program."
        if not close(found, [halved(number)[0]]):
            return "What is left is not right."
    return None


@claim(30, "the count")
def count(ask, draw):
    numbers = [float(draw.uniform(2**n, 2 ** (n + 1))) for n in (2, 5)] + [0.5, 1.0]
    for number, (_, found, *_) in zip(numbers, ask(run, numbers)):
        if close(found, [halved(number)[1] + 1.0]) and number > 1:
            return "The count begins with 0."
        if number <= 1 and not close(found, [0.0]):
            return "Of a number that is not above 1 there is no round."
        if not close(found, [float(halved(number)[1])]):
            return "The count is not right."
        if found.dtype.kind != "f":
            return "The count is a float, like `x`."
    return None


@claim(30, "the gradient of the loop")
def slope(ask, draw):
    numbers = [float(draw.uniform(2**n, 2 ** (n + 1))) for n in (3, 6)]
    for number, answer in zip(numbers, ask(run, numbers)):
        if len(answer) < 3:
            return "No gradient leads through the loop: what goes around has to come from `x`."
        if not close(answer[2], [0.5 ** halved(number)[1]]):
            return "The gradient is not one half for each round."
    return None
