"""Grader of task2_slopes.py: value and slopes of each operator, at drawn numbers, both sides of zero."""

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Ask of each operand: if it alone moves a little, how many times as much does the result move?",
    "`a - b`: 1 and -1. `a / b`: 1 / b and -a / b ** 2. `a ** n`: n * a ** (n - 1). `relu`: 1 or 0.",
    "Each is one `Note`: the value first, then a pair for each operand. An exponent is no operand: `**` has one pair.",
)


def binary(student, name, a, b):
    """Return the value of an operator of two notes, and their gradients when twice the result is walked back."""
    student.tape.clear()
    left, right = student.Note(float(a)), student.Note(float(b))
    y = left - right if name == "-" else left / right
    student.walk(y * student.Note(2.0))
    return y.value, left.grad, right.grad


def power(student, a, exponent):
    student.tape.clear()
    left = student.Note(float(a))
    y = left**exponent
    student.walk(y * student.Note(2.0))
    return y.value, left.grad


def relu(student, a):
    student.tape.clear()
    left = student.Note(float(a))
    y = left.relu()
    student.walk(y * student.Note(2.0))
    return y.value, left.grad


@claim(20, "minus")
def minus(ask, draw):
    a, b = draw.uniform(1.0, 3.0, 2)
    value, da, db = ask(binary, "-", a, b)
    if not close(value, a - b):
        return "The value of `a - b` is wrong."
    if close(da, 2.0) and close(db, 2.0):
        return "When `b` grows, `a - b` shrinks: its slope is -1."
    return None if close(da, 2.0) and close(db, -2.0) else "The slopes of `a - b` are 1 and -1."


@claim(30, "divided by")
def divided(ask, draw):
    a, b = draw.uniform(1.0, 3.0, 2)
    value, da, db = ask(binary, "/", a, b)
    if not close(value, a / b):
        return "The value of `a / b` is wrong."
    if close(db, 2 * a / b**2):
        return "When `b` grows, `a / b` shrinks: its slope is negative."
    if close(db, -2 / b**2):
        return "The slope of `a / b` for `b` lacks the factor `a`."
    return (
        None
        if close(da, 2 / b) and close(db, -2 * a / b**2)
        else ("The slopes of `a / b` are `1 / b` and `-a / b ** 2`.")
    )


@claim(30, "to the power of a number")
def powers(ask, draw):
    a, exponent = float(draw.uniform(1.0, 2.0)), int(draw.integers(3, 6))
    value, da = ask(power, a, exponent)
    if not close(value, a**exponent):
        return "The value of `a ** n` is wrong."
    if close(da, 2 * a ** (exponent - 1)):
        return "The slope of `a ** n` lacks the factor `n`."
    if close(da, 2 * exponent * a**exponent):
        return "In the slope of `a ** n` the exponent is one less: `n * a ** (n - 1)`."
    return (
        None
        if close(da, 2 * exponent * a ** (exponent - 1))
        else "The slope of `a ** n` is `n * a ** (n - 1)`."
    )


@claim(20, "relu")
def relus(ask, draw):
    a = float(draw.uniform(0.5, 2.0))
    (up, slope), (down, flat) = ask(relu, a), ask(relu, -a)
    if not (close(up, a) and close(down, 0.0)):
        return "`relu` gives the value itself if it is positive, else 0."
    if close(flat, 2.0):
        return "Where `relu` is flat its slope is 0, and yours is 1 there."
    return (
        None if close(slope, 2.0) and close(flat, 0.0) else "The slope of `relu` is 1 above zero and 0 below."
    )
