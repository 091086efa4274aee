"""LBFGS with its line search, LookAhead, ModelAverage, minimize_bfgs and minimize_lbfgs."""

from functools import partial

import paddle

from tests.support.parity.cases.optimizers import parameter
from tests.support.parity.kit import Family, data, frozen, raises

cases = Family("optimizers_incubate")
functional = paddle.incubate.optimizer.functional
LOOSE = 2e-4  # quotients of small float32 differences


def lbfgs(**options):
    """The losses that the closure sees in three steps, and where the parameters stand."""
    w, b = parameter((3, 2), 1), parameter((2,), 2)
    optimizer = paddle.optimizer.LBFGS(parameters=[w, b], **options)
    x, y = frozen(data(6, 3, seed=3), "float32"), frozen(data(6, 2, seed=4), "float32")
    seen, ends = [], []

    def closure():
        loss = ((x @ w + b).tanh() - y).square().mean() + 0.05 * (w * w).sum()
        optimizer.clear_grad()
        loss.backward()
        seen.append(float(loss))
        return loss

    for _ in range(3):
        ends.append(float(optimizer.step(closure)))
    state = optimizer.state_dict()["state"]
    counts = [state["func_evals"], state["n_iter"], len(state["old_sk"])]
    return {"seen": seen, "ends": ends, "w": w.numpy(), "b": b.numpy(), "counts": counts}


LBFGS = {
    "one step": {"max_iter": 1},
    "fixed": {"learning_rate": 0.5, "max_iter": 4},
    "short memory": {"learning_rate": 0.3, "max_iter": 5, "history_size": 2},
    "few calls": {"max_iter": 8, "max_eval": 3},
    "strong_wolfe": {"max_iter": 3, "line_search_fn": "strong_wolfe"},
    "strong_wolfe far": {"learning_rate": 30.0, "max_iter": 3, "line_search_fn": "strong_wolfe"},
    "strong_wolfe short": {"learning_rate": 0.05, "max_iter": 3, "line_search_fn": "strong_wolfe"},
    "tolerant": {"tolerance_grad": 0.05, "line_search_fn": "strong_wolfe"},
    "tolerant of changes": {"tolerance_change": 0.01, "max_iter": 10},
}
for text, options in LBFGS.items():

    def steps(options=options):
        return lbfgs(**options)

    cases.add(f"LBFGS {text}", steps, tolerance=LOOSE)


@cases
def lbfgs_errors():
    w = parameter([2], 1)

    def closure():
        loss = (w * w).sum()
        loss.backward()
        return loss

    other = paddle.optimizer.LBFGS(line_search_fn="golden", parameters=[w])
    return [
        raises(lambda: other.step(closure), "strong_wolfe"),
        raises(lambda: other.minimize(closure()), "does not use this way"),
        raises(lambda: other.step()),
    ]


def bowl(x):
    """Rosenbrock's function of two numbers."""
    return (1 - x[0]) ** 2 + 5 * (x[1] - x[0] ** 2) ** 2


FUNCTIONS = {
    "parabola": (lambda x: ((x - 1.5) ** 2).sum(), [0.0, 3.0, -2.0]),
    "ellipse": (lambda x: (x * x * frozen([1.0, 5.0, 0.5], "float64")).sum() + x.sum(), [1.0, 3.0, -2.0]),
    "valley": (bowl, [-0.5, 0.8]),
    "hills": (lambda x: (x.sin() + 0.1 * x * x).sum(), [0.3, 1.0]),
}
for name, text in (*(("minimize_lbfgs", text) for text in FUNCTIONS), ("minimize_bfgs", "parabola")):
    function, start = FUNCTIONS[text]

    def minimized(name=name, function=function, start=start):
        x = frozen(start, "float64")
        found = getattr(functional, name)(function, x, dtype="float64")
        return [found[0].numpy(), *(one.numpy() for one in found[2:])]

    cases.add(f"{name} {text}", minimized, tolerance=1e-4)

    def first_steps(name=name, function=function, start=start):
        x = frozen(start, "float64")
        found = getattr(functional, name)(function, x, max_iters=3, initial_step_length=0.7, dtype="float64")
        return [one.numpy() for one in (found[0], *found[2:])]

    cases.add(f"{name} {text} first steps", first_steps)


@cases.ours([True, [1.0, 1.0]])  # Paddle takes the product of the two vectors the wrong way around
def minimize_bfgs_finds_the_end_of_the_valley():
    converged, _, x, *_ = functional.minimize_bfgs(bowl, frozen([-0.5, 0.8], "float64"), dtype="float64")
    return [bool(converged), x.numpy().round(5).tolist()]


@cases
def minimize_from_an_estimate():
    x = frozen([1.0, 3.0], "float64")
    inverse = frozen([[2.0, 0.5], [0.5, 1.0]], "float64")
    function = FUNCTIONS["hills"][0]
    options = {"max_iters": 2, "initial_inverse_hessian_estimate": inverse, "dtype": "float64"}
    return [one.numpy() for one in functional.minimize_lbfgs(function, x, **options)[2:]]


@cases
def minimize_errors():
    x = frozen([1.0, 3.0])
    wrong = frozen([[2.0, 0.5], [0.7, 1.0]])
    negative = frozen([[-2.0, 0.5], [0.5, 1.0]])
    function = FUNCTIONS["parabola"][0]
    return [
        raises(partial(call, function, x, **options), word)
        for call in (functional.minimize_bfgs, functional.minimize_lbfgs)
        for options, word in (
            ({"dtype": "float16"}, "dtype must be"),
            ({"line_search_fn": "hager"}, "strong_wolfe"),
            ({"initial_inverse_hessian_estimate": wrong}, "symmetric"),
            ({"initial_inverse_hessian_estimate": negative}, "positive"),
        )
    ]


def slowed(make, **options):
    """Parameters after each of seven steps of LookAhead."""
    w, b = parameter((3, 2), 1), parameter((2,), 2)
    optimizer = paddle.incubate.LookAhead(make([w, b]), **options)
    seen = []
    for i in range(7):
        x = frozen(data(4, 3, seed=20 + i), "float32")
        ((x @ w + b).tanh() ** 2).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
        seen.append([w.numpy(), b.numpy()])
    slow = {name.rpartition("_")[0][-5:]: value.numpy() for name, value in optimizer.state_dict().items()}
    return {"seen": seen, "slow": slow, "lr": optimizer.get_lr()}


INNER = {
    "SGD": (lambda ps: paddle.optimizer.SGD(0.1, ps), {"alpha": 0.2, "k": 3}),
    "Adam": (lambda ps: paddle.optimizer.Adam(0.1, parameters=ps), {}),
    "every step": (lambda ps: paddle.optimizer.SGD(0.1, ps), {"alpha": 0.6, "k": 1}),
}
for text, (make, options) in INNER.items():
    cases.add(f"LookAhead {text}", lambda make=make, options=options: slowed(make, **options))


@cases
def lookahead_minimize_and_errors():
    w = parameter([2], 1)
    sgd = paddle.optimizer.SGD(0.1, [w])
    optimizer = paddle.incubate.LookAhead(sgd, alpha=0.5, k=2)
    for _ in range(4):
        loss = (w * w).sum()
        loss.backward()
        optimizer.minimize(loss)
        optimizer.clear_grad()
    return [
        w.numpy(),
        raises(lambda: paddle.incubate.LookAhead(None), "inner optimizer"),
        raises(lambda: paddle.incubate.LookAhead(sgd, alpha=2.0), "alpha"),
        raises(lambda: paddle.incubate.LookAhead(sgd, k=0), "k should be"),
    ]


def averaged(steps, *options):
    """Parameters, their means, and the parameters again."""
    w, b = parameter((3, 2), 1), parameter((2,), 2)
    sgd = paddle.optimizer.SGD(0.1, [w, b])
    average = paddle.incubate.ModelAverage(*options[:1], [w, b], *options[1:])
    for i in range(steps):
        x = frozen(data(4, 3, seed=20 + i), "float32")
        ((x @ w + b).tanh() ** 2).sum().backward()
        sgd.step()
        average.step()
        sgd.clear_grad()
        average.clear_grad()
    seen = [w.numpy(), b.numpy()]
    with average.apply():
        seen += [w.numpy(), b.numpy()]
    seen += [w.numpy(), b.numpy()]
    with average.apply(need_restore=False):
        pass
    seen += [w.numpy(), b.numpy()]
    average.restore()
    counts = [
        value.numpy()
        for name, value in average.state_dict().items()
        if "accumulates" in name or "updates" in name
    ]
    return [*seen, w.numpy(), counts]


for text, options in {
    "wide": (3, 0.15),
    "small windows": (7, 0.15, 2, 4),
    "rate": (9, 0.5, 2, 100),
    "one": (1, 0.15),
}.items():
    cases.add(f"ModelAverage {text}", averaged, *options)
