"""Section 14: twenty steps of training, with the same weights at the start on both sides."""

import numpy as np
import paddle

from tests.support.parity.graphs import feed, names
from tests.support.parity.kit import Family, data

cases = Family("static_training")
S = paddle.static
F = paddle.nn.functional
optimizer = paddle.optimizer
lr = paddle.optimizer.lr
STEPS = 20
CURVE = 2e-4  # float32 sums in another order, for twenty steps


def batch(i, classes=0):
    """Four rows, different at each step."""
    x = data(4, 3, seed=100 + i).astype("float32")
    label = np.abs(x * 3).sum(axis=1, keepdims=True)
    return {"x": x, "label": label.astype("int64") % classes if classes else np.sin(label)}


def _regression():
    """Two fc layers against the sine of something."""
    x, label = feed("x", -1, 3, stop=True), feed("label", -1, 1, stop=True)
    answer = S.nn.fc(S.nn.fc(x, 8, activation="tanh"), 1)
    return paddle.mean(F.square_error_cost(answer, label))


def _classification():
    """relu, softmax, three classes."""
    x, label = feed("x", -1, 3, stop=True), feed("label", -1, 1, dtype="int64", stop=True)
    return F.cross_entropy(S.nn.fc(S.nn.fc(x, 8, activation="relu"), 3), label)


def set_weights(exe):
    """Known numbers into every parameter."""
    exe.run(S.default_startup_program())
    for i, parameter in enumerate(S.default_main_program().all_parameters()):
        parameter.set_value((data(*parameter.shape, seed=10 + i) / 2).astype("float32"))


def trained(make, build=_regression, classes=0, schedule=None):
    """Loss of every step and the parameters at the end; `make(rate)` gives the optimizer."""
    rate = schedule() if schedule else 0.1
    loss = build()
    make(rate).minimize(loss)
    exe = S.Executor()
    set_weights(exe)
    losses = []
    for i in range(STEPS):
        losses += exe.run(feed=batch(i % 5, classes), fetch_list=[loss])
        if schedule:
            rate.step()
    parameters = S.default_main_program().all_parameters()
    final = [np.array(parameter.get_value()) for parameter in parameters]
    return {"losses": np.array(losses), "names": names(parameters), "final": final}


def with_clip(name, *args):
    return lambda rate: optimizer.SGD(rate, grad_clip=getattr(paddle.nn, f"ClipGradBy{name}")(*args))


OPTIMIZERS = cases.table("optimizers", globals())
for text, make in OPTIMIZERS.items():
    cases.add(text, trained, make, tolerance=CURVE)
    cases.add(f"{text} classification", trained, make, _classification, 3, tolerance=CURVE)

SCHEDULES = cases.table("schedules", globals())
for text, schedule in SCHEDULES.items():
    cases.add(f"SGD {text}", trained, OPTIMIZERS["SGD"], _regression, 0, schedule, tolerance=CURVE)
cases.add(
    "Adam StepDecay", trained, OPTIMIZERS["Adam"], _regression, 0, SCHEDULES["StepDecay"], tolerance=CURVE
)


VIEWS = cases.table("views", globals())


def viewed(view):
    """What was made of a parameter before its update, fetched after it; and the parameter, twice."""
    given = paddle.nn.initializer.Assign(data(2, 3).astype("float32"))
    w = S.create_parameter([2, 3], "float32", name="w", default_initializer=given)
    seen = view(w)
    optimizer.SGD(0.1).minimize(paddle.mean(w * w))
    exe = S.Executor()
    exe.run(S.default_startup_program())
    return [exe.run(fetch_list=[seen, w]) for _ in range(2)]


for text, view in VIEWS.items():
    cases.add(f"before the update {text}", viewed, view)
