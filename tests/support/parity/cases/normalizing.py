"""layer_norm, batch_norm, dropout, embedding, one_hot as functions."""

import numpy as np
import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, data, differentiate, frozen, leaf, raises, to_single

F = paddle.nn.functional
cases = Family("normalizing")

LAYER_NORM = {
    "last axis": ((2, 3), 3, {}),
    "list": ((2, 3), [3], {}),
    "two axes": ((2, 3, 2), [3, 2], {}),
    "epsilon": ((2, 3), 3, {"epsilon": 1e-3}),
}
for text, (shape, normalized, options) in LAYER_NORM.items():

    def layer_norm(x, *weight_and_bias, normalized=normalized, options=options):
        return F.layer_norm(x, normalized, *weight_and_bias, **options)

    tolerance = ATTRIBUTE if options else None
    size = int(np.prod(normalized))  # weight and bias are flat
    cases.gradients(f"layer_norm {text}", layer_norm, data(*shape), tolerance=tolerance)
    affine = data(*shape), data(size, seed=2), data(size, seed=3)
    cases.gradients(f"layer_norm {text} affine", layer_norm, *affine, tolerance=tolerance)
    cases.add(f"layer_norm {text} affine float32", differentiate, layer_norm, *map(to_single, affine))


def _batch_norm(*arrays, **options):
    """Output, gradients and running averages after the call."""
    mean, var = frozen(np.array([0.1, -0.2])), frozen(np.array([1.5, 0.5]))
    found = differentiate(lambda x, w, b: F.batch_norm(x, mean, var, w, b, **options), *arrays)
    return found | {"mean": mean, "var": var}


BATCH_NORM = {
    "train": {"training": True},
    "eval": {"training": False},
    "momentum": {"training": True, "momentum": 0.5},
    "epsilon": {"training": True, "epsilon": 0.1},
    "global stats": {"training": True, "use_global_stats": True},
}
for text, options in BATCH_NORM.items():
    for shape in [(4, 2), (2, 2, 2, 3)]:
        arrays = data(*shape), data(2, seed=2), data(2, seed=3)
        cases.add(
            f"batch_norm {text} {len(shape)}-D",
            lambda a=arrays, options=options: _batch_norm(*a, **options),
            tolerance=ATTRIBUTE,
        )


for p in (1, 2, 3):
    for epsilon in (1e-12, 0.5):

        def normalize(x, p=p, epsilon=epsilon):
            return F.normalize(x, p, axis=-1, epsilon=epsilon)

        cases.gradients(f"normalize {p} {epsilon}", normalize, data(2, 3), tolerance=ATTRIBUTE)


def embedding():
    ids, weight = frozen(np.array([[0, 2], [2, 1]])), data(4, 3)
    plain = differentiate(lambda w: F.embedding(ids, w), weight)
    padded = differentiate(lambda w: F.embedding(ids, w, padding_idx=2), weight)
    negative = differentiate(lambda w: F.embedding(ids, w, padding_idx=-2), weight)
    return {"plain": plain, "padded": padded, "negative padding": negative}


def embedding_with_gradients_by_frequency():
    ids, weight = frozen(np.array([[1, 0, 3], [3, 3, 0]])), data(4, 3)
    answers = [
        differentiate(lambda w, place=place: F.embedding(ids, w, place, scale_grad_by_freq=True), weight)
        for place in (None, 0, -1)
    ]
    w = leaf(weight)
    name = F.embedding(ids, w, scale_grad_by_freq=True).grad_fn.name()
    sparse = raises(lambda: F.embedding(ids, w, sparse=True, scale_grad_by_freq=True), "sparse")
    layer = paddle.nn.Embedding(4, 3, scale_grad_by_freq=True)
    layer(ids).sum().backward()
    return answers, name, sparse, layer.weight.grad, repr(layer)


def dropout_without_chance():
    x = data(2, 3)
    options = [{"p": 0.0}, {"p": 1.0}, {"p": 0.3, "training": False}]
    options.append({"p": 0.5, "training": False, "mode": "downscale_in_infer"})
    return [differentiate(lambda x, o=o: F.dropout(x, **o), x) for o in options]


def dropout_keeps_and_scales():
    x = leaf(np.ones(2000))
    y = F.dropout(x, 0.75)
    y.sum().backward()
    values = sorted(set(y.tolist()))
    return {
        "values": values,
        "same mask": bool((x.grad == y).all()),
        "about a quarter": 0.2 < float((y > 0).numpy().mean()) < 0.3,
    }


def one_hot():
    return [F.one_hot(frozen(np.array(labels)), 3) for labels in ([0, 2, 1], [[0, 1], [2, 2]])]


def errors():
    x, ids = frozen(data(2, 3)), frozen(np.array([5]))
    return {
        "layer_norm shape": raises(lambda: F.layer_norm(x, 4)),
        "layer_norm epsilon": raises(lambda: F.layer_norm(x, 3, epsilon=0.1), "epsilon"),
        "embedding": raises(lambda: F.embedding(ids, frozen(data(4, 3)))),
        "embedding float": raises(lambda: F.embedding(frozen(data(2)), frozen(data(4, 3)))),
        "dropout p": raises(lambda: F.dropout(x, p=1.5)),
        "padding_idx": raises(lambda: F.embedding(ids, frozen(data(4, 3)), padding_idx=9)),
    }
