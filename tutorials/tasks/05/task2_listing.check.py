"""Grader of task2_listing.py: the list, beside that of a Program that is really written."""

import paddle

from minipaddle.tools.course.claims import claim

HINTS = (
    "Python's loop runs while the Program is written. What does each round leave behind?",
    "A round leaves two operators, the product and the `tanh`; the loss is one more.",
    "Python repeats a list by `*`. What a round leaves is repeated, and the last operator comes once, behind it.",
)


def listed(student, rounds):
    return student.operators(rounds)


def written(rounds):
    """Return the types in a Program that is really written."""
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x, w = paddle.static.data("x", [3]), paddle.static.data("w", [3])
        h = x
        for _ in range(rounds):
            h = paddle.tanh(h * w)
        paddle.mean(h)
    return [op.type for op in main.global_block().ops]


def mistake(given, rounds):
    right = written(rounds)
    if given == right:
        return None
    if given == right[:-1]:
        return "The loss is an operator, too: it is the last."
    if given == right[::-1]:
        return "The listing is in the order in which the operators run: the loss comes last."
    if rounds > 1 and given == ["elementwise_mul", "tanh", "reduce_mean"]:
        return "A Program knows nothing of Python's loop: each round writes its own operators."
    if given == [{"elementwise_mul": "multiply", "reduce_mean": "mean"}.get(name, name) for name in right]:
        return "In a Program `*` is called `elementwise_mul`, and `mean` is called `reduce_mean`."
    if given == rounds * ["tanh", "elementwise_mul"] + ["reduce_mean"]:
        return "The operand of `tanh` is computed before `tanh` is."
    return "That is not the list of the operators."


@claim(70, "several rounds")
def several(ask, draw):
    rounds = int(draw.integers(3, 8))
    return mistake(ask(listed, rounds), rounds)


@claim(30, "no round at all, and one")
def few(ask, draw):
    return mistake(ask(listed, 1), 1) or mistake(ask(listed, 0), 0)
