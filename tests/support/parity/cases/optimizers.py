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


OPTIMIZERS = {
    "SGD": build("SGD", 0.1),
    "SGD default rate": build("SGD"),
    "SGD decay": build("SGD", 0.1, weight_decay=0.1),
    "SGD L2Decay": lambda ps: paddle.optimizer.SGD(0.1, ps, weight_decay=paddle.regularizer.L2Decay(0.1)),
    "SGD L1Decay": lambda ps: paddle.optimizer.SGD(0.1, ps, weight_decay=paddle.regularizer.L1Decay(0.1)),
    "Momentum": build("Momentum", 0.1),
    "Momentum 0.5": build("Momentum", 0.1, momentum=0.5),
    "Momentum nesterov": build("Momentum", 0.1, use_nesterov=True),
    "Momentum decay": build("Momentum", 0.1, weight_decay=0.1),
    "Adam": build("Adam", 0.1),
    "Adam betas": build("Adam", 0.1, beta1=0.8, beta2=0.9, epsilon=1e-3),
    "Adam decay": build("Adam", 0.1, weight_decay=0.1),
    "AdamW": build("AdamW", 0.1),
    "AdamW decay": build("AdamW", 0.1, weight_decay=0.2),
    "AdamW chosen": lambda ps: paddle.optimizer.AdamW(
        0.1, parameters=ps, weight_decay=0.2, apply_decay_param_fun=lambda name: name != ps[1].name
    ),
    "Adagrad": build("Adagrad", 0.1),
    "Adagrad start": build("Adagrad", 0.1, epsilon=1e-3, initial_accumulator_value=0.5),
    "RMSProp": build("RMSProp", 0.1),
    "RMSProp momentum": build("RMSProp", 0.1, rho=0.9, momentum=0.5),
    "RMSProp centered": build("RMSProp", 0.1, centered=True),
    "Adam lazy, many at once": build(
        "Adam", 0.1, lazy_mode=True, use_multi_tensor=True, multi_precision=True
    ),
    "Adamax": build("Adamax", 0.1),
    "Adadelta": build("Adadelta", 0.1),
    "Lamb": build("Lamb", 0.1),
    "Lamb numbers": build("Lamb", 0.1, 0.3, 0.8, 0.9, 1e-3),
    "Lamb without decay": lambda ps: paddle.optimizer.Lamb(
        0.1, parameters=ps, exclude_from_weight_decay_fn=lambda p: p.name == ps[0].name
    ),
    "Lamb without decay, adapted": lambda ps: paddle.optimizer.Lamb(
        0.1, lamb_weight_decay=0.0, parameters=ps, always_adapt=True
    ),
    "Lamb groups": lambda ps: paddle.optimizer.Lamb(
        0.1, parameters=[{"params": ps[:1]}, {"params": ps[1:], "beta1": 0.5, "lamb_weight_decay": 0.4}]
    ),
    "clip by norm": clipped("ClipGradByNorm", 0.5),
    "clip by global norm": clipped("ClipGradByGlobalNorm", 0.5),
    "clip by large global norm": clipped("ClipGradByGlobalNorm", 100.0),
    "clip by value": clipped("ClipGradByValue", 0.3),
    "clip by two values": clipped("ClipGradByValue", 0.2, min=-0.4),
    "parameter groups": lambda ps: paddle.optimizer.Adam(
        0.1, parameters=[{"params": ps[:1]}, {"params": ps[1:], "learning_rate": 0.1, "weight_decay": 0.5}]
    ),
}
for text, make in OPTIMIZERS.items():
    cases.add(text, updated, make)


STATES = {"Lamb": {}}


lr = paddle.optimizer.lr
SCHEDULES = {
    "StepDecay": lambda: lr.StepDecay(0.5, step_size=3, gamma=0.1),
    "MultiStepDecay": lambda: lr.MultiStepDecay(0.5, milestones=[2, 5], gamma=0.2),
    "ExponentialDecay": lambda: lr.ExponentialDecay(0.5, gamma=0.9),
    "CosineAnnealingDecay": lambda: lr.CosineAnnealingDecay(0.5, T_max=6),
    "CosineAnnealingDecay floor": lambda: lr.CosineAnnealingDecay(0.5, T_max=4, eta_min=0.1),
    "LinearWarmup": lambda: lr.LinearWarmup(0.5, warmup_steps=4, start_lr=0.0, end_lr=0.5),
    "LinearWarmup then StepDecay": lambda: lr.LinearWarmup(lr.StepDecay(0.5, 2), 3, 0.1, 0.5),
    "NoamDecay": lambda: lr.NoamDecay(d_model=64, warmup_steps=4),
    "NoamDecay rate": lambda: lr.NoamDecay(d_model=64, warmup_steps=3, learning_rate=2.0),
    "LambdaDecay": lambda: lr.LambdaDecay(0.5, lr_lambda=lambda epoch: 0.95**epoch),
    "OneCycleLR": lambda: lr.OneCycleLR(1.0, 12, divide_factor=5, end_learning_rate=0.01),
    "OneCycleLR linear": lambda: lr.OneCycleLR(1, 15, phase_pct=0.4, anneal_strategy="linear"),
    "OneCycleLR three phases": lambda: lr.OneCycleLR(1.0, 14, phase_pct=0.4, three_phase=True),
    "StepDecay from 4": lambda: lr.StepDecay(0.5, step_size=3, last_epoch=4),
}


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


PLATEAUS = {
    "min": {"patience": 1},
    "factor": {"patience": 0, "factor": 0.5},
    "cooldown": {"patience": 0, "cooldown": 2},
    "max": {"patience": 1, "mode": "max"},
    "abs": {"patience": 1, "threshold": 0.25, "threshold_mode": "abs"},
    "floor": {"patience": 0, "min_lr": 0.2},
}


def plateau(options):
    schedule, seen = lr.ReduceOnPlateau(0.5, **options), []
    for loss in [1.0, 0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 1.5, 0.7, 0.7, 0.7, 0.7]:
        schedule.step(paddle.to_tensor(loss))
        seen.append(schedule())
    return seen


for text, options in PLATEAUS.items():
    cases.add(f"schedule ReduceOnPlateau {text}", plateau, options)
