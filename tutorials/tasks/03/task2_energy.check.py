"""Grader of task2_energy.py: the value, the gradient of each input, and their order."""

import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "Hold `v` still and ask how the energy changes with `m`. Then hold `m` still, and ask the same of `v`.",
    "The slope for `m` is `v * v / 2`, and the slope for `v` is `m * v`. Both are multiplied by `dy`.",
    "Keep both inputs. `backward` returns two products, each with `dy` in it, in the order of the inputs.",
)


def value(student, m, v):
    return student.Energy.apply(paddle.to_tensor(m), paddle.to_tensor(v)).numpy()


def gradients(student, m, v, dy):
    one = paddle.to_tensor(m, stop_gradient=False)
    two = paddle.to_tensor(v, stop_gradient=False)
    student.Energy.apply(one, two).backward(paddle.to_tensor(dy))
    return one.grad.numpy(), two.grad.numpy()


@claim(30, "forward gives m * v * v / 2")
def energy(ask, draw):
    m, v = draw.uniform(1, 2, (3, 2)), draw.normal(size=(3, 2))
    y = ask(value, m, v)
    if close(y, m * v * v):
        return "`forward` forgets the half: the energy is `m * v * v / 2`."
    if close(y, m * m * v / 2):
        return "`forward` squares the mass; it is the speed that is squared."
    return None if close(y, m * v * v / 2) else "`forward` does not give `m * v * v / 2`."


@claim(35, "backward gives the gradient of m")
def of_the_mass(ask, draw):
    m, v, dy = draw.uniform(1, 2, 4), draw.normal(size=4), draw.normal(size=4)
    dm, dv = ask(gradients, m, v, dy)
    if "Energy_grad" not in ask.ran(gradients, m, v, dy):
        return "`Energy` has to be a PyLayer whose own `backward` runs; here the tape differentiates the formula."
    if close(dm, dy * m * v) and close(dv, dy * v * v / 2):
        return "The two gradients are swapped: they come in the order of the inputs, `m` first."
    if close(dm, v * v / 2):
        return "The gradient of `m` ignores `dy`: the chain rule multiplies the slope by it."
    if close(dm, dy * v * v):
        return "The gradient of `m` forgets the half: its slope is `v * v / 2`."
    return (
        None
        if close(dm, dy * v * v / 2)
        else ask.wrong_gradient(gradients, m, v, dy) or ("The gradient of `m` is not `dy * v * v / 2`.")
    )


@claim(35, "backward gives the gradient of v")
def of_the_speed(ask, draw):
    m, v, dy = draw.uniform(1, 2, 4), draw.normal(size=4), draw.normal(size=4)
    dm, dv = ask(gradients, m, v, dy)
    if close(dm, dy * m * v) and close(dv, dy * v * v / 2):
        return "The two gradients are swapped: they come in the order of the inputs, `m` first."
    if close(dv, m * v):
        return "The gradient of `v` ignores `dy`: the chain rule multiplies the slope by it."
    if close(dv, dy * m * v / 2):
        return "The gradient of `v` lacks a factor 2: `v` stands twice in the formula."
    return (
        None
        if close(dv, dy * m * v)
        else ask.wrong_gradient(gradients, m, v, dy) or ("The gradient of `v` is not `dy * m * v`.")
    )
