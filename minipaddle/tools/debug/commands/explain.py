"""Commands why, jac, check, flow, nan and tree."""

from itertools import compress
from math import prod
from typing import Annotated

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.paddle.static.pytree import rebuilt
from minipaddle.tools.checks.flow import flow_lines, flow_object, gradient_flow
from minipaddle.tools.checks.gradient.check import check_group
from minipaddle.tools.checks.gradient.results import call_of, check_line, check_object
from minipaddle.tools.checks.gradient.slopes import Slopes, function_of
from minipaddle.tools.checks.gradient.tape import in_double, recorded
from minipaddle.tools.checks.nan import hunt, hunt_lines, hunt_object
from minipaddle.tools.checks.training.mistakes import mistakes_of
from minipaddle.tools.checks.training.steps import mistakes_object, steps_of
from minipaddle.tools.debug.cards import why_lines, why_name, why_object
from minipaddle.tools.debug.commands.base import Desk
from minipaddle.tools.debug.commands.inspect import array_text
from minipaddle.tools.debug.cursor import NoMove, whole_number
from minipaddle.tools.picture.model.mirror import mirror
from minipaddle.tools.picture.terminal.tree import tree_rows
from minipaddle.tools.record.events import Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.json import json_number
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import spaced

_MOST = 1024
"""Entries of the largest Jacobian that is computed: 32 x 32 still fits on a screen."""


class Understanding(Desk):
    """why, jac, check, flow, nan, tree."""

    def do_why(self, arg: Annotated[str, "[NAME [--paths]]"]) -> None:
        """The rule here, with its numbers, and plain sentences; of NAME, why it or its gradient is what it is."""
        session = self.session
        found = why_name(session, arg) if arg else None
        self.tell(lambda: {"why": why_object(session, found)}, lambda: why_lines(session, found))

    def do_jac(self, arg: Annotated[str, "[I]"]) -> None:
        """How each element of the output changes with each element of input I (the first)."""
        value, outputs, matrix = self._jacobian(arg)
        rows, columns = matrix.shape
        said = {"name": value.name, "rows": rows, "columns": columns}
        name = say("d output / d {name}: {rows} x {columns}", **said)
        if len(outputs) > 1:
            names = ", ".join(one.name for one in outputs)
            name = say("d ({outputs}) / d {name}: {rows} x {columns}", outputs=names, **said)
        jac = rebuilt(matrix.tolist(), json_number)
        self.tell(
            lambda: {"jac": jac, "input": value.name, "shape": [rows, columns]},
            lambda: [name, *array_text(matrix).splitlines()],
        )

    def _jacobian(self, arg: str) -> tuple[Value, list[Value], Array]:
        """Return an input, the floating outputs, and the Jacobian, with one row per output element."""
        call = call_of(self.session.trace, self.session.event)
        if call is None:
            raise NoMove("there is no operator here to differentiate")
        inputs = call.floating
        which = whole_number(arg or "0")
        if which is None or which >= len(inputs):
            raise NoMove("it has {count} inputs of floats, numbered from 0", count=len(inputs))
        made = call.trace.known(call.forward.outputs)
        are_floats = [out.kind_of_dtype in "fc" for out in made]
        outputs = [*compress(made, are_floats)]
        if any(np.dtype(one.dtype).kind == "c" for one in (inputs[which][1], *outputs)):
            raise NoMove("a Jacobian is worked out for real numbers only, and there are complex ones here")
        size = prod(inputs[which][1].shape) * sum(prod(out.shape) for out in outputs)
        if size > _MOST:
            raise NoMove("the Jacobian has {size} entries; up to {most} are shown", size=size, most=_MOST)
        try:
            arrays = [in_double(recorded(call.trace, value.id)) for _, value in inputs]
            function, ones = function_of(call), [np.ones(())] * len(outputs)
            slopes = Slopes(lambda at: [*compress(function(at), are_floats)], ones, arrays, which, 1e-6)
            return inputs[which][1], outputs, np.array(list(slopes.columns())).T
        except (Missing, ArithmeticError, TypeError, ValueError) as error:
            raise NoMove(str(error)) from error

    def do_check(self, arg: str) -> None:
        """Compare the gradient here with how the output really changes."""
        trace, event = self.session.trace, self.session.event
        stored = trace.value(event.inputs[0]) if isinstance(event, Store) else None
        found = check_group(trace, [(trace.maker(stored) if stored is not None else None) or event])
        if not found:
            raise NoMove("nothing to check: this is no gradient of an operator or PyLayer")
        self.tell(
            lambda: {"check": [check_object(trace, one) for one in found]},
            lambda: (check_line(trace, one) for one in found),
        )

    def do_flow(self, arg: str) -> None:
        """The sizes of the gradients of this backward pass, culprits first."""
        trace = self.session.trace
        if not trace.passes:
            raise NoMove("no backward pass was recorded")
        found = gradient_flow(trace, trace.pass_around(self.session.event))
        others = [one for one in mistakes_of(trace, steps_of(trace)) if one not in found.mistakes]
        said = (f"{say('pass {number}', number=one.number)}: {one.sentence}" for one in others)
        data = {"other passes": mistakes_object(others)} if others else {}
        self.tell(lambda: {**flow_object(found), **data}, lambda: [*flow_lines(found), *said])

    def do_nan(self, arg: str) -> None:
        """Where a NaN or an Inf is born, spreads, is masked or heals."""
        trace = self.session.trace
        found = hunt(trace)
        self.tell(lambda: hunt_object(found, trace), lambda: hunt_lines(found, trace))

    def do_tree(self, arg: str) -> None:
        """The graph of the backward pass that the cursor is in or before."""
        trace = self.session.trace
        graph = mirror(trace, trace.pass_around(self.session.event) or None)
        rows = tree_rows(graph, self.symbols)
        fields = ("name", "what", "numbers", "where", "saved")
        self.tell(
            lambda: {"tree": [{name: getattr(row, name) for name in fields} for row in rows]},
            lambda: (spaced(*(getattr(row, name) for name in fields)) for row in rows),
        )
