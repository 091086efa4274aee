"""Parts of layers by name, weights that are made before each call, and what else Paddle 3 gave to layers."""

import paddle

from tests.support.parity.kit import Family, data, differentiate, fill

F, nn = paddle.nn.functional, paddle.nn
cases = Family("layer_parts")


def names_of(layer):
    return [[name, list(one.shape)] for name, one in layer.named_parameters()]


def weight_norm(dim):
    layer = nn.utils.weight_norm(fill(nn.Linear(2, 3)), dim=dim)
    before = names_of(layer)
    found = differentiate(layer, data(4, 2).astype("float32"))
    grads = [[name, one.grad] for name, one in layer.named_parameters()]
    nn.utils.remove_weight_norm(layer)
    return [
        sorted(before),
        found,
        sorted(grads, key=lambda pair: pair[0]),
        sorted(names_of(layer)),
        layer.weight,
    ]


for dim in (0, 1, None):
    cases.add(f"weight_norm {dim}", weight_norm, dim)
