"""Cases of functions with Python control flow: what they give eagerly, and what `to_static` makes of them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import paddle

from tests.support.parity.codec import encode
from tests.support.parity.compare import differences
from tests.support.parity.kit import Family, Refusal, Same, answer_of, leaf

AS_EAGER = "as eager"
POSITIVE, NEGATIVE = [1.0, 2.0], [-1.0, -2.0]


def told(value: Any) -> Any:
    """A result: nests of arrays and numbers."""
    if isinstance(value, (list, tuple)):
        return [told(one) for one in value]
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items()}
    if isinstance(value, paddle.Tensor):
        return value.numpy()
    return value if value is None or isinstance(value, (bool, int, float, str)) else type(value).__name__


def outcome(function: Callable[..., Any], rows: tuple[list[float], ...]) -> Any:
    """The result for one input, and the gradient of its sum; for several a list."""
    found = []
    for row in rows:
        x = leaf(np.array(row, "float32"))
        try:
            result = function(x)
            made = told(result)
            if isinstance(result, paddle.Tensor) and not result.stop_gradient:
                result.sum().backward()
            grad = np.zeros_like(row) if x.grad is None else x.grad.numpy()
            found.append({"result": made, "grad": grad.astype("float32")})
        except Exception as error:
            found.append(Refusal(type(error).__name__, (), ""))
    return found


def compared(function: Callable[..., Any], rows: tuple[list[float], ...]) -> Any:
    """What the rewritten function gives; one sentence if that is what it gives eagerly."""
    eager = encode(outcome(function, rows))
    traced = encode(outcome(paddle.jit.to_static(function, full_graph=True), rows))
    return AS_EAGER if not list(differences(eager, traced)) else traced


class Asked(NamedTuple):
    """A function, the inputs that it is run on, and what to_static makes of it here, where that differs."""

    function: Callable[..., Any]
    rows: tuple[list[float], ...]
    ours: Any


def asked(function: Callable[..., Any], *rows: list[float], ours: Any = Same) -> Asked:
    """The last line of a story."""
    return Asked(function, rows, ours)


class Rewritten(Family):
    """A family of functions: a story has one, and makes two cases."""

    def tell(self, name: str, source: str, where: str, names: Mapping[str, Any], ours: Any) -> None:
        """Keep the function of a story."""
        function, rows, ours = answer_of(source, where, names)
        self.add(f"{name} eagerly", outcome, function, rows)
        self.add(f"{name} rewritten", compared, function, rows, ours=ours)


def refused(kind: str, times: int = 2) -> list[Refusal]:
    """What `ours` is where each input is refused."""
    return [Refusal(kind, (), "")] * times
