"""Grader of task2_target.py: the loss, and where its gradient goes."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Lesson 14 has a method that gives the same numbers as a leaf of its own.",
    "`value_next.detach()` has the numbers, and no tape behind it.",
    "One of the three tensors must be taken for given: the one that makes the wish, and not `value`.",
)


def run(student, w, now, then, reward):
    w = paddle.to_tensor(w, stop_gradient=False)
    one, two = w * paddle.to_tensor(now), w * paddle.to_tensor(then)
    loss = student.loss_of(one, paddle.to_tensor(reward), two)
    if not loss.stop_gradient:
        loss.backward()
    return loss.numpy(), None if w.grad is None else w.grad.numpy()


def drawn(draw):
    return [draw.uniform(1, 2, 5) for _ in range(4)]


@claim(40, "the loss")
def value(ask, draw):
    w, now, then, reward = drawn(draw)
    loss, _ = ask(run, w, now, then, reward)
    wish = reward + 0.9 * w * then
    if close(loss, ((w * now - reward - w * then) ** 2).mean()):
        return "The prediction of what comes next counts 0.9 times."
    if close(loss, ((w * now - wish) ** 2).sum()):
        return "The mean is asked for, and not the sum."
    return None if close(loss, ((w * now - wish) ** 2).mean()) else "The loss is another number."


@claim(60, "no gradient goes through the wish")
def still(ask, draw):
    w, now, then, reward = drawn(draw)
    _, grad = ask(run, w, now, then, reward)
    away = 2 * (w * now - reward - 0.9 * w * then) / 5
    if grad is None or close(grad, 0 * w):
        return "No gradient arrives at all: `value` itself has to stay on the tape."
    if close(grad, away * (now - 0.9 * then)):
        return "A gradient goes through the wish: detach it."
    if close(grad, -0.9 * away * then):
        return "It is the wish that has to stand still, and not the value."
    return None if close(grad, away * now) else "The gradient is not right."
