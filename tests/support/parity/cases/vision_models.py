"""The networks of `paddle.vision.models`: keys and shapes of their state dicts, and what seeded ones answer."""

import hashlib

import numpy as np
import paddle

from tests.support.parity.kit import Family, as_list, data, frozen, leaf, raises

M = paddle.vision.models
cases = Family("vision_models")
FACTORIES = [
    "LeNet", "alexnet", "googlenet", "inception_v3", "mobilenet_v1", "mobilenet_v2", "mobilenet_v3_large",
    "mobilenet_v3_small", "shufflenet_v2_swish", "squeezenet1_0", "squeezenet1_1", "wide_resnet50_2",
    "wide_resnet101_2", *(f"densenet{depth}" for depth in (121, 161, 169, 201, 264)),
    *(f"resnet{depth}" for depth in (18, 34, 50, 101, 152)),
    *(f"resnext{depth}_{groups}x4d" for depth in (50, 101, 152) for groups in (32, 64)),
    *(f"shufflenet_v2_x{scale}" for scale in ("0_25", "0_33", "0_5", "1_0", "1_5", "2_0")),
    *(f"vgg{depth}" for depth in (11, 13, 16, 19)),
]  # fmt: skip


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


HEADLESS = {"vgg11", "vgg13", "vgg16", "alexnet"}  # a matrix of 100 million numbers is enough once
for factory in FACTORIES:
    options = {"num_classes": 0} if factory in HEADLESS else {}
    cases.add(
        f"keys of {factory}", made_of_ones, lambda name=factory, given=options: getattr(M, name)(**given)
    )
for text, options in {"scale": {"scale": 0.75}, "bare": {"num_classes": 0, "with_pool": False}}.items():
    for factory in ("mobilenet_v1", "mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large"):
        cases.add(
            f"keys of {factory} {text}",
            made_of_ones,
            lambda name=factory, given=options: getattr(M, name)(**given),
        )
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


SEEDED = {
    "LeNet": (M.LeNet, (2, 1, 28, 28)),
    "LeNet without classes": (lambda: M.LeNet(0), (1, 1, 28, 28)),
    "squeezenet1_0": (lambda: M.squeezenet1_0(num_classes=9), (2, 3, 64, 48)),
    "squeezenet1_1 without pool": (lambda: M.squeezenet1_1(num_classes=2, with_pool=False), (1, 3, 64, 64)),
    "mobilenet_v1": (lambda: M.mobilenet_v1(scale=0.25, num_classes=9), (2, 3, 64, 64)),
    "mobilenet_v2": (lambda: M.mobilenet_v2(scale=0.25, num_classes=9), (2, 3, 64, 64)),
    "mobilenet_v3_small": (lambda: M.mobilenet_v3_small(scale=0.5, num_classes=9), (2, 3, 64, 64)),
    "mobilenet_v3_large": (lambda: M.mobilenet_v3_large(scale=0.35, num_classes=9), (2, 3, 64, 64)),
    "shufflenet": (lambda: M.shufflenet_v2_x0_25(num_classes=9), (2, 3, 64, 64)),
    "shufflenet swish": (lambda: M.shufflenet_v2_swish(num_classes=9), (2, 3, 64, 64)),
    "resnet18": (lambda: M.resnet18(num_classes=9), (2, 3, 64, 64)),
    "bottlenecks": (
        lambda: M.ResNet(M.resnet.BottleneckBlock, 50, width=8, groups=2, num_classes=9),
        (2, 3, 64, 64),
    ),
    "densenet121": (lambda: M.densenet121(num_classes=9), (2, 3, 64, 64)),
    "vgg11 features": (lambda: M.vgg11(num_classes=0, batch_norm=True), (1, 3, 32, 32)),
}
for text, (make, shape) in SEEDED.items():
    cases.add(text, answer, make, *shape, tolerance=1e-3)


def inceptions():
    inception = type(M.googlenet(num_classes=0)._ince3a)
    paddle.seed(3)
    module, x = M.inceptionv3, frozen(data(1, 6, 17, 17).astype("float32"))
    blocks = [
        module.InceptionA(6, 3), module.InceptionB(6), module.InceptionC(6, 4), module.InceptionD(6),
        module.InceptionE(6), inception(6, 6, 1, 2, 3, 2, 3, 2),
    ]  # fmt: skip
    return [[float(y.mean()), list(y.shape)] for y in (block(x) for block in blocks)]


cases.add("inceptions", inceptions, tolerance=1e-5)


def one_step():
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


cases.add("one step", one_step, tolerance=1e-4)


@cases
def what_is_in_between():
    paddle.seed(0)
    getter = M._utils.IntermediateLayerGetter
    model = M.resnet18()
    found = getter(model, {"layer1": "a", "layer3": "b"})(frozen(data(1, 3, 32, 32).astype("float32")))
    return {
        "shapes": [[name, list(one.shape)] for name, one in found.items()],
        "missing": raises(lambda: getter(model, {"layer9": "a"}), "not present"),
        "divisible": [
            M._utils._make_divisible(*one) for one in ((18,), (4,), (11.2, 4), (90, 16, 100), (3.0, 8, 2))
        ],
    }


@cases
def refused():
    return {
        "squeezenet": raises(lambda: M.SqueezeNet("2.0"), "supported versions"),
        "densenet": raises(lambda: M.DenseNet(50), "supported layers"),
        "shufflenet": raises(lambda: M.ShuffleNetV2(0.7), "is not implemented"),
        "activation": raises(lambda: M.ShuffleNetV2(1.0, act="tanh"), "is not supported"),
        "dilation": raises(lambda: M.resnet.BasicBlock(4, 4, dilation=2), "Dilation > 1"),
        "depth": raises(lambda: M.ResNet(M.resnet.BasicBlock, 20)),
        "not trained": raises(
            lambda: M.mobilenet_v2(pretrained=True, scale=0.5), "do not have a pretrained model"
        ),
    }
