"""Grader of task1_walk.py: chains, notes with several users, notes that must wait, and a tape of any length."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "A note's users were all written later than the note. So which end of the tape do you begin at?",
    "For each operand of a note: `operand.grad += note.grad * slope`. Set `y.grad` to 1 before you begin.",
    "Begin at the end of the tape with a 1, and let each note add to its operands what it has, times the slope.",
)


def chain(student, numbers):
    """w times one number after the other."""
    student.tape.clear()
    w = y = student.Note(1.5)
    for number in numbers:
        y = y * student.Note(float(number))
    student.walk(y)
    return w.grad, y.grad


def several_users(student, a, b):
    """A product of a note with itself, and a sum of the same note."""
    student.tape.clear()
    w = student.Note(float(a))
    y = w * student.Note(float(b)) + w * w + w
    student.walk(y)
    return w.grad


def late_users(student, a, b):
    """A note that three use, behind another note."""
    student.tape.clear()
    w = student.Note(float(a))
    h = w * student.Note(float(b))
    y = h * h + h
    student.walk(y)
    return w.grad, h.grad, y.grad


def long_chain(student, count):
    student.tape.clear()
    w = y = student.Note(1.0)
    for _ in range(count):
        y = y + w
    try:
        student.walk(y)
    except RecursionError:
        return "too deep"
    return w.grad


def doublings(student, count):
    student.tape.clear()
    w = y = student.Note(1.0)
    for _ in range(count):
        y = y + y
    student.walk(y)
    return w.grad


@claim(25, "a chain of products")
def chains(ask, draw):
    numbers = draw.uniform(1.0, 2.0, 5)
    grad, first = ask(chain, numbers)
    if close(grad, 0.0) and close(first, 1.0):
        return "The walk goes the wrong way: nothing has arrived at a note when it sends its gradient on."
    if close(grad, 0.0):
        return "Nothing arrives: `y.grad` has to be 1 before the walk begins."
    return None if close(grad, np.prod(numbers)) else "In a chain every slope multiplies; yours does not."


@claim(25, "what several users send is added")
def added(ask, draw):
    a, b = draw.uniform(1.0, 2.0, 2)
    grad = ask(several_users, a, b)
    if close(grad, 1.0):
        return "The walk goes the wrong way: only the last user's gradient has arrived."
    if close(grad, b) or close(grad, a):
        return "The last user wipes out what the others sent: add with `+=`."
    return None if close(grad, b + 2 * a + 1) else "What three users send to one note does not add up."


@claim(25, "a note waits for all its users")
def waits(ask, draw):
    a, b = draw.uniform(1.0, 2.0, 2)
    grad, middle, first = ask(late_users, a, b)
    h = a * b
    if close(middle, 2 * h + 1) and not close(grad, (2 * h + 1) * b):
        return "A note sends its gradient on before all its users have reported: take the latest note first."
    if not close(first, 1.0):
        return "The gradient of `y` by `y` itself is 1, after the walk as before it."
    return None if close(grad, (2 * h + 1) * b) else "A note that is used three times gets a wrong gradient."


@claim(25, "a long tape takes one pass")
def long(ask, draw):
    count = int(draw.integers(2000, 3000))
    if not close(ask(doublings, 16), 2.0**16):
        return "Sixteen doublings in a row do not come out as 2 to the power of 16."
    grad = ask(long_chain, count)
    if grad == "too deep":
        return "The tape is thousands of notes long, deeper than a function can call itself: go along it in a loop."
    return None if close(grad, count + 1.0) else "A tape of thousands of notes comes out wrong."
