"""Grader of task2_roads.py: webs with branches, with values used twice, and with operands that require no gradient."""

import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Follow every road to its end. What does its end answer, and what does `None`?",
    "A note has as many roads as all its operands together. The function can ask itself.",
    "Three cases: `None`, the end of a road, and any other note, which asks the same of each operand and adds.",
)


def branches(student, count):
    """Terms of one leaf, added one after the other."""
    w = paddle.to_tensor(0.5, stop_gradient=False)
    y = paddle.tanh(w)
    for _ in range(count - 1):
        y = y + paddle.tanh(w)
    return student.roads(y.grad_fn)


def doublings(student, count):
    y = paddle.to_tensor(0.5, stop_gradient=False)
    for _ in range(count):
        y = y + y
    return student.roads(y.grad_fn)


def with_data(student, count):
    """A chain in which every note has an operand that requires no gradient."""
    y = paddle.to_tensor(0.5, stop_gradient=False)
    for _ in range(count):
        y = y * paddle.to_tensor(2.0)
    return student.roads(y.grad_fn)


@claim(40, "a sum of several terms")
def terms(ask, draw):
    count = int(draw.integers(5, 9))
    answer = ask(branches, count)
    if close(answer, 1):
        return "A note that you have met before lies on other roads as well: count it again."
    if close(answer, 3 * count - 1):
        return "It counts the notes on the way; count the ends of the roads."
    if close(answer, count + 1):
        return "It gives the length of the longest road, and not how many there are."
    return None if close(answer, count) else "A sum of several terms has a road for each of them."


@claim(40, "values that are used twice")
def used_twice(ask, draw):
    count = int(draw.integers(4, 8))
    answer = ask(doublings, count)
    if close(answer, 2 * count):
        return "The roads of an operand count for each of its uses: add what each operand answers."
    return None if close(answer, 2**count) else "Each doubling has twice as many roads as the one before."


@claim(20, "operands that require no gradient")
def data(ask, draw):
    answer = ask(with_data, int(draw.integers(3, 6)))
    return None if close(answer, 1) else "No road leads to an operand that requires no gradient."
