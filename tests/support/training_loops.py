"""Training loops to be recorded, with a mistake whose line bears the remark ``here``.

More of them are in ``losses_mistaken``, and those without a mistake in ``correct_loops``.
"""

import numpy as np

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle

MISTAKEN: dict[str, list] = {}
CORRECT: list = []
STEPS = 4


def mistake(kind):
    """Return a decorator that adds a loop to those with a mistake of this kind."""

    def add(function):
        MISTAKEN.setdefault(kind, []).append(function)
        return function

    return add


def correct(function):
    """Add a loop to those that are right."""
    CORRECT.append(function)
    return function


def data(width=3, classes=0, count=8):
    """Return inputs, and either what is wanted of one number each, or classes."""
    rng = np.random.default_rng(0)
    x = paddle.to_tensor(rng.normal(size=(count, width)).astype("float32"))
    if classes:
        return x, paddle.to_tensor(rng.integers(0, classes, count))
    return x, paddle.to_tensor(rng.normal(size=(count, 1)).astype("float32"))


def network(*more, width=3, out=1):
    """Return a small network that has these layers in its middle."""
    paddle.seed(1)
    nn = paddle.nn
    return nn.Sequential(nn.Linear(width, 6), nn.Tanh(), *more, nn.Linear(6, out))


def sgd(*layers, rate=0.05):
    """Return an optimizer for these layers."""
    return paddle.optimizer.SGD(rate, parameters=[one for layer in layers for one in layer.parameters()])


# -- gradients that are not cleared -------------------------------------------------------------------------------


@mistake("not cleared")
def no_clear_grad():
    (x, y), net = data(), network()
    opt = sgd(net)
    for _ in range(STEPS):
        loss = F.mse_loss(net(x), y)
        loss.backward()  # here
        opt.step()


@mistake("not cleared")
def cleared_of_another_optimizer():
    (x, y), net, other = data(), network(), network()
    opt, wrong = sgd(net), sgd(other)
    for _ in range(STEPS):
        loss = F.mse_loss(net(x), y)
        loss.backward()  # here
        opt.step()
        wrong.clear_grad()


@mistake("not cleared")
def cleared_before_the_loop_only():
    (x, y), net = data(), network()
    opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    opt.clear_grad()
    for _ in range(STEPS):
        F.mse_loss(net(x), y).backward()  # here
        opt.step()


@mistake("not cleared")
def one_of_two_networks_is_cleared():
    (x, y), net, head = data(), network(out=3), network()
    opt = sgd(net, head)
    for _ in range(STEPS):
        F.mse_loss(head(net(x)), y).backward()  # here
        opt.step()
        net.clear_gradients()


@mistake("not cleared")
def updated_by_hand_and_not_cleared():
    x, y = data()
    w = paddle.to_tensor(np.full((3, 1), 0.5, "float32"), stop_gradient=False)
    for _ in range(STEPS):
        F.mse_loss(x @ w, y).backward()  # here
        w.set_value(w.detach() - 0.1 * w.grad)


# -- old losses ---------------------------------------------------------------------------------------------------


@mistake("old graph")
def losses_summed_up():
    (x, y), net = data(), network()
    opt, total = sgd(net), 0
    for _ in range(STEPS):
        total = total + F.mse_loss(net(x), y)  # here
        total.backward(retain_graph=True)
        opt.step()
        opt.clear_grad()


@mistake("old graph")
def a_state_carried_on():
    (x, _), net = data(width=6), network(width=6, out=6)
    opt, state = sgd(net), paddle.zeros([8, 6])
    for _ in range(STEPS):
        state = net(x + state)  # here
        state.mean().backward(retain_graph=True)
        opt.step()
        opt.clear_grad()


@mistake("kept graph")
def losses_kept_for_the_average():
    (x, y), net = data(), network()
    opt, total = sgd(net), paddle.zeros([])
    for _ in range(STEPS):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        total = total + loss  # here


@mistake("kept graph")
def losses_added_in_place():
    (x, y), net = data(), network()
    opt, total = paddle.optimizer.Adam(parameters=net.parameters()), 0.0
    for _ in range(STEPS):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        total += loss  # here


# -- modes --------------------------------------------------------------------------------------------------------


@mistake("eval mode")
def batch_norm_in_eval_mode():
    (x, y), net = data(), network(paddle.nn.BatchNorm1D(6))
    opt = sgd(net)
    net.eval()
    for _ in range(STEPS):
        F.mse_loss(net(x), y).backward()  # here
        opt.step()
        opt.clear_grad()


@mistake("eval mode")
def dropout_in_eval_mode():
    (x, y), net = data(), network(paddle.nn.Dropout(0.5))
    opt = sgd(net)
    net.eval()
    for _ in range(STEPS):
        F.mse_loss(net(x), y).backward()  # here
        opt.step()
        opt.clear_grad()


@mistake("eval mode")
def not_back_in_train_mode():
    (x, y), net = data(), network(paddle.nn.BatchNorm1D(6))
    opt = sgd(net)
    for _ in range(STEPS):
        F.mse_loss(net(x), y).backward()  # here
        opt.step()
        opt.clear_grad()
        net.eval()
        with paddle.no_grad():
            net(x)


# -- optimizers ---------------------------------------------------------------------------------------------------


@mistake("no optimizer")
def one_of_two_networks_is_left_out():
    (x, y), net, head = data(), network(out=3), network()
    opt = sgd(head)
    for _ in range(STEPS):
        F.mse_loss(head(net(x)), y).backward()  # here
        opt.step()
        opt.clear_grad()
        net.clear_gradients()


@mistake("no optimizer")
def a_layer_made_after_the_optimizer():
    (x, y), net = data(), network(out=3)
    opt = sgd(net)
    head = paddle.nn.Linear(3, 1)
    for _ in range(STEPS):
        F.mse_loss(head(net(x)), y).backward()  # here
        opt.step()
        opt.clear_grad()
        head.clear_gradients()


@mistake("no optimizer")
def a_bias_left_out():
    (x, y), net = data(), network()
    opt = paddle.optimizer.Adam(0.01, parameters=[one for one in net.parameters() if len(one.shape) > 1])
    for _ in range(STEPS):
        F.mse_loss(net(x), y).backward()  # here
        opt.step()
        net.clear_gradients()


@mistake("no step")
def no_step():
    (x, y), net = data(), network()
    opt = sgd(net)
    for _ in range(STEPS):
        F.mse_loss(net(x), y).backward()  # here
        opt.clear_grad()


@mistake("no step")
def the_optimizer_of_another_network():
    (x, y), net = data(), network()
    opt = sgd(network())
    for _ in range(STEPS):
        F.mse_loss(net(x), y).backward()  # here
        opt.step()
        net.clear_gradients()


@mistake("emptied")
def cleared_before_the_step():
    (x, y), net = data(), network()
    opt = sgd(net)
    for _ in range(STEPS):
        F.mse_loss(net(x), y).backward()
        net.clear_gradients(set_to_zero=True)
        opt.step()  # here
