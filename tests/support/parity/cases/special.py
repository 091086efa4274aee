"""Special functions: the gamma family, Bessel functions, inverses of erf and sigmoid."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, api, data, frozen, leaf, raises

cases = Family("special")

POSITIVE = data(2, 3, low=0.1, high=4.0)
SIGNED = data(2, 4, low=-3.7, high=3.7)
SHARES = data(2, 3, low=0.05, high=0.95)
POLES = np.array([-2.0, -1.5, 0.0, 1.0, 2.0, 25.0, 170.0])

for name in ("lgamma", "gammaln", "digamma"):
    cases.gradients(name, api(name), POSITIVE, single=True)
    cases.gradients(f"{name} of negative numbers", api(name), SIGNED)
for name in ("i0", "i0e", "i1", "i1e", "sinc"):
    cases.gradients(name, api(name), SIGNED, single=True)
cases.gradients("erfinv", api("erfinv"), SHARES, single=True)
cases.gradients("logit", api("logit"), SHARES, single=True)
cases.gradients("logit with eps", api("logit", eps=0.3), SHARES, single=True)
for n in range(4):
    cases.gradients(f"polygamma {n}", api("polygamma", n=n), POSITIVE, single=True)
for p in (1, 2, 3):
    cases.gradients(f"multigammaln {p}", api("multigammaln", p=p), POSITIVE + 1.5, single=True)
for name in ("gammainc", "gammaincc"):
    cases.gradients(name, api(name), POSITIVE, data(2, 3, seed=2, low=0.1, high=4.0), single=True)


@cases
def at_poles_and_edges():
    names = ("lgamma", "gammaln", "digamma", "i0e", "i1e", "logit")
    return {name: getattr(paddle, name)(frozen(POLES)) for name in names}


@cases
def at_zero():
    found = {}
    for name in ("i0", "i1", "i1e", "sinc", "erfinv"):
        x = leaf(np.array([0.0]))
        y = getattr(paddle, name)(x)
        found[name] = [y, *paddle.grad([y], [x])]
    return found


@cases
def integers():
    x = frozen(np.array([1, 2, 3]))
    names = ("lgamma", "digamma", "i0", "i0e", "i1", "i1e", "logit")
    return {name: getattr(paddle, name)(x) for name in names} | {"polygamma": paddle.polygamma(x, 2)}


@cases
def methods_and_in_place():
    x = frozen(SHARES)
    names = ("lgamma", "gammaln", "digamma", "erfinv", "i0", "sinc", "logit")
    found = {name: [getattr(x, name)(), getattr(x.clone(), f"{name}_")()] for name in names}
    found["others"] = [
        x.i0e(),
        x.i1(),
        x.i1e(),
        x.polygamma(1),
        x.multigammaln(1),
        x.gammainc(x),
        x.gammaincc(x),
    ]
    found["in place"] = [x.clone().polygamma_(2), x.clone().multigammaln_(1), x.clone().gammainc_(x)]
    return found


@cases
def refused():
    x = frozen(POSITIVE)
    return [
        raises(lambda: paddle.polygamma(x, 1.5), "must be int type"),
        raises(lambda: paddle.polygamma(x, -1), "greater than or equal to 0"),
        raises(lambda: paddle.multigammaln(x, 0), "greater than or equal to 1"),
        raises(lambda: paddle.gammaincc(-x, x), "input argument x must be greater than or equal to 0"),
        raises(lambda: paddle.gammainc(x, -x), "input argument y must be greater than or equal to 0"),
        raises(lambda: paddle.gammaln(frozen(np.array([1, 2]))), "not registered"),
    ]
