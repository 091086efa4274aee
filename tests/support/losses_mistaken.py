"""Training loops whose loss, or whose learning rate, is a mistake. The line bears the remark ``here``."""

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from tests.support.training_loops import STEPS, data, mistake, network, sgd

# -- losses -------------------------------------------------------------------------------------------------------


@mistake("loss")
def softmax_before_cross_entropy():
    (x, y), net = data(classes=3), network(paddle.nn.ReLU(), out=3)
    opt = sgd(net)
    for _ in range(STEPS):
        F.cross_entropy(F.softmax(net(x)), y).backward()  # here
        opt.step()
        opt.clear_grad()


@mistake("loss")
def a_layer_of_softmax_before_cross_entropy():
    (x, y), net = data(classes=3), paddle.nn.Sequential(network(out=3), paddle.nn.Softmax())
    opt, loss = sgd(net), paddle.nn.CrossEntropyLoss()
    for _ in range(STEPS):
        loss(net(x), y).backward()  # here
        opt.step()
        opt.clear_grad()


@mistake("loss")
def sigmoid_before_logits():
    (x, y), net = data(), network()
    opt = sgd(net)
    wanted = (y > 0).astype("float32")
    for _ in range(STEPS):
        F.binary_cross_entropy_with_logits(F.sigmoid(net(x)), wanted).backward()  # here
        opt.step()
        opt.clear_grad()


@mistake("loss")
def probabilities_for_nll():
    (x, y), net = data(classes=3), network(out=3)
    opt = sgd(net)
    for _ in range(STEPS):
        F.nll_loss(F.softmax(net(x)), y).backward()  # here
        opt.step()
        opt.clear_grad()


@mistake("loss")
def a_column_and_a_row():
    (x, y), net = data(), network()
    opt, row = sgd(net), y.flatten()
    for _ in range(STEPS):
        ((net(x) - row) ** 2).mean().backward()  # here
        opt.step()
        opt.clear_grad()


@mistake("loss")
def a_row_and_a_column():
    (x, y), net = data(), network()
    opt = sgd(net)
    for _ in range(STEPS):
        (y - net(x).flatten()).abs().mean().backward()  # here
        opt.step()
        opt.clear_grad()


@mistake("loss")
def a_mean_square_that_broadcasts():
    (x, y), net = data(), network()
    opt, row = sgd(net), y.flatten()
    for _ in range(STEPS):
        F.mse_loss(net(x), row).backward()  # here
        opt.step()
        opt.clear_grad()


# -- learning rates -----------------------------------------------------------------------------------------------


def blowing_up(opt_of, steps=12):
    """Train a line with an optimizer whose line is the caller's."""
    (x, y), net = data(), paddle.nn.Linear(3, 1)
    opt = opt_of(net)
    for _ in range(steps):
        F.mse_loss(net(x) * 3, y).backward()
        opt.step()  # here
        opt.clear_grad()


@mistake("learning rate")
def a_rate_of_ten():
    blowing_up(lambda net: sgd(net, rate=10.0))


@mistake("learning rate")
def a_rate_of_a_thousand_with_momentum():
    blowing_up(lambda net: paddle.optimizer.Momentum(1000.0, parameters=net.parameters()))


@mistake("learning rate")
def a_rate_that_grows():
    rate = paddle.optimizer.lr.LambdaDecay(1.0, lambda epoch: 10.0)
    blowing_up(lambda net: paddle.optimizer.SGD(rate, parameters=net.parameters()))
