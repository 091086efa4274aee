"""Training loops without a mistake."""

import numpy as np

import minipaddle.paddle.nn.functional as F
from minipaddle import paddle
from tests.support.training_loops import CORRECT, STEPS, correct, data, network, sgd

# -- what is right ------------------------------------------------------------------------------------------------


def plain(net, opt, loss, x, y, after=lambda: None):
    """Train as the books say."""
    for _ in range(STEPS):
        loss(net(x), y).backward()
        opt.step()
        opt.clear_grad()
        after()


OPTIMIZERS = {
    "sgd": lambda p: paddle.optimizer.SGD(0.05, parameters=p),
    "momentum": lambda p: paddle.optimizer.Momentum(0.05, parameters=p),
    "adam": lambda p: paddle.optimizer.Adam(0.01, parameters=p),
    "adamw": lambda p: paddle.optimizer.AdamW(0.01, parameters=p),
    "rmsprop": lambda p: paddle.optimizer.RMSProp(0.01, parameters=p),
    "adagrad": lambda p: paddle.optimizer.Adagrad(0.01, parameters=p),
    "clipped": lambda p: paddle.optimizer.SGD(0.05, p, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.1)),
    "decayed": lambda p: paddle.optimizer.SGD(0.05, p, weight_decay=0.01),
    "groups": lambda p: paddle.optimizer.SGD(
        0.05, [{"params": p[:2]}, {"params": p[2:], "learning_rate": 0.1}]
    ),
    "scheduled": lambda p: paddle.optimizer.SGD(paddle.optimizer.lr.CosineAnnealingDecay(0.05, 4), p),
}


def with_optimizer(name):
    """Return a loop that trains with one of the optimizers."""

    def loop():
        (x, y), net = data(), network()
        plain(net, OPTIMIZERS[name](net.parameters()), F.mse_loss, x, y)

    loop.__name__ = f"trained_with_{name}"
    return loop


CORRECT += map(with_optimizer, OPTIMIZERS)


@correct
def cross_entropy_of_scores():
    (x, y), net = data(classes=3), network(out=3)
    plain(net, sgd(net), F.cross_entropy, x, y)


@correct
def cross_entropy_of_probabilities_that_says_so():
    (x, y), net = data(classes=3), network(out=3)
    plain(net, sgd(net), lambda out, y: F.cross_entropy(F.softmax(out), y, use_softmax=False), x, y)


@correct
def nll_of_log_probabilities():
    (x, y), net = data(classes=3), network(out=3)
    plain(net, sgd(net), lambda out, y: F.nll_loss(F.log_softmax(out), y), x, y)


@correct
def attention_before_cross_entropy():
    (x, y), net = data(width=6, classes=6), network(width=6, out=6)
    plain(net, sgd(net), lambda out, y: F.cross_entropy(F.softmax(out @ out.t()) @ out, y), x, y)


@correct
def binary_with_logits():
    (x, y), net = data(), network()
    plain(net, sgd(net), F.binary_cross_entropy_with_logits, x, (y > 0).astype("float32"))


@correct
def gradients_added_up_on_purpose():
    (x, y), net = data(), network()
    opt = sgd(net)
    for step in range(2 * STEPS):
        (F.mse_loss(net(x), y) / 2).backward()
        if step % 2:
            opt.step()
            opt.clear_grad()


@correct
def two_losses_one_step():
    (x, y), net = data(), network()
    opt = sgd(net)
    for _ in range(STEPS):
        out = net(x)
        F.mse_loss(out, y).backward(retain_graph=True)
        out.abs().mean().backward()
        opt.step()
        opt.clear_grad()


@correct
def a_loss_for_the_average():
    (x, y), net = data(), network()
    opt, total = sgd(net), 0.0
    for _ in range(STEPS):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        total += float(loss)


@correct
def a_detached_loss_for_the_average():
    (x, y), net = data(), network()
    opt, total = sgd(net), paddle.zeros([])
    for _ in range(STEPS):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        total = total + loss.detach()


@correct
def evaluated_in_between():
    (x, y), net = data(), network(paddle.nn.BatchNorm1D(6), paddle.nn.Dropout(0.3))
    opt = sgd(net)
    for _ in range(STEPS):
        net.train()
        F.mse_loss(net(x), y).backward()
        opt.step()
        opt.clear_grad()
        net.eval()
        with paddle.no_grad():
            F.mse_loss(net(x), y)


@correct
def a_frozen_batch_norm():
    (x, y), norm = data(), paddle.nn.BatchNorm1D(6)
    net = network(norm)
    norm.eval()
    for parameter in norm.parameters():
        parameter.stop_gradient = True
    plain(net, sgd(net), F.mse_loss, x, y)


@correct
def a_frozen_half():
    (x, y), net, head = data(), network(out=3), network()
    for parameter in net.parameters():
        parameter.stop_gradient = True
    plain(paddle.nn.Sequential(net, head), sgd(head), F.mse_loss, x, y)


@correct
def a_generator_and_its_judge():
    (x, _), made, judge = data(), network(out=3), network()
    one, other = sgd(made), sgd(judge)
    for _ in range(STEPS):
        (judge(made(x).detach()).mean() - judge(x).mean()).backward()
        other.step()
        other.clear_grad()
        (-judge(made(x)).mean()).backward()
        one.step()
        one.clear_grad()
        other.clear_grad()


@correct
def a_state_cut_off():
    (x, _), net = data(width=6), network(width=6, out=6)
    opt, state = sgd(net), paddle.zeros([8, 6])
    for _ in range(STEPS):
        state = net(x + state.detach())
        state.mean().backward()
        opt.step()
        opt.clear_grad()


@correct
def updated_by_hand():
    x, y = data()
    w = paddle.to_tensor(np.full((3, 1), 0.5, "float32"), stop_gradient=False)
    for _ in range(STEPS):
        F.mse_loss(x @ w, y).backward()
        w.set_value(w.detach() - 0.1 * w.grad)
        w.clear_grad()


@correct
def all_pairs():
    (x, y), net = data(), network()
    plain(net, sgd(net), lambda out, y: (out - out.t()).abs().mean() + F.mse_loss(out, y), x, y)


@correct
def a_weight_for_each():
    (x, y), net = data(), network()
    weights = paddle.arange(8, dtype="float32")
    plain(net, sgd(net), lambda out, y: ((out - y).flatten() * weights).square().mean(), x, y)


@correct
def a_loss_that_jumps_and_comes_back():
    (x, y), net = data(), network()
    plain(net, sgd(net, rate=0.3), lambda out, y: F.mse_loss(out, y) * 3, x, y)


@correct
def a_penalty_on_gradients():
    (x, y), net = data(), network()
    opt = sgd(net)
    x.stop_gradient = False
    for _ in range(STEPS):
        loss = F.mse_loss(net(x), y)
        (slope,) = paddle.grad(loss, [x], create_graph=True)
        (loss + slope.square().sum()).backward()
        opt.step()
        opt.clear_grad()
        x.clear_grad()
