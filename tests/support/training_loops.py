"""Training loops to be recorded: those with a mistake, whose line bears the remark ``here``, and those without one."""

import numpy as np

import minipaddle as paddle
import minipaddle.nn.functional as F

__all__ = ["CORRECT", "MISTAKEN"]

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
