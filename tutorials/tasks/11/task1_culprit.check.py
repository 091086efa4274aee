"""Grader of task1_culprit.py: layers of drawn slopes; one makes numbers small, and not the gradient."""

import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "You need a gradient on each side of each layer. What keeps the gradient of a value that is no leaf?",
    "`value.retain_grads()` on every value, or a hook; then divide the size of what a layer gives by what it gets.",
    "For each layer divide what it gives back by what it got; the smallest share is that of the culprit.",
)


def found(student, slopes, lifts, quiet):
    """Ask of layers with these slopes; one of them, quiet, makes numbers small and leaves the gradient alone."""

    def layer(at):
        if at == quiet:
            return lambda h: h - h.detach() * 0.9999
        return lambda h: h * slopes[at] + lifts[at]

    layers = [layer(at) for at in range(len(slopes))]
    return student.culprit(layers, paddle.to_tensor([1.0, -2.0, 3.0], dtype="float64"))


def drawn(draw, at):
    """Return slopes of nine layers, of which one is small, numbers that are added, and a quiet layer."""
    slopes, lifts = draw.uniform(0.3, 0.8, 9), draw.uniform(2, 3, 9)
    slopes[at] = 0.01
    return slopes, lifts, 1 if at > 6 else 7


@claim(60, "a layer in the middle")
def middle(ask, draw):
    at = int(draw.choice([3, 5]))
    slopes, lifts, quiet = drawn(draw, at)
    given = ask(found, slopes, lifts, quiet)
    if close(given, 0):
        return "The first layer has the smallest gradient because all others shrink it, too: compare within each layer."
    if close(given, quiet):
        return "That layer makes its numbers small, and not its gradient: look at gradients."
    if close(given, 8 - at):
        return "The walk goes from the last layer to the first: count from the front."
    if close(given, at - 1) or close(given, at + 1):
        return "It is the neighbour: mind which gradient comes in and which goes out."
    return None if close(given, at) else "That layer is not the one."


@claim(40, "the first, and the last")
def ends(ask, draw):
    for at in (0, 8):
        if not close(ask(found, *drawn(draw, at)), at):
            return "The first layer and the last can be the culprit, too."
    return None
