"""Classify 64 digits with a 784-256-10 network kept in a Program: `exe.run` of one step of training with SGD."""

import paddle
import paddle.nn.functional as F
from paddle import static
from paddle.nn.initializer import Assign

from benchmarks import data


def fc(x, size, weight, bias, activation=None):
    """A fully connected layer that starts from the given arrays."""
    attributes = {"weight_attr": Assign(weight), "bias_attr": Assign(bias)}
    return static.nn.fc(x, size, activation=activation, **attributes)


def setup():
    paddle.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        images = static.data("images", [None, 784], "float32")
        labels = static.data("labels", [None], "int64")
        w1, b1, w2, b2 = data.mlp_weights()
        hidden = fc(images, 256, w1, b1, activation="relu")  # [64, 256]
        loss = F.cross_entropy(fc(hidden, 10, w2, b2), labels)
        paddle.optimizer.SGD(learning_rate=0.1).minimize(loss)
    exe = static.Executor(paddle.CPUPlace())
    exe.run(startup)
    feed = dict(zip(("images", "labels"), data.digits(64)))

    def step():
        return exe.run(main, feed=feed, fetch_list=[loss])[0]

    return step
