"""Optimizers: five updates of two parameters, with decay, clipping and schedulers; the schedulers' values."""

import paddle

from tests.support.parity.kit import Family, data, frozen

cases = Family("optimizers")
STEPS = 5


def updated(make):
    """Parameters after each of five steps on a small curved loss."""
    w, b, unused = (parameter(shape, seed) for shape, seed in (((3, 2), 1), ((2,), 2), ((2,), 3)))
    optimizer = make([w, b, unused])
    seen = []
    for i in range(STEPS):
        x = frozen(data(4, 3, seed=20 + i), "float32")
        ((x @ w + b).tanh() ** 2).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
        seen.append([w.numpy(), b.numpy()])
    return {"seen": seen, "unused": unused.numpy(), "lr": optimizer.get_lr()}


def parameter(shape, seed):
    p = paddle.nn.Layer().create_parameter(list(shape))
    p.set_value(data(*shape, seed=seed).astype("float32"))
    return p


def build(name, *args, **options):
    return lambda parameters: getattr(paddle.optimizer, name)(*args, parameters=parameters, **options)


def clipped(name, *args, **options):
    """SGD whose gradients are clipped first."""
    return lambda ps: paddle.optimizer.SGD(0.1, ps, grad_clip=getattr(paddle.nn, name)(*args, **options))


OPTIMIZERS = cases.table("optimizers", globals())
for text, make in OPTIMIZERS.items():
    cases.add(text, updated, make)


STATES = {"Lamb": {}}


lr = paddle.optimizer.lr
SCHEDULES = cases.table("schedules", globals())


def values(make):
    """The value before each of twelve steps, and where it stands after a jump to epoch 2."""
    schedule, seen = make(), []
    for _ in range(12):
        seen.append(schedule())
        schedule.step()
    schedule.step(2)
    return {"seen": seen, "jump": schedule(), "last": [schedule.last_epoch, schedule.last_lr]}


for text, make in SCHEDULES.items():
    cases.add(f"schedule {text}", values, make)


PLATEAUS = cases.table("plateaus", globals())


def plateau(options):
    schedule, seen = lr.ReduceOnPlateau(0.5, **options), []
    for loss in [1.0, 0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 1.5, 0.7, 0.7, 0.7, 0.7]:
        schedule.step(paddle.to_tensor(loss))
        seen.append(schedule())
    return seen


for text, options in PLATEAUS.items():
    cases.add(f"schedule ReduceOnPlateau {text}", plateau, options)
