"""paddle.amp on a CPU: it makes no effect, and says so."""

import warnings

import paddle

from tests.support.parity.kit import Family, raises

cases = Family("amp")
amp = paddle.amp


def told(call):
    """What a call answers, and of which kind its warnings are."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        answer = call()
    return [answer, [(one.category.__name__, "makes no effect" in str(one.message)) for one in found]]


def _under(**options):
    net = paddle.nn.Linear(2, 2)
    x = paddle.ones([2, 2])
    with amp.auto_cast(**options):
        found = [net(x).dtype, (x @ x).dtype]
    return [str(one).rpartition(".")[2] for one in found]


for level in ("O0", "O1", "O2", "OD"):
    cases.add(f"auto_cast {level} float16", told, lambda level=level: _under(level=level))
cases.add("auto_cast disabled", told, lambda: _under(enable=False))


REFUSALS = cases.table("refusals", globals())
for name, (call, *words) in REFUSALS.items():
    cases.add(f"refused: {name}", lambda call=call, words=words: told(lambda: raises(call, *words))[0])
