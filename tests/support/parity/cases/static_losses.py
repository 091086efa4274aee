"""Losses and small functions that are one operator in 2.6.2: the types, the numbers of a run, and the gradients."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, types
from tests.support.parity.kit import Family, data

F = paddle.nn.functional
cases = Family("static_losses")


def seed_for(out):
    """Different numbers at every place."""
    size = int(np.prod(out.shape))
    return paddle.to_tensor(np.linspace(0.5, 1.5, size).reshape(out.shape).astype("float32"))


def computed(function, *arrays, stopped=()):
    """Types, shapes, numbers and gradients of a function of placeholders; floats have gradients, but for `stopped`."""
    variables = [
        feed(f"x{n}", *one.shape, dtype=str(one.dtype), stop=one.dtype.kind != "f" or n in stopped)
        for n, one in enumerate(arrays)
    ]
    found = function(*variables)
    outs = list(found) if isinstance(found, (list, tuple)) else [found]
    forward = types()
    seeded = sum((out * seed_for(out)).sum() for out in outs if not out.stop_gradient)
    leaves = [one for one in variables if not one.stop_gradient] + S.default_main_program().all_parameters()
    leaves = [one for one in leaves if not one.stop_gradient]
    grads = S.gradients([seeded], leaves) if not isinstance(seeded, int) else []
    exe = S.Executor()
    exe.run(S.default_startup_program())
    for seed, one in enumerate(S.default_main_program().all_parameters()):
        if one.stop_gradient:
            continue
        value = data(*one.shape, seed=70 + seed, low=-0.6, high=0.6).astype("float32")
        S.global_scope().find_var(one.name).get_tensor().set(value, paddle.CPUPlace())
    feeds = {one.name: array for one, array in zip(variables, arrays, strict=True)}
    return {
        "types": forward,
        "shapes": [list(out.shape) for out in outs],
        "stops": [out.stop_gradient for out in outs],
        "numbers": exe.run(feed=feeds, fetch_list=[*outs, *grads]),
    }


def table(text, *arrays, **options):
    """Keep a case for each line: its name and the function."""
    for name, function in text.items():
        cases.add(name, lambda function=function: computed(function, *arrays, **options), tolerance=1e-5)


X = data(3, 4, seed=3).astype("float32")
LABEL = np.array([1, 0, 3])
NAN = X.copy()
NAN[0, 1] = NAN[1] = np.nan

table(
    {
        "nll_loss mean": lambda x, y, w: F.nll_loss(x, y, w),
        "nll_loss sum": lambda x, y, w: F.nll_loss(x, y, w, reduction="sum"),
        "nll_loss none": lambda x, y, w: F.nll_loss(x, y, w, reduction="none"),
        "nll_loss where one is ignored": lambda x, y, w: F.nll_loss(x, y, w, ignore_index=0),
    },
    X, LABEL, data(4, seed=5, low=0.5).astype("float32"), stopped=(2,),
)  # fmt: skip
table(
    {
        "nll_loss without weights": lambda x, y: F.nll_loss(x, y),
        "nll_loss where all are ignored": lambda x, y: F.nll_loss(x, y * 0 - 100),
    },
    X, LABEL,
)  # fmt: skip
table(
    {
        "norm of all": lambda x: paddle.norm(x),
        "norm of a matrix": lambda x: paddle.norm(x, "fro", [0, 1], keepdim=True),
        "norm of rows": lambda x: paddle.norm(x, "fro", 1),
        "unbind": lambda x: paddle.unbind(x, 0),
    },
    X,
)
table({"scatter_nd": lambda x, i: paddle.scatter_nd(i, x, [5, 4])}, X, np.array([[1], [4], [1]]))


SOFT, POSITIVE = np.array([0.25, 0.5, 1.0, 0.0], "float32"), np.array([2.0, 3.0, 1.0, 0.5], "float32")


SLOPE = 1 - SOFT - ((POSITIVE - 1) * SOFT + 1) / (1 + np.exp(X[0]))


TRUE_SCORE = np.take_along_axis(X, LABEL[:, None], 1)
MARGINS = (
    POSITIVE[LABEL][:, None] * np.maximum(0, 0.5 - TRUE_SCORE + X) ** 2 * (np.arange(4) != LABEL[:, None]) / 4
)
