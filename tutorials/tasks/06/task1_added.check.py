"""Grader of task1_added.py: the list, beside that of a Program that is really written."""

import paddle

from minipaddle.tools.course.claims import claim

HINTS = (
    "Each operator on the way to the loss gets one more. In which order does the reverse walk meet them?",
    "First the seed, a `fill_constant`; then a `..._grad` for each, beginning with that of the loss.",
    "The seed, and then the list turned round, each name with the same ending.",
)


def answer(student, types):
    return student.added(list(types))


def written(types):
    """Return what a Program with such a chain really gets."""
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        h = x = paddle.static.data("x", [3])
        x.stop_gradient = False
        for name in types[:-1]:
            h = getattr(paddle, name)(h)
        paddle.static.append_backward(paddle.sum(h))
    return [op.type for op in main.global_block().ops][len(types) :]


@claim(70, "a chain of several")
def chain(ask, draw):
    types = [*draw.choice(["square", "tanh", "exp", "cos", "sin"], 4, replace=False).tolist(), "reduce_sum"]
    given, right = ask(answer, types), written(types)
    if given == [right[0], *reversed(right[1:])]:
        return "The walk goes from the loss to `x`: the gradient operators stand in reverse order."
    if given == right[1:]:
        return "The seed is missing: the gradient of the loss itself, written by a `fill_constant`."
    if given == [*right[1:], right[0]]:
        return "The seed comes first: without it no gradient operator has anything to begin with."
    if given == [right[0], *types[::-1]]:
        return "The gradient operator of `tanh` is called `tanh_grad`, and so for all."
    if given == [*types, *right]:
        return "Only what is added is asked for, and not what was there before."
    return None if given == right else "That is not what `append_backward` writes."


@claim(30, "the loss alone")
def alone(ask, draw):
    return (
        None
        if ask(answer, ["reduce_sum"]) == written(["reduce_sum"])
        else "One operator gets a seed, and one more."
    )
