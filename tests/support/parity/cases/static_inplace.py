"""In-place methods of Variables, and branches that write into what is around them."""

import warnings

import numpy as np
import paddle

from tests.support.parity.graphs import S, feed, listing, names, run
from tests.support.parity.kit import Family

cases = Family("static_inplace")
X = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], "float32")

METHODS = """
    abs_() exp_() sqrt_() rsqrt_() tanh_() sigmoid_() sin_() cos_() floor_() ceil_() round_() neg_()
    reciprocal_() scale_(2.0) clip_(0.5,1.0) pow_(2.0) cast_('int32') reshape_([3,2]) transpose_([1,0]) t_()
    squeeze_(0) unsqueeze_(0) flatten_() tril_() triu_() add_(v) subtract_(v) multiply_(v) divide_(v)
    remainder_(v)
"""


def method(text):
    """The operators that an in-place method appends, whether it returns its Variable, and values of both."""
    x = feed("x", 2, 3)
    y, v = x * 2.0, x * 3.0
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        result = eval(f"y.{text}", {"y": y, "v": v})
    return {
        "program": listing(),
        "same": result is y,
        "told": [str(one.message) for one in told],
        "values": run([result, y], {"x": X}),
    }


for text in METHODS.split():
    cases.add(text, method, text)


# -- branches that write ----------------------------------------------------------------------------------------------


def wrote(branches, taken):
    """Loss and gradients where a branch writes into a Variable around it; `taken` says which branch runs."""
    x, w, pred = feed("x", 3), feed("w", 3), feed("p", 1, dtype="bool", stop=True)
    y = x * 2.0
    S.nn.cond(pred, *branches(x, w, y))
    loss = paddle.sum(y * w)
    found = S.gradients(loss, [x, w])
    given = {"x": np.float32([1, 2, 3]), "w": np.float32([4, 5, 6]), "p": np.array([taken])}
    return {"stopped": [one is None for one in found], "values": run([loss, *found], given)}


def one_assigns(x, w, y):
    """The first writes, the second is not there."""
    return lambda: paddle.assign(w * 3.0, y), None


def other_assigns(x, w, y):
    """Both write."""
    return lambda: paddle.assign(w * 3.0, y), lambda: paddle.assign(w * 7.0, y)


def reads_and_assigns(x, w, y):
    """What is written depends on what was there."""
    return lambda: paddle.assign(y * w, y), None


def quiet(write):
    """A branch that returns nothing."""

    def branch():
        write()

    return branch


def branching(make):
    """Branches without results."""
    return lambda *given: [None if one is None else quiet(one) for one in make(*given)]


def answer(loss, *grads):
    """What is right."""
    return {"stopped": [False, False], "values": [np.float32(loss), *[np.float32(one) for one in grads]]}


cases.add("one branch writes, not taken", wrote, branching(one_assigns), False)
cases.add(
    "one branch writes, taken", wrote, branching(one_assigns), True, ours=answer(231, [0, 0, 0], [24, 30, 36])
)
cases.add(
    "both branches write", wrote, branching(other_assigns), True, ours=answer(231, [0, 0, 0], [24, 30, 36])
)
cases.add(
    "reads and writes, not taken",
    wrote,
    branching(reads_and_assigns),
    False,
    ours=answer(64, [8, 10, 12], [2, 4, 6]),
)
cases.add(
    "reads and writes, taken",
    wrote,
    branching(reads_and_assigns),
    True,
    ours=answer(348, [32, 50, 72], [16, 40, 72]),
)


# -- results of different ranks ---------------------------------------------------------------------------------------

RESULTS = cases.table("results", globals())


def chosen(branches, taken):
    """Shape, dtype, value and gradient of what branches of different shapes return."""
    x, pred = feed("x", 2, 3), feed("p", 1, dtype="bool", stop=True)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        out = S.nn.cond(pred, *branches(x))
    found = S.gradients(paddle.sum(out), x)
    return {
        "shape": list(out.shape),
        "told": [str(one.message) for one in told if "rank" in str(one.message)],
        "names": names([out, *found]),
        "values": run([out, *found], {"x": X, "p": np.array([taken])}),
    }


for text, branches in RESULTS.items():
    for taken in (True, False):
        cases.add(f"{text} {taken}", chosen, branches, taken)
