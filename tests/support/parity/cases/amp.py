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


REFUSALS = {
    "level": (lambda: amp.auto_cast(level="O3").__enter__(), "level should be O0, OD, O1 or O2"),
    "dtype": (lambda: amp.auto_cast(dtype="float64").__enter__(), "dtype should be 'float16'"),
    "decorate level": (lambda: amp.decorate(paddle.nn.Linear(2, 2), level="O3"), "level should be O1 or O2"),
    "decorate dtype": (
        lambda: amp.decorate(paddle.nn.Linear(2, 2), level="O2", dtype="int8"),
        "dtype only support",
    ),
    "lists that overlap": (
        lambda: amp.auto_cast(custom_white_list=["a"], custom_black_list=["a"]).__enter__(),
        "Custom white list overlap custom black list",
    ),
}
for name, (call, *words) in REFUSALS.items():
    cases.add(f"refused: {name}", lambda call=call, words=words: told(lambda: raises(call, *words))[0])
