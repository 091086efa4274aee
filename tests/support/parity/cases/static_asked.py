"""What scripts ask of Programs beside the main road: nested fetches, pruning, hooks, rows, straight-through rules."""

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, run, types
from tests.support.parity.kit import Family, dtype_name

cases = Family("static_asked")
X = np.array([[1.0, 2.0], [3.0, 4.0]], "float32")
Constant = paddle.nn.initializer.Constant


def _block():
    return S.default_main_program().global_block()


def _squares():
    """A sum of squares, and its gradient."""
    x = feed("x", 2, 2)
    y = paddle.sum(x * x)
    return y, S.gradients(y, x)


# -- fetch_list and use_prune ------------------------------------------------------------------------------------------


def _trained():
    """A loss, and what minimize returned."""
    first = paddle.ParamAttr(initializer=Constant(1.0))
    loss = paddle.mean(S.nn.fc(feed("x", 2, 2, stop=True), 1, weight_attr=first))
    return loss, paddle.optimizer.SGD(0.1).minimize(loss)


# -- what goes in ------------------------------------------------------------------------------------------------------

SHAPES = cases.table("shapes", globals())


# -- Variables ---------------------------------------------------------------------------------------------------------


def made(value, **options):
    found = paddle.to_tensor(value, **options)
    return [list(found.shape), dtype_name(found), found.stop_gradient], found


# -- hooks -------------------------------------------------------------------------------------------------------------


def _hooked(*hooks, late=False):
    """Values, gradients of x and of what has the hooks, and the types of the operators."""
    x = feed("x", 2, 2)
    h = x * 2
    y = paddle.sum(h * h) if late else None
    for hook in hooks:
        h.register_hook(hook)
    y = y if late else paddle.sum(h * h)
    return run([y, *S.gradients(y, [x, h])], {"x": X}), types()


# -- rules of the user's around functions that have none ---------------------------------------------------------------

STEPS = cases.table("steps", globals())


def straight(step):
    x = feed("x", 2, 2)
    y = S.nn.static_pylayer(step, [x * 2], lambda grad: paddle.full([2, 2], 3.0))
    found = S.gradients(paddle.sum(y), [x])
    return y.stop_gradient, run([y, *found], {"x": X})


for name, step in STEPS.items():
    cases.add(f"straight through {name}", straight, step)
cases.add(
    "straight through argmax",
    lambda: straight(lambda x: paddle.argmax(x).astype("float32"))[1][1:],
    ours=[np.full((2, 2), 6.0, "float32")],
)


# -- loops over containers ---------------------------------------------------------------------------------------------


def loop(start, turn):
    """What three turns leave in a container."""
    done = S.nn.while_loop(
        lambda i, kept: i < 3, lambda i, kept: [i + 1, turn(kept)], [paddle.zeros([1], "int64"), start]
    )
    return done[1]


def times(kept, key, other):
    kept[key] = kept[key] * kept[other]
    return kept


# -- parameters and files ----------------------------------------------------------------------------------------------


# -- arguments ---------------------------------------------------------------------------------------------------------
