"""Programs put together at random (the same ones every time): listings, gradients, training, copies for testing.

What somebody thinks of has its case elsewhere; this is what nobody thought of. Each case is one seed.
"""

import numpy as np
import paddle

from tests.support.parity.graph_details import details
from tests.support.parity.graphs import feed, names, pairs
from tests.support.parity.kit import Family

cases = Family("static_random")
S = paddle.static
F = paddle.nn.functional
lr = paddle.optimizer.lr
regularizer = paddle.regularizer
TOLERANCE = 3e-4  # float32 through a dozen operators

ONE = [
    paddle.exp,
    paddle.tanh,
    paddle.square,
    paddle.abs,
    paddle.sin,
    F.sigmoid,
    F.relu,
    F.softmax,
    F.log_softmax,
    lambda x: x * 2,
    lambda x: 2 - x,
    lambda x: -x,
    lambda x: x / 4,
    lambda x: x**2,
    lambda x: paddle.clip(x, -0.53, 0.47),
    lambda x: paddle.scale(x, 0.5, 1.0),
    paddle.assign,
    lambda x: paddle.pow(x, 3),
    lambda x: paddle.cast(paddle.cast(x, "float64"), "float32"),
]
TWO = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, y: x / (y * y + 1.0),
    lambda x, y: paddle.maximum(x, y * 1.01),
    lambda x, y: F.square_error_cost(x, y),
    lambda x, y: paddle.add(x, y),
]
SHAPING = [
    lambda x: paddle.mean(x),
    lambda x: paddle.mean(x, axis=-1, keepdim=True),
    lambda x: paddle.sum(x, axis=0, keepdim=True),
    lambda x: paddle.transpose(x, list(range(x.ndim))[::-1]),
    lambda x: paddle.unsqueeze(x, 0),
    lambda x: paddle.reshape(x, [-1]),
    lambda x: paddle.concat([x, x], axis=-1),
    lambda x: paddle.stack([x, x * 0.5]),
    lambda x: x[0],
    lambda x: paddle.matmul(x, x, transpose_y=True) if x.ndim == 2 else x * x,
    lambda x: S.nn.fc(x, 2, activation="tanh") if x.ndim == 2 and x.shape[1] > 0 else x + 1.0,
]


def chosen(random, things):
    return things[random.randint(len(things))]


def fits(x, y):
    return all(a == b or 1 in (a, b) for a, b in zip(x.shape[::-1], y.shape[::-1]))


def grown(random, pool):
    """The pool of Variables with up to twelve more, each made of one or two of the others."""
    for _ in range(random.randint(4, 13)):
        x = pool[-1] if random.randint(3) else chosen(random, pool)
        kind = random.randint(10)
        if kind < 4:
            pool.append(chosen(random, ONE)(x))
        elif kind < 7:
            pool.append(chosen(random, TWO)(x, chosen(random, [y for y in pool if fits(x, y)])))
        else:
            pool.append(chosen(random, SHAPING)(x) if x.ndim else x * 1.5)
    return pool


def array(random, *shape):
    return random.uniform(-1, 1, shape).astype("float32")


def started(random):
    """An Executor, with numbers of ours in every parameter."""
    exe = S.Executor()
    exe.run(S.default_startup_program())
    for parameter in S.default_main_program().all_parameters():
        parameter.set_value(array(random, *parameter.shape))
    return exe


def differentiated(seed):
    """A random expression with its gradients."""
    random = np.random.RandomState(seed)
    batch = chosen(random, [-1, 2])
    x, y = feed("x", batch, 3, stop=not random.randint(4)), feed("y", batch, 3)
    given = paddle.nn.initializer.Assign(np.array([0.37, -1.1, 2.2], "float32"))
    w = S.create_parameter([3], "float32", name="w", default_initializer=given)
    out = grown(random, [x, y, w])[-1]
    found = S.gradients(out, [x, y, w])
    values = [out, *(grad for grad in found if grad is not None)]
    inputs = {"x": array(random, 2, 3), "y": array(random, 2, 3)}
    results = started(random).run(feed=inputs, fetch_list=values)
    return {"grads": names(found), "listing": details(), "values": results}


def attribute(random):
    """What a ParamAttr can ask of an optimizer."""
    options = {
        "learning_rate": [0.5, 2.0],
        "regularizer": [regularizer.L2Decay(0.2), regularizer.L1Decay(0.1)],
        "trainable": [False],
    }
    return paddle.ParamAttr(
        **{name: chosen(random, of) for name, of in options.items() if not random.randint(4)}
    )


def net(random):
    """A few fc layers; the answer and the loss."""
    x, label = feed("x", -1, 3, stop=True), feed("label", -1, 1, stop=True)
    hidden = x
    for _ in range(random.randint(1, 4)):
        inputs = chosen(random, [hidden, hidden, [hidden, x]])
        activation = chosen(random, [None, "tanh", "relu", "sigmoid", "softmax"])
        bias = chosen(random, [None, False, attribute(random)])
        size = int(random.randint(1, 5))
        hidden = S.nn.fc(inputs, size, 1, attribute(random), bias, activation)
    answer = S.nn.fc(hidden, 1)
    return answer, chosen(random, [paddle.mean, paddle.sum])(F.square_error_cost(answer, label))


def optimizer(random):
    """One of the optimizers with a rate, a decay and a way to clip."""
    rate = chosen(random, [0.05, lr.StepDecay(0.05, 2), lr.ExponentialDecay(0.05, 0.8)])
    clips = [
        None,
        paddle.nn.ClipGradByValue(0.2),
        paddle.nn.ClipGradByNorm(0.3),
        paddle.nn.ClipGradByGlobalNorm(0.5),
    ]
    options = {"grad_clip": chosen(random, clips)}
    name = chosen(random, ["SGD", "Momentum", "Adam", "AdamW", "Adagrad", "RMSProp"])
    if name != "AdamW":
        options["weight_decay"] = chosen(random, [None, 0.1, regularizer.L1Decay(0.05)])
    return rate, getattr(paddle.optimizer, name)(rate, **options)


def trained(seed):
    """Five steps of a random net, and what its copy for testing answers."""
    random = np.random.RandomState(seed)
    answer, loss = net(random)
    rate, chosen_optimizer = optimizer(random)
    _, updated = chosen_optimizer.minimize(loss)
    test = S.default_main_program().clone(for_test=True)
    program = [line for line in details()[0]["ops"] if " | 2 " in line]
    exe, seen = started(random), []
    for _ in range(5):
        inputs = {"x": array(random, 4, 3), "label": array(random, 4, 1)}
        seen.append([*exe.run(feed=inputs, fetch_list=[loss]), *exe.run(test, inputs, [answer])])
        if not isinstance(rate, float):
            rate.step()
    return {"pairs": pairs(updated), "updates": program, "test": details(test)[0]["ops"], "seen": seen}


for seed in range(25):
    cases.add(f"expression {seed}", differentiated, seed, tolerance=TOLERANCE)
for seed in range(12):
    cases.add(f"net {seed}", trained, seed, tolerance=TOLERANCE)
