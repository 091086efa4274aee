"""LookAhead."""

import paddle

from tests.support.parity.cases.optimizers import parameter
from tests.support.parity.kit import Family, data, frozen, raises

cases = Family("optimizers_incubate")


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
