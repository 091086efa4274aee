"""layer_norm, batch_norm, dropout, embedding, one_hot as functions."""

import numpy as np
import paddle

from tests.support.parity.kit import ATTRIBUTE, Family, data, differentiate, frozen, to_single

F = paddle.nn.functional
cases = Family("normalizing")

LAYER_NORM = cases.table("layer norm", globals())
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


BATCH_NORM = cases.table("batch norm", globals())
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
