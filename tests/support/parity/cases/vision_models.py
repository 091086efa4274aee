"""The networks of `paddle.vision.models`: keys and shapes of their state dicts, and what seeded ones answer."""

import hashlib

import numpy as np
import paddle

from tests.support.parity.kit import Family, as_list, data, frozen, leaf

M = paddle.vision.models
cases = Family("vision_models")
FACTORIES = [
    "LeNet",
    "mobilenet_v2",
    *(f"resnet{depth}" for depth in (18, 34, 50, 101, 152)),
    *(f"vgg{depth}" for depth in (11, 13, 16, 19)),
]


def keys(model):
    """How many numbers, and a digest of every key and shape in its place."""
    state = model.state_dict()
    text = "\n".join(f"{key} {[int(size) for size in value.shape]}" for key, value in state.items())
    count = sum(int(np.prod(value.shape)) for value in state.values())
    return [len(state), count, hashlib.md5(text.encode()).hexdigest()]


def made_of_ones(make):
    """The keys of a network whose numbers are quickly made."""
    paddle.nn.initializer.set_global_initializer(paddle.nn.initializer.Constant(1.0))
    try:
        return keys(make())
    finally:
        paddle.nn.initializer.set_global_initializer(None)


HEADLESS = {"vgg11", "vgg13", "vgg16"}  # a matrix of 100 million numbers is enough once
for factory in FACTORIES:
    options = {"num_classes": 0} if factory in HEADLESS else {}
    cases.add(
        f"keys of {factory}", made_of_ones, lambda name=factory, given=options: getattr(M, name)(**given)
    )
for text, options in {"scale": {"scale": 0.75}, "bare": {"num_classes": 0, "with_pool": False}}.items():
    cases.add(f"keys of mobilenet_v2 {text}", made_of_ones, lambda given=options: M.mobilenet_v2(**given))
cases.add("keys of vgg13 with norms", made_of_ones, lambda: M.vgg13(batch_norm=True, num_classes=0))


def answer(make, *shape):
    """What a seeded network gives to one image, without and with training: the first few numbers and the size."""
    paddle.seed(7)
    model = make()
    x = frozen(data(*shape).astype("float32"))
    model.eval()
    outs = model(x)
    model.train()
    return [
        [one.flatten()[:8], one.abs().mean(), list(one.shape)]
        for one in (*as_list(outs), *as_list(model(leaf(x.numpy()))))
    ]


SEEDED = cases.table("seeded", globals())
for text, (make, shape) in SEEDED.items():
    cases.add(text, answer, make, *shape, tolerance=1e-3)


def _one_step():
    paddle.seed(1)
    model = M.LeNet()
    step = paddle.optimizer.Adam(1e-3, parameters=model.parameters())
    losses = []
    for _ in range(3):
        loss = paddle.nn.functional.cross_entropy(
            model(frozen(data(4, 1, 28, 28).astype("float32"))), frozen(np.arange(4))
        )
        loss.backward()
        step.step()
        step.clear_grad()
        losses.append(float(loss))
    return losses


cases.add("one step", _one_step, tolerance=1e-4)
