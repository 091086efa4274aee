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


OPTIMIZERS = {
    "SGD": lambda rate: optimizer.SGD(rate),
    "SGD L2": lambda rate: optimizer.SGD(rate, weight_decay=0.05),
    "SGD L1": lambda rate: optimizer.SGD(rate, weight_decay=paddle.regularizer.L1Decay(0.05)),
    "Momentum": lambda rate: optimizer.Momentum(rate),
    "Momentum nesterov": lambda rate: optimizer.Momentum(rate, momentum=0.8, use_nesterov=True),
    "Momentum L2": lambda rate: optimizer.Momentum(rate, weight_decay=0.05),
    "Adam": lambda rate: optimizer.Adam(rate),
    "Adam L2": lambda rate: optimizer.Adam(rate, weight_decay=0.05),
    "AdamW": lambda rate: optimizer.AdamW(rate),
    "AdamW chosen": lambda rate: optimizer.AdamW(
        rate, weight_decay=0.3, apply_decay_param_fun=lambda name: ".w_" in name
    ),
    "Adagrad": lambda rate: optimizer.Adagrad(rate),
    "RMSProp": lambda rate: optimizer.RMSProp(rate / 10 if isinstance(rate, float) else rate),
    "RMSProp centered momentum": lambda rate: optimizer.RMSProp(0.01, momentum=0.5, centered=True),
    "clip by value": with_clip("Value", 0.2),
    "clip by norm": with_clip("Norm", 0.2),
    "clip by global norm": with_clip("GlobalNorm", 0.3),
    "clip and decay": lambda rate: optimizer.Adam(
        rate, weight_decay=0.05, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.3)
    ),
}
for text, make in OPTIMIZERS.items():
    cases.add(text, trained, make, tolerance=CURVE)
    cases.add(f"{text} classification", trained, make, _classification, 3, tolerance=CURVE)

SCHEDULES = {
    "StepDecay": lambda: lr.StepDecay(0.1, step_size=5, gamma=0.5),
    "ExponentialDecay": lambda: lr.ExponentialDecay(0.1, gamma=0.9),
    "PiecewiseDecay": lambda: lr.PiecewiseDecay([5, 12], [0.1, 0.05, 0.01]),
    "CosineAnnealingDecay": lambda: lr.CosineAnnealingDecay(0.1, T_max=10),
    "LinearWarmup": lambda: lr.LinearWarmup(0.1, warmup_steps=5, start_lr=0.01, end_lr=0.1),
    "NoamDecay": lambda: lr.NoamDecay(64, warmup_steps=10),
}
for text, schedule in SCHEDULES.items():
    cases.add(f"SGD {text}", trained, OPTIMIZERS["SGD"], _regression, 0, schedule, tolerance=CURVE)
cases.add(
    "Adam StepDecay", trained, OPTIMIZERS["Adam"], _regression, 0, SCHEDULES["StepDecay"], tolerance=CURVE
)


VIEWS = {
    "unsqueeze": lambda w: paddle.unsqueeze(w, 0),
    "squeeze": lambda w: paddle.squeeze(paddle.unsqueeze(w, 0), 0),
    "reshape": lambda w: paddle.reshape(w, [-1]),
    "transpose": lambda w: paddle.transpose(w, [1, 0]),
    "slice": lambda w: w[0],
    "split": lambda w: paddle.split(w, 2)[1],
    "expand": lambda w: paddle.expand(w, [2, 2, 3]),
    "assign": lambda w: paddle.assign(w),
    "cast": lambda w: paddle.cast(w, "float32"),
    "dropout": lambda w: F.dropout(w, 0.5, training=False),
}


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
