"""Pictures of what a notebook holds: of its last backward pass, of a variable, of what one cell has done."""

from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

from typer import Option

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.static.program import Program, Variable
from minipaddle.tools.cli import options as common
from minipaddle.tools.cli.notebook.kernel import Kernel
from minipaddle.tools.picture.api import graph
from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.model.mirror import NoBackward, mirror, mirror_or_forward
from minipaddle.tools.picture.picture import Picture
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.user_code.names import tells


@dataclass
class Asked:
    """What was asked of ``graph``."""

    page: bool
    pass_number: int | None
    look: dict[str, Any]
    options: Options = field(init=False)

    def __post_init__(self) -> None:
        self.options = Options(**self.look)


@common.taking_options("page")
def asked_of_graph(
    page: Annotated[
        bool, Option("--page", help="Show the page, in which one can search and replay.")
    ] = False,
    pass_number: Annotated[
        int | None, Option("--pass", min=1, help="Which backward pass (the last one).")
    ] = None,
    **look: Any,
) -> Asked:
    """Draw the last backward pass; of an EXPRESSION before the options, its own; above a cell, the pass of the cell."""
    return Asked(page, pass_number, look)


def picture_of(kernel: Kernel, asked: Asked, expression: str) -> Picture:
    """Return the picture of the last backward pass, or of what an expression means. Raises NoBackward."""
    if expression:
        return _of_object(kernel, asked, kernel.holds(expression))
    trace = kernel.trace
    whole = mirror_or_forward(trace, asked.pass_number, asked.options.view)
    return Picture(whole, trace, asked.options)


def picture_of_cell(kernel: Kernel, asked: Asked, result: Any, has_pass: bool) -> Picture | None:
    """Return the picture of what a cell has done, or of what its last line shows; None if it raised before that.

    Raises NoBackward if there is nothing of that.
    """
    if has_pass:
        return picture_of(kernel, asked, "")
    if isinstance(result.result, (Tensor, Program, Variable)):
        return _of_object(kernel, asked, result.result)
    if result.success:
        raise NoBackward("the cell ran no backward pass, and its last line is no tensor: nothing to draw")
    return None


def _of_object(kernel: Kernel, asked: Asked, of: Any) -> Picture:
    """Return a picture: of the last pass that began with this very tensor, else of its tape, or of a Program."""
    trace = kernel.trace
    value = kernel.recorder.value_of(of) if isinstance(of, Tensor) else None
    number = None if value is None else _last_pass_from(trace, value)
    if number is not None and asked.pass_number is None:
        return Picture(mirror(trace, number), trace, asked.options)
    named = kernel.shell.user_ns.items()
    tensors = {name: one for name, one in named if isinstance(one, Tensor) and tells(name)}
    drawn: Picture = kernel.aside(partial(graph, **asked.look), of, asked.pass_number, tensors)
    return drawn


def _last_pass_from(trace: Trace, value: Value) -> int | None:
    """Return the number of the last backward pass that began with this value; None if none did."""
    seeds = {one.id for one in trace.values if one.seed and one.of == value.id}
    backward = (event for event in reversed(trace.events) if event.phase == "backward")
    return next((trace.pass_of(event) for event in backward if not seeds.isdisjoint(event.inputs)), None)
