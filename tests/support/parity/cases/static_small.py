"""Section 16: Print, accuracy, fc, writing in place, layers in static mode, seeds, modes."""

import os
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, names, ones, run
from tests.support.parity.kit import Family

F = paddle.nn.functional
cases = Family("static_small")
X = np.array([1.0, 2.0], "float32")


def constant(number):
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(number))


def printed(call):
    """What `call` writes to standard output, from Python or from below."""
    sys.stdout.flush()
    kept, text = os.dup(1), StringIO()
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            with redirect_stdout(text):
                call()
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return file.read().decode() + text.getvalue()


def class_of_the_user():
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = paddle.nn.Linear(3, 2, weight_attr=constant(0.5))
            self.scale = self.create_parameter([2], default_initializer=paddle.nn.initializer.Constant(3.0))

        def forward(self, x):
            return F.relu(self.fc(x)) * self.scale

    network = Net()
    out = network(feed("x", -1, 3))
    return names(network.parameters()), run([out], {"x": ones(2, 3)})


def _drawn(seed=0, of=None):
    """Two weights of one program, drawn in a new scope."""
    main, startup = S.Program(), S.Program()
    startup.random_seed = seed
    with S.program_guard(main, startup), paddle.utils.unique_name.guard(), S.scope_guard(S.Scope()):
        for _ in range(2):
            S.nn.fc(feed("x" if not main.global_block().has_var("x") else "z", -1, 3), 4)
        if of is not None:
            paddle.seed(of)
        exe = S.Executor()
        exe.run(startup)
        return exe.run(main, feed={"x": ones(1, 3), "z": ones(1, 3)}, fetch_list=["fc_0.w_0", "fc_1.w_0"])


def equal(a, b):
    return [bool(np.array_equal(x, y)) for x, y in zip(a, b, strict=True)]


@cases.ours("int64")
def the_type_of_sizes():
    return str(paddle.shape(feed("x", -1, 3)).dtype).rpartition(".")[2].lower()
