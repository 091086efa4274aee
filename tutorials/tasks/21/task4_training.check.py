"""Grader of task4_training.py: each class by itself, and a training step for step beside Paddle's."""

import numpy as np
import paddle

from minipaddle.tools.course.claims import claim, close

HINTS = (
    "`Linear` is one line of your operators. `Sequential` keeps one variable, and gives it to layer after layer.",
    "`hasattr(layer, 'parameters')` says whether a layer has some. A step changes `data`, and makes no new `Value`.",
    "A step gives each parameter new `data`, less a share of its gradient; to clear is to set the gradient to zero.",
)


def linear(student, x, weight, bias):
    from task1_value import Value
    from task2_backward import backward
    from task3_arrays import total

    layer = student.Linear(len(weight), len(bias), np.random.default_rng(0))
    layer.weight.data, layer.bias.data = weight, bias
    given = Value(x)
    made = layer(given)
    mine = layer.parameters()
    backward(total(made))
    return made.data, len(mine), mine[0] is layer.weight, mine[1] is layer.bias, layer.bias.grad, given.grad


def sequence(student, x):
    from task1_value import Value

    rng = np.random.default_rng(0)
    first, last = student.Linear(2, 3, rng), student.Linear(3, 1, rng)
    net = student.Sequential(first, Value.tanh, last)
    mine = net.parameters()
    wanted = [first.weight, first.bias, last.weight, last.bias]
    arrays = [one.data for one in wanted]
    same = len(mine) == 4 and all(one is other for one, other in zip(mine, wanted))
    return net(Value(x)).data, len(mine), same, arrays


def optimizer(student, data, grad, rate):
    """Return data and gradient of a parameter after a step, and after it was cleared."""
    from task1_value import Value

    one, other = Value(data), Value(data)
    one.grad, other.grad = grad, 2 * grad
    sgd = student.SGD([one, other], rate)
    sgd.step()
    moved = one.data, other.data, np.array(one.grad)
    sgd.clear_grad()
    return *moved, one.grad


def training(student, x, y, arrays, rate, steps):
    from task1_value import Value
    from task2_backward import backward
    from task3_arrays import total

    rng = np.random.default_rng(0)
    net = student.Sequential(student.Linear(2, 3, rng), Value.tanh, student.Linear(3, 1, rng))
    for one, array in zip(net.parameters(), arrays):
        one.data = array
    sgd = student.SGD(net.parameters(), rate)
    losses = []
    for _ in range(steps):
        wrong = net(Value(x)) - Value(y)
        loss = total(wrong * wrong)
        backward(loss)
        sgd.step()
        sgd.clear_grad()
        losses.append(loss.data)
    return losses


@claim(25, "Linear")
def linears(ask, draw):
    x, weight, bias = draw.normal(size=(4, 2)), draw.normal(size=(2, 3)), draw.normal(size=3)
    value, count, first, second, of_bias, of_x = ask(linear, x, weight, bias)
    if close(value, x @ weight):
        return "`Linear` forgets its bias."
    if not close(value, x @ weight + bias):
        return "`Linear` is not `x @ weight + bias`."
    if not (count == 2 and first and second):
        return "The parameters of `Linear` are its weight and its bias, in this order."
    right = close(of_bias, np.full(3, 4.0)) and close(of_x, np.tile(weight.sum(1), (4, 1)))
    return None if right else "Through `Linear` no gradient comes back: build it of `Value` operators."


@claim(25, "Sequential")
def sequences(ask, draw):
    x = draw.normal(size=(5, 2))
    value, count, same, (w, b, v, c) = ask(sequence, x)
    if close(value, x @ w + b):
        return "`Sequential` stops after its first layer."
    if not close(value, np.tanh(x @ w + b) @ v + c):
        return "`Sequential` does not give each layer what the one before it gave."
    if count != 4:
        return "A `Sequential` of two `Linear` has four parameters; yours names another number."
    return None if same else "The parameters of `Sequential` come in the order of its layers."


@claim(25, "SGD")
def steps(ask, draw):
    data, grad = draw.normal(size=(2, 3))
    rate = float(draw.uniform(0.1, 0.5))
    one, other, kept, cleared = ask(optimizer, data, grad, rate)
    if close(one, data + rate * grad):
        return "The step goes uphill: it moves against the gradient."
    if close(one, data - grad):
        return "The step forgets the learning rate."
    if not (close(one, data - rate * grad) and close(other, data - 2 * rate * grad)):
        return "A step is `data - learning_rate * grad`, for every parameter."
    if not close(kept, grad):
        return "`step` changes the gradient; clearing it is the work of `clear_grad`."
    return (
        None
        if close(np.sum(cleared), 0.0)
        else "`clear_grad` leaves a gradient: the next one would be added to it."
    )


@claim(25, "a training goes as Paddle's does")
def trains(ask, draw):
    x, y = draw.normal(size=(6, 2)), draw.normal(size=(6, 1))
    arrays = [draw.normal(size=shape) / 2 for shape in ((2, 3), (3,), (3, 1), (1,))]
    rate, count = 0.02, 15
    weights = [paddle.to_tensor(array, stop_gradient=False) for array in arrays]
    w, b, v, c = weights
    right = []
    for _ in range(count):
        loss = ((paddle.tanh(paddle.to_tensor(x) @ w + b) @ v + c - paddle.to_tensor(y)) ** 2).sum()
        loss.backward()
        right.append(loss.item())
        with paddle.no_grad():
            for one in weights:
                one.set_value(one - rate * one.grad)
                one.clear_grad()
    losses = ask(training, x, y, arrays, rate, count)
    if close(losses[0], right[0]) and not close(losses[1:], right[1:]):
        return "The first loss of a training is right, and the next ones are not: something stays from step to step."
    return None if close(losses, right) else "A training of 15 steps does not go as Paddle's does."
