"""Mistakes at the border of a ``py_func``'s backward function: its arguments, and the order of what it returns."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import equal
from minipaddle.tools.checks.gradient.results import Call, Mistake
from minipaddle.tools.checks.gradient.slopes import Slopes, function_of
from minipaddle.tools.checks.gradient.source import line_of_answer, line_of_head
from minipaddle.tools.checks.gradient.tape import Numbers, in_double, recorded
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.language import say

_MOST = 64
"""Most elements of all inputs: each is moved alone, at two points."""


def wrong_arguments(call: Call, place: int) -> Mistake | None:
    """Return the mistake if another order or choice of arguments makes every gradient right, at two points."""
    if call.forward.op != "py_func" or call.event.index not in call.trace.calls:
        return None
    function, taken = call.trace.calls[call.event.index]
    known = call.trace.known([*call.forward.inputs, *call.forward.outputs, *call.event.inputs])
    if sum(value.stats.size for _, value in call.floating) > _MOST:
        return None
    points = [*_points(call)]
    wanted = [at for at, id_ in enumerate(call.event.outputs) if id_ is not None]

    def answers(those: Sequence[Value], order: Sequence[int]) -> bool:
        """Return whether the function's results for these arguments are right, taken in this order."""
        made = [function(*[space[one.id] for one in those]) for space, _ in points]
        pairs = itertools.product(zip(made, points), zip(order, wanted))
        return all(equal(_answer(one, nth), right[at], 1e-3) for (one, (_, right)), (nth, at) in pairs)

    for order in [*itertools.permutations(range(len(wanted)))][1:]:
        if answers(taken, order):
            mine = call.forward.inputs[wanted[order.index(wanted.index(place))]]
            text = say(
                "this is the gradient of {name}: two inputs are mixed up",
                name=call.trace.known([mine])[0].name,
            )
            return Mistake("swapped", text, line_of_answer(call, place))
    for chosen in itertools.permutations(known, len(taken)):
        if [one.shape for one in chosen] != [one.shape for one in taken] or list(chosen) == taken:
            continue
        try:
            is_right = answers(chosen, range(len(wanted)))
        except Exception:  # user code, for arguments that it does not expect
            continue
        if is_right:
            given, other = (", ".join(one.name for one in those) for those in (taken, chosen))
            text = say("it gets ({given}), and would be right for ({other})", given=given, other=other)
            skipped = {one.id for one in chosen} - {one.id for one in taken}
            if skipped:
                text = say("{text}: see skip_vars_in_backward_input", text=text)
            return Mistake("swapped", text, call.forward.where if skipped else line_of_head(call))
    return None


def _answer(made: object, nth: int) -> Array | None:
    several = list(made) if isinstance(made, (list, tuple)) else [made]
    return np.asarray(several[nth], np.float64) if nth < len(several) and several[nth] is not None else None


def _points(call: Call) -> Iterator[tuple[Numbers, dict[int, Array]]]:
    """Yield the numbers of the run and others, by value, each with the right gradients, by the places of the inputs."""
    function, rng = function_of(call), np.random.default_rng(8)
    seeds = {id_: in_double(recorded(call.trace, id_)) for id_ in call.incoming if id_ is not None}
    for spread in (0.0, 0.2):
        arrays = [
            in_double(recorded(call.trace, value.id)) * rng.uniform(1 - spread, 1 + spread, value.shape)
            for _, value in call.floating
        ]
        came = {id_: seed + spread * rng.uniform(0.5, 1, seed.shape) for id_, seed in seeds.items()}
        outs = function(arrays)
        weights = [np.zeros(out.shape) if id_ is None else came[id_] for id_, out in zip(call.incoming, outs)]
        right = {}
        for which, (place, _) in enumerate(call.floating):
            slopes = Slopes(function, weights, arrays, which, None)
            slots = np.ndindex(arrays[which].shape)
            right[place] = np.array([slopes.spot(spot).total for spot in slots]).reshape(arrays[which].shape)
        space = {id_: recorded(call.trace, id_) for id_ in call.forward.inputs if id_ is not None}
        space.update((value.id, array) for (_, value), array in zip(call.floating, arrays))
        space.update((id_, out) for id_, out in zip(call.forward.outputs, outs) if id_ is not None)
        yield {**space, **came}, right
