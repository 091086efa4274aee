"""Section 16: Print, accuracy, fc, writing in place, layers in static mode, seeds, modes."""

import os
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, names, ones, run, types
from tests.support.parity.kit import Family, raises

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


def print_operator():
    x = feed("x", 2)
    y = S.Print(x * 2.0, message="here it is")
    S.gradients(paddle.sum(y * 3.0), x)
    return y.stop_gradient, listing()


def print_is_the_identity():
    x = feed("x", 2)
    y = S.Print(x * 2.0, message="here it is")
    found = S.gradients(paddle.sum(y * 3.0), x)
    values = []
    text = printed(lambda: values.extend(run([y, *found], {"x": X})))
    shown = ("here it is", "tmp_0", "tmp_0@GRAD", "[2]", "float", "2 4", "3 3")
    return values, [word in text.replace(",", "") for word in shown]


def accuracy():
    scores, label = feed("scores", -1, 3, stop=True), feed("label", -1, 1, dtype="int64", stop=True)
    found = [S.accuracy(scores, label), S.accuracy(scores, label, k=2)]
    given = np.array([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.4, 0.35, 0.25]], "float32")
    values = run(found, {"scores": given, "label": np.array([[1], [1], [2], [2]])})
    return [[list(v.shape), str(v.dtype)] for v in found], values


def fc():
    x = feed("x", -1, 3)
    y = S.nn.fc(x, 2, weight_attr=constant(0.5), bias_attr=constant(1.0), activation="relu")
    return list(y.shape), listing(), run([y], {"x": ones(2, 3)})


def fc_flattens():
    x = feed("x", -1, 2, 3)
    flat = S.nn.fc(x, 4, weight_attr=constant(0.5))
    kept = S.nn.fc(x, 4, num_flatten_dims=2, weight_attr=constant(0.5))
    values = run([flat, kept], {"x": ones(2, 2, 3)})
    return [list(v.shape) for v in (flat, kept)], listing(), values


def fc_of_a_list():
    x, y = feed("x", -1, 3), feed("y", -1, 2)
    out = S.nn.fc([x, y], 2, weight_attr=[constant(0.5), constant(0.25)])
    return listing(), run([out], {"x": ones(1, 3), "y": ones(1, 2)})


def fc_errors():
    n = feed("n", -1, 3, dtype="int64", stop=True)
    return raises(lambda: S.nn.fc(n, 2)), raises(lambda: S.nn.fc(ones(2, 3), 2))


def increment():
    c = paddle.full([1], 3, "int64")
    same = paddle.increment(c)
    real = paddle.increment(paddle.full([1], 1.5), 2.0)
    return same.name == c.name, listing(), run([c, real])


def assign_into():
    x, target = feed("x", 2), paddle.zeros([2])
    same = paddle.assign(x * 2.0, target)
    return same is target, listing(), run([target], {"x": X})


def assign_of_an_array():
    return run([paddle.assign(X), paddle.assign(np.array([1, 2]))]), types()


def global_variable_is_written():
    total = S.create_global_var([1], 0.0, "float32", persistable=True, name="total")
    paddle.assign(total + 1.5, total)
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [exe.run(fetch_list=[total]) for _ in range(3)]


def layers_make_parameters_and_operators():
    layer = paddle.nn.Linear(3, 2, weight_attr=constant(0.5))
    out = layer(feed("x", -1, 3))
    return names(layer.parameters()), listing(), run([out], {"x": ones(2, 3)})


def sequence_of_layers():
    network = paddle.nn.Sequential(
        paddle.nn.Linear(3, 4, weight_attr=constant(0.5)),
        paddle.nn.Tanh(),
        paddle.nn.Linear(4, 1, weight_attr=constant(0.1)),
    )
    loss = paddle.mean(network(feed("x", -1, 3)))
    found = paddle.optimizer.SGD(0.1).minimize(loss)[1]
    return [names(pair) for pair in found], run([loss, *(g for _, g in found)], {"x": ones(2, 3)})


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


def seeds():
    by_program = equal(_drawn(7), _drawn(7)), equal(_drawn(7), _drawn(8))
    by_paddle = equal(_drawn(of=3), _drawn(of=3)), equal(_drawn(of=3), _drawn(of=4))
    return by_program, by_paddle


def modes():
    seen = [paddle.in_dynamic_mode()]
    paddle.enable_static()
    paddle.enable_static()
    seen.append(paddle.in_dynamic_mode())
    paddle.disable_static()
    seen.append(paddle.in_dynamic_mode())
    return seen


def eager_operators_leave_programs_alone():
    main = S.default_main_program()
    feed("x", 2)
    paddle.disable_static()
    x = paddle.to_tensor(X, stop_gradient=False)
    paddle.sum(paddle.nn.Linear(2, 2)(x)).backward()
    return len(main.global_block().ops), list(main.global_block().vars), x.grad is not None


def nothing_is_recorded_while_a_program_is_built():
    on = paddle.is_grad_enabled
    found = [on(), paddle.in_dynamic_mode()]
    paddle.disable_static()
    return [*found, on()]


@cases.ours("int64")
def the_type_of_sizes():
    return str(paddle.shape(feed("x", -1, 3)).dtype).rpartition(".")[2].lower()
