"""Commands that explain."""

from __future__ import annotations

import numpy as np

from minipaddle.checks.flow import flow_lines, flow_object, gradient_flow
from minipaddle.checks.gradient.call import call_of
from minipaddle.checks.gradient.check import check_event
from minipaddle.checks.gradient.functions import function_of
from minipaddle.checks.gradient.report import check_line, check_object
from minipaddle.checks.gradient.slopes import Slopes
from minipaddle.checks.gradient.tape import in_double
from minipaddle.checks.nan import hunt, hunt_lines, hunt_object
from minipaddle.debug.cards import why_lines, why_name, why_object
from minipaddle.debug.commands.base import Desk
from minipaddle.debug.commands.inspect import array_text
from minipaddle.debug.cursor import NoMove
from minipaddle.trace.events import Event, Value
from minipaddle.trace.replay import Missing
from minipaddle.viz.terminal.tree import tree_rows
from minipaddle.words.json import json_data, value_object
from minipaddle.words.language import say
from minipaddle.words.numbers import spaced

_MOST = 1024
"""Entries of the largest Jacobian that is worked out."""


class Understanding(Desk):
    """why, jac, vjp, check, flow, nan, tree, graph."""

    def do_why(self, arg: str) -> None:
        """The rule here, with its numbers, and plain sentences; of NAME, why it or its gradient is what it is."""
        session = self.session
        found = why_name(session, arg) if arg else None
        self.tell(lambda: {"why": why_object(session, found)}, lambda: why_lines(session, found))

    def do_jac(self, arg: str) -> None:
        """How each element of the output changes with each element of input I (the first)."""
        value, _, matrix = self._jacobian(arg)
        name = say(
            "d output / d {name}: {rows} x {columns}",
            name=value.name,
            rows=len(matrix),
            columns=matrix.shape[1],
        )
        self.tell(
            lambda: {"jac": json_data(matrix.tolist()), "input": value.name, "shape": list(matrix.shape)},
            lambda: [name, *array_text(matrix).splitlines()],
        )

    def do_vjp(self, arg: str) -> None:
        """The incoming gradient times the Jacobian for input I, beside the gradient that was computed."""
        value, forward, matrix = self._jacobian(arg)
        event = self.session.event
        seed = self.session.trace.value(event.inputs[0]) if event.kind == "grad" else None
        if seed is None or seed.array is None:
            raise NoMove(say("there is no incoming gradient here: vjp is for the events of backward"))
        product = (seed.array.astype(np.float64).ravel() @ matrix).reshape(value.shape)
        made = self.session.trace.value(event.outputs[forward.inputs.index(value.id)])
        lines = [
            say("{seed} times the Jacobian for {name}", seed=seed.name, name=value.name),
            array_text(product),
        ]
        if made is not None and made.array is not None:
            gap = float(np.abs(product - made.array).max(initial=0))
            lines.append(say("{name} differs from it by {gap} at most", name=made.name, gap=f"{gap:.2g}"))
        self.tell(
            lambda: {
                "vjp": json_data(product.tolist()),
                "seed": seed.name,
                "input": value.name,
                "gradient": None if made is None else value_object(made),
            },
            lambda: [line for text in lines for line in text.splitlines()],
        )

    def _jacobian(self, arg: str) -> tuple[Value, Event, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
        call = call_of(self.session.trace, self.session.event)
        if call is None:
            raise NoMove(say("there is no operator here to differentiate"))
        inputs = [value for _, value in call.floating]
        which = int(arg or 0) if (arg or "0").isdigit() else len(inputs)
        if which >= len(inputs):
            raise NoMove(say("it has {count} inputs of floats, numbered from 0", count=len(inputs)))
        out = call.trace.known(call.forward.outputs)[0]
        size = int(np.prod(inputs[which].shape)) * int(np.prod(out.shape))
        if size > _MOST:
            raise NoMove(
                say("the Jacobian has {size} entries; up to {most} are shown", size=size, most=_MOST)
            )
        try:
            arrays = []
            for value in inputs:
                if value.array is None:
                    raise Missing(say("the numbers of {name} are not known", name=value.name))
                arrays.append(in_double(value.array))
            slopes = Slopes(function_of(call), [np.ones(())], arrays, which, 1e-6)
            return inputs[which], call.forward, np.array(list(slopes.columns())).T
        except (Missing, ArithmeticError, TypeError, ValueError) as error:
            raise NoMove(str(error)) from error

    def do_check(self, arg: str) -> None:
        """Compare the gradient here with how the output really changes."""
        found = check_event(self.session.trace, self.session.event)
        if not found:
            raise NoMove(say("nothing to check: this is no gradient of an operator or PyLayer"))
        trace = self.session.trace
        self.tell(
            lambda: {"check": [check_object(trace, one) for one in found]},
            lambda: (check_line(trace, one) for one in found),
        )

    def do_flow(self, arg: str) -> None:
        """The sizes of the gradients of this backward pass, culprits first."""
        trace = self.session.trace
        if not trace.passes:
            raise NoMove(say("there was no backward pass"))
        self._insist_on_values()
        found = gradient_flow(trace, trace.pass_around(self.session.event))
        self.tell(lambda: flow_object(found), lambda: flow_lines(found))

    def _insist_on_values(self) -> None:
        if not self.session.trace.knows_values:
            raise NoMove(say("this recording knows nothing of the values (--values none)"))

    def do_nan(self, arg: str) -> None:
        """Where a NaN or an Inf is born, spreads, is masked or heals."""
        self._insist_on_values()
        trace = self.session.trace
        found = hunt(trace)
        self.tell(lambda: hunt_object(found, trace), lambda: hunt_lines(found, trace))

    def do_tree(self, arg: str) -> None:
        """The graph of the backward pass that the cursor is in or before."""
        rows = tree_rows(self.graph(), self.session.trace, self.symbols)
        fields = ("name", "what", "numbers", "where", "saved")
        self.tell(
            lambda: {"tree": [{name: getattr(row, name) for name in fields} for row in rows]},
            lambda: (spaced(*(getattr(row, name) for name in fields)) for row in rows),
        )

    def do_graph(self, arg: str) -> None:
        """Draw the backward pass that the cursor is in or before, into FILE: .svg .png .pdf .dot .html ..."""
        path = arg.removeprefix("-o").strip()
        if path:
            self.draw(path)
        else:
            self.do_tree("")
