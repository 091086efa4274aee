"""Grader of task2_backward.py: users that add up, values that wait, depth, width, and where gradients stay."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "First collect, then walk: a set of all values behind the result, grown from a list of those still to look at.",
    "`sorted(behind, key=lambda value: value.number, reverse=True)` is the order of the visits.",
    "For each value in that order its operands and rules come in pairs: what a rule answers, `accumulate` takes.",
)


def product(student, a, b):
    from task1_value import Value

    left, right = Value(a), Value(b)
    result = left * right
    student.backward(result)
    return left.grad, right.grad, result.grad


def several_users(student, a):
    from task1_value import Value

    value = Value(a)
    student.backward(value * value + value + value)
    return value.grad


def late_users(student, a, b):
    from task1_value import Value

    value = Value(a)
    middle = value * Value(b)
    student.backward(middle * middle + middle)
    return value.grad, middle.grad


def deep(student, count):
    from task1_value import Value

    value = top = Value(1.0)
    for _ in range(count):
        top = Value(0.5) * (top + top)
    student.backward(top)
    return value.grad


def asked_once(student, count):
    """How often each rule of a ladder is asked."""
    from task1_value import Value

    asked = []

    def rule(dy):
        asked.append(1)
        return dy

    top = Value(1.0)
    for _ in range(count):
        top = Value(top.data, (top, top), (rule, rule))
    student.backward(top)
    return len(asked)


def two_results(student, a):
    """Two walks over one leaf, and a value that is behind neither."""
    from task1_value import Value

    leaf, stranger = Value(a), Value(a)
    student.backward(leaf * leaf)
    student.backward(leaf + leaf)
    return leaf.grad, stranger.grad


@claim(20, "the gradient of a product")
def products(ask, draw):
    a, b = draw.normal(size=(2, 3))
    da, db, first = ask(product, a, b)
    if not close(first, np.ones(3)):
        return "`result.grad` begins as ones in the shape of the result, and stays so."
    return None if close(da, b) and close(db, a) else "Not every operand is given what its rule answers."


@claim(20, "what several users send is added")
def added(ask, draw):
    a = draw.normal(size=4)
    da = ask(several_users, a)
    if close(da, a + 2):
        return "A value that is both operands of one operator counts twice; yours counts once."
    if close(da, np.ones(4)):
        return "The walk goes the wrong way: a rule is asked before the gradient of its result is there."
    if close(da, a):
        return "The last user wipes out what the others sent: use `accumulate`."
    return None if close(da, 2 * a + 2) else "What several users send to one value does not add up."


@claim(20, "a value waits for all its users")
def waits(ask, draw):
    a, b = draw.uniform(1, 2, (2, 3))
    da, middle = ask(late_users, a, b)
    if close(middle, 2 * a * b + 1) and not close(da, (2 * a * b + 1) * b):
        return "A value is visited before all its users: visit the last made first."
    return (
        None if close(da, (2 * a * b + 1) * b) else "A value that is used three times gets a wrong gradient."
    )


@claim(20, "every rule is asked once")
def once(ask, draw):
    count = int(draw.integers(12, 16))
    times = ask(asked_once, count)
    if isinstance(times, int) and times > 2 * count:
        return "A rule is asked again for each road that leads to it: visit every value once."
    return None if times == 2 * count else "Not every rule is asked."


@claim(10, "a deep tape")
def depth(ask, draw):
    count = int(draw.integers(3000, 4000))
    return None if close(ask(deep, count), 1.0) else "On a tape of thousands of values the gradient is wrong."


@claim(10, "gradients of leaves stay and add up")
def stay(ask, draw):
    a = draw.normal(size=3)
    da, none = ask(two_results, a)
    if close(da, 2 * np.ones(3)):
        return "The second walk wipes out what the first one left at the leaf: it is added, as in Paddle."
    if not close(none, 0.0):
        return "A value that is not behind the result gets a gradient, too."
    return None if close(da, 2 * a + 2) else "Two walks do not add up at the leaf that they share."
