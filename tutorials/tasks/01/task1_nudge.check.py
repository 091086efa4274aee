"""Grader of task1_nudge.py: polynomials of degree 3, and where the function was asked."""

import numpy as np

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Ask the function twice: a little above `at`, and a little below.",
    "The answer moves by `function(at + nudge) - function(at - nudge)`. How far apart are the two places?",
    "One answer above `at`, one below: their difference, over the distance of the two places, which is not `nudge`.",
)


def asked(student, numbers, at):
    """Return what it answers for a polynomial."""
    return student.slope(lambda x: sum(c * x**n for n, c in enumerate(numbers)), at)


def looked(student, at, nudge):
    """Return how far from `at` it looked, in nudges."""
    places = []

    def function(x):
        places.append(x)
        return 3 * x

    student.slope(function, at, nudge)
    return sorted({round(float(place), 6) for place in (np.ravel(places) - at) / nudge})


@claim(60, "the slope of a curve")
def curve(ask, draw):
    numbers, at = draw.uniform(1, 3, 4), float(draw.uniform(0.5, 2))
    answer = ask(asked, numbers, at)
    right = sum(n * c * at ** (n - 1) for n, c in enumerate(numbers) if n)
    if close(answer, -right, 1e-3):
        return "The sign is turned round: take what lies above less what lies below."
    if close(answer, 2 * right, 1e-3):
        return "The two places are two nudges apart: divide by `2 * nudge`."
    if close(answer, 2e-5 * right, 1e-3):
        return "The difference has to be divided by the distance of the two places."
    if close(answer, right, 1e-3) and not close(answer, right):
        return "A nudge to one side only is less exact: go to both sides."
    return None if close(answer, right) else "It does not give the slope of a curve."


@claim(40, "the nudge that was asked for")
def nudge(ask, draw):
    at, by = float(draw.uniform(1, 2)), float(draw.uniform(0.1, 0.2))
    near, far = ask(looked, at, by), ask(looked, at, 3 * by)
    moves = [place for place in near if place]
    if near != far or not moves:
        return "It does not move by `nudge`: with a larger one it has to move farther."
    return None if moves[0] < 0 < moves[-1] else "It does not move to both sides."
