"""Details of layers: lists that grow in the middle, buffers that are set, shared parts, shown dtypes, arguments."""

import numpy as np
import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, data, frozen, raises

cases = Family("layer_details")
nn, F = paddle.nn, paddle.nn.functional


def kinds(layers):
    return [type(layer).__name__ for layer in layers]


def sequential_inserts():
    s = nn.Sequential(nn.ReLU(), nn.Tanh())
    seen = [kinds(s.insert(1, nn.Sigmoid())), kinds(s.insert(-1, nn.GELU())), kinds(s.insert(4, nn.Silu()))]
    seen.append(kinds(s.extend([nn.ReLU6(), nn.Mish()])))
    return [
        seen,
        [name for name, _ in s.named_children()],
        raises(lambda: s.insert(9, nn.ReLU()), "Index out of range"),
        raises(lambda: s.insert(0, 3), "should be of type"),
        raises(lambda: nn.Sequential(("a", nn.ReLU()), ("b", nn.Tanh())).insert(1, nn.ReLU())),
    ]


def layer_list_inserts():
    s = nn.LayerList([nn.ReLU(), nn.Tanh()])
    s.insert(-1, nn.Sigmoid())
    s.insert(3, nn.GELU())
    s.insert(-4, nn.Silu())
    return [
        kinds(s),
        raises(lambda: s.insert(9, nn.ReLU()), "in range"),
        raises(lambda: s.insert(-9, nn.ReLU())),
    ]


def tensor_that_is_set_is_a_buffer():
    layer = nn.Linear(2, 2)
    layer.kept = frozen([1.0])
    seen = [[name for name, _ in layer.named_buffers()], list(layer.state_dict()), "kept" in layer.__dict__]
    layer.kept = frozen([2.0])
    seen += [layer.kept, raises(lambda: setattr(layer, "kept", 3), "assignment to buffers")]
    layer.to(dtype="float64")
    seen.append(str(layer.kept.dtype))
    layer.kept = None
    seen.append([layer.kept, len(layer.buffers())])
    loss = nn.CrossEntropyLoss(weight=frozen([1.0, 2.0]))
    return [*seen, [name for name, _ in loss.named_buffers()], list(loss.state_dict())]


def shared_parts_by_name():
    part = nn.BatchNorm1D(2)
    both = nn.Sequential(part, nn.Sequential(part))
    return [
        [name for name, *_ in walk(remove_duplicate=once)]
        for walk in (both.named_sublayers, both.named_parameters, both.named_buffers)
        for once in (True, False)
    ] + [[name for name, _ in both.named_sublayers("net", include_self=True, remove_duplicate=False)]]


def dtypes_that_are_shown():
    layer = nn.Sequential(nn.Linear(2, 2))
    seen = [repr(layer)]
    seen += [repr(change()) for change in (
        layer.float, lambda: layer.to(dtype="float64"), lambda: layer.to(dtype=paddle.float32),
        lambda: layer.astype("float64"), layer.double, lambda: layer.astype(paddle.float32),
    )]  # fmt: skip
    return seen


def gelu_by_word():
    x = frozen(data(4))
    words = ("none", "tanh", True, False)
    return [
        [F.gelu(x, word) for word in words],
        [nn.GELU(word)(x) for word in words],
        repr(nn.GELU("tanh")),
        raises(lambda: F.gelu(x, "sigmoid"), "should be 'tanh' or 'none'"),
        raises(lambda: F.gelu(x, 1), "must be bool"),
    ]


def silu_in_place():
    x, y = frozen(data(4)), frozen(data(4))
    return [F.silu(x, True), x, nn.Silu(True)(y), y, F.silu(x), x, x.inplace_version]


def _one_hot_labels_are_smoothed():
    logits, labels = frozen(data(4, 3)), frozen(np.array([0, 2, 1, 1]))
    ones = frozen(np.eye(3)[[0, 2, 1, 1]])
    found = [labels, ones]
    return [F.cross_entropy(logits, label, label_smoothing=0.5) for label in found]


cases.add("one_hot_labels_are_smoothed", _one_hot_labels_are_smoothed, tolerance=ATTRIBUTE)


def values_of_another_size():
    weight, bias = (nn.initializer.Assign(np.array(value)) for value in ([2, 3], [4]))
    layer = nn.Linear(2, 2, weight_attr=weight, bias_attr=bias)
    return [layer.weight, layer.bias, layer(frozen([[1.0, 1.0]]))]


def tensors_by_name():
    x = frozen(data(1, 2, 6, 6))
    return [nn.MaxPool2D(2)(x=x), nn.AdaptiveAvgPool2D(3)(x=x), nn.AdaptiveMaxPool2D(2)(x=x)]
