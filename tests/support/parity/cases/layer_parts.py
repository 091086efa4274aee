"""Parts of layers by name, weights that are made before each call, and what else Paddle 3 gave to layers."""

import paddle

from tests.support.parity.kit import Family, data, differentiate, fill, frozen, raises

F, nn = paddle.nn.functional, paddle.nn
cases = Family("layer_parts")


def names_of(layer):
    return [[name, list(one.shape)] for name, one in layer.named_parameters()]


def _net():
    return nn.Sequential(("a", nn.Linear(2, 3)), ("b", nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1D(2))))


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


def spectral_norm():
    layer = nn.utils.spectral_norm(fill(nn.Conv2D(2, 3, 2)), n_power_iterations=2)
    layer.weight_u.set_value(data(3, seed=5).astype("float32"))
    layer.weight_v.set_value(data(8, seed=6).astype("float32"))
    found = differentiate(layer, data(1, 2, 3, 3).astype("float32"))
    layer.eval()
    again = layer(frozen(data(1, 2, 3, 3).astype("float32")))
    return [found, layer.weight_orig.grad, again, sorted(names_of(layer)), sorted(layer.state_dict())]


def hook_errors():
    layer = nn.utils.weight_norm(nn.Linear(2, 3))
    return {
        "twice": raises(lambda: nn.utils.weight_norm(layer), "two weight_norm hooks"),
        "axis": raises(lambda: nn.utils.weight_norm(nn.Linear(2, 3), dim=3)),
        "not there": raises(lambda: nn.utils.remove_weight_norm(nn.Linear(2, 3)), "weight_norm of"),
        "iterations": raises(
            lambda: nn.utils.spectral_norm(nn.Linear(2, 3), n_power_iterations=0), "positive"
        ),
    }


def parameter_dict():
    layer = nn.Layer()
    made = nn.ParameterDict({"a": layer.create_parameter([2]), "b": layer.create_parameter([3, 1])})
    made["c"] = layer.create_parameter([1])
    made.update([["d", layer.create_parameter([4])]])
    return [len(made), list(made), list(made["b"].shape), names_of(made), raises(lambda: made.update([[1]]))]


def synchronised():
    layer = nn.SyncBatchNorm.convert_sync_batchnorm(_net())
    return [repr(layer), sorted(layer.state_dict())]


def instance_norm_3d():
    layer = fill(nn.InstanceNorm3D(2))
    return [repr(layer), differentiate(layer, data(2, 2, 2, 1, 2).astype("float32"))]
