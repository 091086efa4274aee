"""The gradient check: compares the computed gradients with the true ones.

Every call of user code is checked (``one_call``), at every element: exactly, as far as its forward consists of
operators (``exact``); beyond that inputs are moved (``slopes``), as for built-in operators. Mistakes
are explained by ``mistakes``.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from math import ceil

import numpy as np

from minipaddle.engine.mode.eager import EAGER, current, within
from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.watch.watched_mode import watching
from minipaddle.ops.definition.example import example_of
from minipaddle.paddle.static.executor.executor import Executor
from minipaddle.tools.checks.gradient.one_call import check_operator, check_own
from minipaddle.tools.checks.gradient.results import AS_USUAL, Call, Checked, How, Verdict, call_of
from minipaddle.tools.checks.gradient.source import is_intended
from minipaddle.tools.checks.gradient.tape import is_users, recorded
from minipaddle.tools.record import Recorder
from minipaddle.tools.record.checked import BadRecording
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.group_by import grouped

_RANK: tuple[Verdict, ...] = ("wrong", "intended", "unsure", "ok", "unchecked")
_SPREAD = 64
"""Calls of a built-in operator at one line that are checked: each asks the same rule, with other numbers."""


def is_users_own(forward: Event) -> bool:
    """Return whether a call runs user code, not a built-in operator: a PyLayer, a py_func, a Block."""
    return forward.op not in TABLE and forward.op != "select_input"


def groups(trace: Trace) -> list[list[Event]]:
    """Return the gradient events of a recording, grouped by operator, line and shapes."""
    # A branch that did not run gave zeros: nothing to check.
    ran = (event for event in trace.events if event.kind == "grad" and event.was_taken)
    calls = ((call_of(trace, event), event) for event in ran)
    return list(grouped((call.key, event) for call, event in calls if call is not None).values())


def check_trace(trace: Trace, how: How = AS_USUAL) -> Iterator[Checked]:
    """Yield the results for every operator and every line of a recording."""
    for group in groups(trace):
        yield from check_group(trace, group, how)


def check_group(trace: Trace, group: list[Event], how: How = AS_USUAL) -> list[Checked]:
    """Return one result for each input: the worst among the calls of an operator at one line."""
    by_place, met = dict[Hashable, list[Checked]](), Counter[Hashable]()
    calls = [call for one in group if one.kind == "grad" and (call := call_of(trace, one)) is not None]
    calls.sort(key=lambda call: call.forward.index)
    built_in = bool(calls) and not is_users_own(calls[0].forward)
    step = ceil(len(group) / _SPREAD) | 1 if built_in else 1  # odd: two calls of a line may take turns
    for at, call in enumerate(calls):
        if at % step:
            met.update(place for place, _ in call.floating if call.arrives(place))
        for one in [] if at % step else _compared(call, how):
            met[one.place] += 1
            one.call = met[one.place]
            by_place.setdefault(one.place, []).append(one)
    merged = []
    for place, found in by_place.items():
        worst = min(found, key=lambda one: (_RANK.index(one.verdict), -one.difference))
        worst.calls = met[place]
        worst.checked_calls = sum(1 for one in found if one.verdict != "unchecked")
        _explain(worst)
        merged.append(worst)
    return merged


def _check_program(call: Call, how: How) -> list[Checked]:
    """Return the results for the operators of a to_static function, after running its Program again."""
    trace = call.trace
    gradient = trace.calls[call.forward.index][0].gradient
    feed = {one.name: recorded(trace, id_ or 0) for one, id_ in zip(gradient.inputs, call.forward.inputs)}
    for one, place in zip(gradient.incoming, gradient.flowing):
        came = call.incoming[place]
        feed[one.name] = np.zeros(one.shape, one.meta.dtype) if came is None else recorded(trace, came)
    recorder = Recorder(trace.script)
    with within(EAGER), watching(recorder):
        Executor().run(gradient.program, feed, list(gradient.results.values()))
    inside = recorder.finish()
    found = list(check_trace(inside, how))
    for row in found:
        row.inside, row.place = inside, (row.event.index, row.place)
    return found


def _explain(one: Checked) -> None:
    """Set the mistake behind a result; if the user's code raises on the way, none is known."""
    try:
        one.explain()
    except Exception as error:  # the user's own code runs again, and may raise anything
        if isinstance(error, BadRecording) or not is_users(error):
            raise
        one.find = None


def _compared(call: Call, how: How) -> list[Checked]:
    """Return the results of one call, without their mistakes."""
    check = check_own if is_users_own(call.forward) else check_operator
    if call.forward.op == "run_program" and call.forward.index in call.trace.calls:
        check = _check_program
    try:
        found = check(call, how)
    except Exception as error:  # the user's own code runs again, and may raise anything
        if isinstance(error, BadRecording) or not is_users(error):
            raise
        cause = str(error) if isinstance(error, Missing) else f"{type(error).__name__}: {error}"
        place = next((at for at, _ in call.floating if call.asks_for(at)), 0)
        return [Checked(call.event, call.forward.title, "unchecked", cause=cause, place=place)]
    if any(one.verdict == "wrong" for one in found) and is_intended(call, how.intended):
        for one in found:
            one.verdict = "intended" if one.verdict == "wrong" else one.verdict
    return found


def record_operator(op: Operator) -> Trace:
    """Return the recording of one call of an operator and its backward; inputs have the names of the parameters."""
    recorder, rng = Recorder(f"check {op.type}"), np.random.default_rng(1)
    with watching(recorder):
        inputs, attrs = example_of(op, np.random.default_rng(0))
        tensors = [None if array is None else Tensor(array) for array in inputs]
        for tensor in tensors:
            if tensor is not None and tensor.array.dtype.kind == "f":
                tensor.stop_gradient = False
        out = current.get().apply(op, tuple(tensors), {**op.defaults, **attrs})
        for one in out if isinstance(out, tuple) else (out,):
            if not one.stop_gradient:
                one.backward(Tensor(rng.uniform(0.5, 1.5, one.array.shape)), retain_graph=True)
    trace = recorder.finish()
    for event in trace.events:
        event.where = None
        for input_name, id_ in zip(op.input_names, event.inputs if event.kind == "op" else ()):
            if id_ is not None:
                trace.values[id_].name = input_name
    return trace
