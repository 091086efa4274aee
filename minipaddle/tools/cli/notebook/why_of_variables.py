"""Why, for a notebook's variables: values are found by the identity of Tensors, never by equality."""

import re

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.tools.cli.notebook.kernel import Kernel
from minipaddle.tools.debug import NoMove, Session
from minipaddle.tools.debug.cards import ELEMENT, PATHS, why_element, why_name
from minipaddle.tools.explain.formula import Why
from minipaddle.tools.explain.why import why
from minipaddle.tools.explain.why_of_value import explain_value
from minipaddle.tools.record.events import Value

_NAME_OF_GRADIENT = re.compile(r"(?P<name>.+)@GRAD")


def why_of(kernel: Kernel, session: Session, asked: str) -> Why:
    """Return the explanation of the value that a line names; without a name, of the last event.

    Raises NoMove if it is not in the recording.
    """
    if not asked:
        return why(session.trace, session.event)
    if asked.endswith(PATHS):
        return why_name(session, asked)
    element = ELEMENT.fullmatch(asked)
    if element is not None and isinstance(found := _held(kernel, element["name"]), Tensor):
        value = _value_of(kernel, found, element["name"])
        if value.kind == "gradient":
            return why_element(session, value, element["spot"])
    found = _held(kernel, asked)
    if found is None and asked.endswith(".grad"):
        asked = asked.removesuffix(".grad")
        found = _held(kernel, asked)
    if isinstance(found, Tensor):
        return _explained(session, _value_of(kernel, found, asked))
    _insist_on_the_same(kernel, session, asked)
    return why_name(session, asked)


def _held(kernel: Kernel, expression: str) -> object:
    """Return the value of an expression in the notebook; None if it has none."""
    try:
        return kernel.holds(expression)
    except (NameError, SyntaxError, AttributeError):
        return None


def _value_of(kernel: Kernel, tensor: Tensor, name: str) -> Value:
    value = kernel.recorder.value_of(tensor)
    if value is None:
        raise NoMove("no cell has computed with {name} since the magics were loaded", name=name)
    return value


def _explained(session: Session, value: Value) -> Why:
    """Return the explanation of a value, seen from the backward pass that made it, or from the last one."""
    made = session.trace.maker(value)
    number = session.trace.pass_of(made) if made is not None and made.phase == "backward" else 0
    return explain_value(session.trace, value, number or max(session.trace.pass_numbers, default=0))


def _insist_on_the_same(kernel: Kernel, session: Session, asked: str) -> None:
    """Refuse ``h@GRAD`` if the notebook's ``h`` is no longer the tensor whose gradient was recorded.

    Raises NoMove if it is another.
    """
    named = _NAME_OF_GRADIENT.fullmatch(asked)
    now = _held(kernel, named["name"]) if named is not None else None
    gradient = session.find(asked)
    if not isinstance(now, Tensor) or gradient is None:
        return
    value, of = kernel.recorder.value_of(now), session.trace.value(gradient.of)
    if value is None or of is None or value.holder != of.holder:
        raise NoMove(
            "{name} is another tensor now: run backward again", name=named["name"] if named else asked
        )
