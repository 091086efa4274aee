"""Pictures in a notebook, of its last backward pass, of a variable, of one cell; and why, for its variables.

Values are found by the identity of Tensors, never by equality.
"""

from functools import partial
from typing import Annotated, Any

from typer import Option

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.static.program import Program, Variable
from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.notebook.kernel import Kernel
from minipaddle.tools.debug import NoMove, Session
from minipaddle.tools.debug.cards import ELEMENT, PATHS, why_element, why_name
from minipaddle.tools.explain.formula import Why
from minipaddle.tools.explain.why import why
from minipaddle.tools.explain.why_of_value import explain_value
from minipaddle.tools.picture.api import graph
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.model.mirror import NoBackward
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.user_code.names import tells


@common.taking_options("page")
def asked_of_graph(
    page: Annotated[
        bool, Option("--page", help="Show the page, in which one can search and replay.")
    ] = False,
    pass_number: common.DrawnPass = None,
    **look: Any,
) -> tuple[bool, dict[str, Any]]:
    """Draw the last backward pass; of an EXPRESSION before the options, its own; above a cell, the pass of the cell."""
    Options(**look)  # invalid ones are refused before a cell runs
    return page, {"pass_number": pass_number, **look}


def picture_of(kernel: Kernel, how: dict[str, Any], expression: str) -> Picture:
    """Return the picture of the last backward pass, or of the expression's value. Raises NoBackward."""
    if expression:
        return _of_object(kernel, how, kernel.holds(expression))
    return graph(kernel.trace, **how)


def picture_of_cell(kernel: Kernel, how: dict[str, Any], result: Any, has_pass: bool) -> Picture | None:
    """Return the picture of a cell's backward pass, or of the value of its last line; None if it raised before.

    Raises NoBackward if there is neither.
    """
    if has_pass:
        return picture_of(kernel, how, "")
    if isinstance(result.result, (Tensor, Program, Variable)):
        return _of_object(kernel, how, result.result)
    if result.success:
        raise NoBackward("the cell ran no backward pass, and its last line is no tensor: nothing to draw")
    return None


def _of_object(kernel: Kernel, how: dict[str, Any], of: Any) -> Picture:
    """Return a picture of a Tensor's last backward pass, else of its tape; or of a Program."""
    trace = kernel.trace
    value = kernel.recorder.value_of(of) if isinstance(of, Tensor) else None
    number = None if value is None else _last_pass_from(trace, value)
    if number is not None and how["pass_number"] is None:
        return graph(trace, **how | {"pass_number": number})
    named = kernel.shell.user_ns.items()
    tensors = {name: one for name, one in named if isinstance(one, Tensor) and tells(name)}
    drawn: Picture = kernel.aside(partial(graph, of, params=tensors, **how))
    return drawn


def _last_pass_from(trace: Trace, value: Value) -> int | None:
    """Return the number of the last backward pass that began with this value; None if none did."""
    seeds = {one.id for one in trace.values if one.seed and one.of == value.id}
    backward = (event for event in reversed(trace.events) if event.phase == "backward")
    return next((trace.pass_of(event) for event in backward if not seeds.isdisjoint(event.inputs)), None)


# -- why ---------------------------------------------------------------------------------------------------------------


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
        value = _value_of(kernel, found, asked)
        made = session.trace.maker(value)
        # seen from the backward pass that made it, or from the last one
        number = session.trace.pass_of(made) if made is not None and made.phase == "backward" else 0
        return explain_value(session.trace, value, number or max(session.trace.pass_numbers, default=0))
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


def _insist_on_the_same(kernel: Kernel, session: Session, asked: str) -> None:
    """Refuse ``h@GRAD`` if the notebook's ``h`` is no longer the tensor whose gradient was recorded.

    Raises NoMove if it is another.
    """
    name, gradient = asked.removesuffix("@GRAD"), session.find(asked)
    now = _held(kernel, name) if name != asked else None
    if not isinstance(now, Tensor) or gradient is None:
        return
    value, of = kernel.recorder.value_of(now), session.trace.value(gradient.of)
    if value is None or of is None or value.holder != of.holder:
        raise NoMove("{name} is another tensor now: run backward again", name=name)
