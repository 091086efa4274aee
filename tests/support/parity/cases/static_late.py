"""Variables in the place of numbers: axes, bounds, counts and sizes that only a run tells; sizes that are not known."""

import ast

import numpy as np
import paddle

from tests.support.parity.graphs import run
from tests.support.parity.kit import Family, data

cases = Family("static_late")
S, F = paddle.static, paddle.nn.functional

HELD = {
    "x": data(3, 4, seed=1), "z": data(2, 3, 4, seed=2), "row": data(1, 4, seed=3), "one": data(1, seed=4),
    "img": data(2, 4, 6, 6, seed=5), "half": np.array(0.5), "halves": np.array([0.5]),
    "d": data(3, 4, seed=6), "e": data(2, 3, 4, seed=7),
    "zero": 0, "first": 1, "two": 2, "three": 3, "low": [0, 1], "high": [2, 3], "single": [2], "size": [8, 5],
    "index": [2, 0], "lengths": [1, 3, 2],
}  # fmt: skip
CALLS = """
paddle.clip(x, min=half)
paddle.clip(x, min=halves, max=1.0)
x.clip(max=half)
paddle.scale(x, scale=halves, bias=1.0)
paddle.scale(x, 2.0, 1.0, act='relu')
paddle.full([2, 2], halves, 'float32')
paddle.full([2, two], half, 'float32')
paddle.full_like(x, half)
paddle.arange(three)
paddle.arange(first, three)
paddle.arange(two, 7, three, dtype='float32')
paddle.linspace(halves, 4.0, 4)
paddle.sum(z, axis=[zero, first])
paddle.min(x, axis=[zero])
paddle.cumsum(x, axis=zero)
paddle.argmax(x, axis=zero)
paddle.unsqueeze(x, axis=zero)
paddle.squeeze(row, axis=zero)
paddle.concat([x, d], axis=zero)
paddle.concat(x)
paddle.split(x, [first, three], axis=1)[1]
paddle.gather(x, index, axis=zero)
paddle.tile(x, low + 1)
paddle.tile(x, [two, 1])
paddle.slice(x, [0, 1], low, high)
paddle.slice(x, [0, 1], [0, first], [two, 3])
paddle.topk(x, k=two)[0]
paddle.topk(x, k=single, axis=0, largest=False)[0]
x[zero:two]
x[:, first:three]
x[two]
z[zero:two, 0]
F.one_hot(index.astype('int64'), three + 2)
F.dropout(x, p=half)
F.dropout(x, p=half, axis=0)
F.interpolate(img, size=size, mode='nearest')
F.interpolate(img, scale_factor=halves * 4)
F.adaptive_avg_pool2d(img, output_size=[two, three])
paddle.multinomial(paddle.abs(x), two)
paddle.rank(z)
paddle.is_tensor(x)
paddle.metric.accuracy(F.softmax(x), lengths.astype('int64').unsqueeze(-1))
paddle.fft.fftshift(d)
F.kl_div(d, F.softmax(d), reduction='batchmean')
paddle.normal(d, 2.0)
paddle.fft.ifft2(e, s=(2, 2), norm='forward').real()
paddle.cross(d[:, :3], d[:, 1:])
F.layer_norm(d, [4], one.tile([4]), one.tile([4])) * d
"""


def held(name):
    """What is fed: floats are float32, numbers int32."""
    array = np.asarray(HELD[name])
    return array.astype("float32" if array.dtype == np.float64 else "int32")


def outcome(text):
    """Numbers and gradients of a call; the size of the first axis of d and e is not known."""
    used = sorted(
        {one.id for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name) and one.id in HELD}
    )
    made = {}
    for name in used:
        shape = [-1 if name in "de" and place == 0 else size for place, size in enumerate(held(name).shape)]
        made[name] = S.data(name, shape, str(held(name).dtype))
        made[name].stop_gradient = held(name).dtype != np.float32
    paddle.seed(7)
    out = eval(text, {"paddle": paddle, "F": F, **made})
    if isinstance(out, bool):
        return out
    loss = [] if out.stop_gradient else [paddle.sum(out * out)]
    leaves = [made[name] for name in used if name in ("x", "z", "d", "e", "img", "row")] if loss else []
    grads = S.gradients(loss, leaves) if leaves else []
    return run([out, *grads], feed={name: held(name) for name in used})


for line in filter(None, CALLS.splitlines()):
    cases.add(line, outcome, line)
