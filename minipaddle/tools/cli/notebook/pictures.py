"""Pictures in a notebook: of its last backward pass, of a variable, of one cell."""

from functools import partial
from typing import Annotated, Any, NamedTuple

from typer import Option

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.static.program import Program, Variable
from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.notebook.kernel import Kernel
from minipaddle.tools.picture.api import graph
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.model.mirror import NoBackward
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.user_code.names import tells


class Asked(NamedTuple):
    """The arguments of the magic ``graph``."""

    page: bool
    pass_number: int | None
    look: dict[str, Any]


@common.taking_options("page")
def asked_of_graph(
    page: Annotated[
        bool, Option("--page", help="Show the page, in which one can search and replay.")
    ] = False,
    pass_number: common.DrawnPass = None,
    **look: Any,
) -> Asked:
    """Draw the last backward pass; of an EXPRESSION before the options, its own; above a cell, the pass of the cell."""
    Options(**look)  # invalid ones are refused before a cell runs
    return Asked(page, pass_number, look)


def picture_of(kernel: Kernel, asked: Asked, expression: str) -> Picture:
    """Return the picture of the last backward pass, or of the expression's value. Raises NoBackward."""
    if expression:
        return _of_object(kernel, asked, kernel.holds(expression))
    return graph(kernel.trace, asked.pass_number, **asked.look)


def picture_of_cell(kernel: Kernel, asked: Asked, result: Any, has_pass: bool) -> Picture | None:
    """Return the picture of a cell's backward pass, or of the value of its last line; None if it raised before.

    Raises NoBackward if there is neither.
    """
    if has_pass:
        return picture_of(kernel, asked, "")
    if isinstance(result.result, (Tensor, Program, Variable)):
        return _of_object(kernel, asked, result.result)
    if result.success:
        raise NoBackward("the cell ran no backward pass, and its last line is no tensor: nothing to draw")
    return None


def _of_object(kernel: Kernel, asked: Asked, of: Any) -> Picture:
    """Return a picture of a Tensor's last backward pass, else of its tape; or of a Program."""
    trace = kernel.trace
    value = kernel.recorder.value_of(of) if isinstance(of, Tensor) else None
    number = None if value is None else _last_pass_from(trace, value)
    if number is not None and asked.pass_number is None:
        return graph(trace, number, **asked.look)
    named = kernel.shell.user_ns.items()
    tensors = {name: one for name, one in named if isinstance(one, Tensor) and tells(name)}
    drawn: Picture = kernel.aside(partial(graph, **asked.look), of, asked.pass_number, tensors)
    return drawn


def _last_pass_from(trace: Trace, value: Value) -> int | None:
    """Return the number of the last backward pass that began with this value; None if none did."""
    seeds = {one.id for one in trace.values if one.seed and one.of == value.id}
    backward = (event for event in reversed(trace.events) if event.phase == "backward")
    return next((trace.pass_of(event) for event in backward if not seeds.isdisjoint(event.inputs)), None)
