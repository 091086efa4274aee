"""What an expression of a script holds, as far as reading tells: a name of Paddle's, or what one of them makes."""

from __future__ import annotations

from dataclasses import dataclass

from minipaddle.compat.lookup import resolve

OTHER_RESULTS = (list, tuple, dict, str, int, float, complex)
"""What else an operator may answer with: no method of these is taken for a missing one of a tensor."""


@dataclass(frozen=True)
class Value:
    """A name of Paddle's; or, `made`, what calling it gives; or, `bound`, a member of such a thing."""

    name: str
    made: bool = False
    bound: bool = False


TENSOR = Value("paddle.Tensor", made=True)


def called(function: Value) -> Value | None:
    """Return what calling a value gives: an instance of a class, a tensor of an operator or layer; None if unknown."""
    found, known = resolve(function.name)
    if not found:
        return None
    if function.made:
        return TENSOR if _is_layer(known) else None
    if isinstance(known, type):
        return Value(function.name, made=True)
    module = getattr(known, "__module__", None) or ""
    computes = ("minipaddle.ops", "minipaddle.nn.functional", "minipaddle.autograd.creation")
    return TENSOR if module.startswith(computes) else None


def is_certain(member: Value) -> bool:
    """Whether a member that is called is Paddle's: what a layer was given and methods of Python's lists are not."""
    owner, _, name = member.name.rpartition(".")
    _, known = resolve(owner)
    if hasattr(known, name):
        return True
    if owner == TENSOR.name:
        return not any(hasattr(other, name) for other in OTHER_RESULTS)
    return not _is_layer(known)


def _is_layer(known: object) -> bool:
    from minipaddle.nn import Layer

    return isinstance(known, type) and issubclass(known, Layer)
