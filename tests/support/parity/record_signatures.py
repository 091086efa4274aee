"""Record which parameters the functions, layers and methods of real Paddle 3.3.1 take.

PYTHONPATH=$PWD PADDLE_3.3.1_PYTHON -m tests.support.parity.record_signatures
"""

import inspect
import json
from importlib import import_module

from tests.support.parity import RESULTS

FILE = RESULTS / "signatures_3.3.1.json"
ROOMS = """
    paddle paddle.nn paddle.nn.functional paddle.nn.initializer paddle.nn.utils paddle.linalg paddle.fft
    paddle.distribution paddle.metric paddle.io paddle.autograd paddle.amp paddle.optimizer paddle.optimizer.lr
    paddle.regularizer paddle.Tensor
"""


def signature_of(function):
    """Return a signature as text; None, if nobody knows it."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    plain = [
        one.replace(annotation=one.empty, default=plain_default(one)) for one in found.parameters.values()
    ]
    return str(inspect.Signature(plain))


def plain_default(parameter):
    """Return a default whose text says what it is; what is no number, text or list is only that there is one."""
    default = parameter.default
    if default is parameter.empty or isinstance(default, (bool, int, float, str, type(None))):
        return default
    return list(default) if isinstance(default, (list, tuple)) else ...


def names_of(value):
    """Return the public names of a room."""
    listed = getattr(value, "__all__", None)
    return sorted(listed or [name for name in dir(value) if not name.startswith("_")])


def room_named(name):
    """Return a module, or the class Tensor."""
    package = import_module("paddle")
    return package.Tensor if name == "paddle.Tensor" else import_module(name)


def recorded():
    """Return each room's names with their signatures."""
    return {
        room: {name: signature_of(getattr(room_named(room), name)) for name in names_of(room_named(room))}
        for room in ROOMS.split()
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(recorded(), indent=0, sort_keys=True) + "\n", encoding="utf-8")
