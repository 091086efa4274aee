"""Grader of task1_scores.py: one Program, run with 4, 9 and 25 rows."""

import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Write it as you would for Tensors: `paddle.matmul`, a comparison, a mean.",
    '`scores > 0` is true or false; `.astype("float32")` makes 1 and 0 of that, and their mean is the share.',
    "A comparison, made into floats, has a mean: with it no number of rows has to be known.",
)


def run(student, feeds):
    """Write the Program once; return what each feed gives."""
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main):
            x, w = paddle.static.data("x", [-1, 3]), paddle.static.data("w", [3, 1])
            fetch = list(student.build(x, w))
        executor = paddle.static.Executor()
        return [executor.run(main, feed={"x": x, "w": w}, fetch_list=fetch) for x, w in feeds]
    finally:
        paddle.disable_static()


def drawn(draw, rows):
    return draw.normal(size=(rows, 3)).astype("float32"), draw.normal(size=(3, 1)).astype("float32")


@claim(40, "the scores")
def scores(ask, draw):
    x, w = drawn(draw, 5)
    ((one, two),) = ask(run, [(x, w)])
    if close(two, x @ w, 1e-5):
        return "The scores come first, and then the share."
    return None if close(one, x @ w, 1e-5) else "The scores are `x` times `w`, one for each row."


@claim(60, "the share, of any number of rows")
def share(ask, draw):
    feeds = [drawn(draw, rows) for rows in (4, 9, 25)]
    for (x, w), (_, found) in zip(feeds, ask(run, feeds)):
        above = x @ w > 0
        if close(found, above.mean(), 1e-5):
            continue
        if close(found, above.sum()):
            return "It is the number of rows; divide it by how many rows there are, or take a mean."
        if close(found, above.sum() / 4):
            return "The number of rows is built in: the next run may have another."
        if close(found, 1 - above.mean(), 1e-5):
            return "It is the share of the rows below zero."
        if close(found, (x @ w).mean(), 1e-5):
            return "It is the mean of the scores; ask of each whether it is above zero, and take the mean of that."
        return "The share of the rows above zero is not right."
    return None
