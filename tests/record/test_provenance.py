"""The origins of values in a recording come from the engine: with all parameters equal they are the same."""

import numpy as np
from hypothesis import given, settings

from minipaddle.tools.debug import Session
from minipaddle.tools.debug.rerun import Rerun
from minipaddle.tools.record.replay import Replay
from tests.support.random_training import different, equal, trainings

MANY = settings(max_examples=20)


def structure(trace):
    """Everything that a recording says but numbers."""
    fields = (
        *("kind", "op", "inputs", "outputs", "parent", "pass_number", "origin", "saved", "body"),
        *("about", "before", "into", "parts", "owner"),
    )
    events = [[getattr(event, name, None) for name in fields] for event in trace.events]
    told = ("kind", "holder", "version", "same", "replaces", "seed", "producer", "of", "stop_gradient")
    return events, [[getattr(value, name) for name in told] for value in trace.values]


def stores_behind(trace, id_):
    """The parameters whose ``.grad`` a value was computed of, by the numbers of what holds them."""
    found, stack, seen = set(), [id_], set()
    while stack:
        value = trace.value(stack.pop())
        if value is None or value.id in seen or value.kind == "parameter":
            continue
        seen.add(value.id)
        made = None if value.producer is None else trace.events[value.producer]
        if made is not None and made.kind == "store":
            found.add(trace.values[made.about].holder)
        elif made is not None:
            stack += made.inputs
        stack.append(value.came_from)
    return found


@MANY
@given(trainings())
def test_equal_parameters_are_told_apart(training):
    trace, _ = training.recorded(equal(training.parameters))
    other, _ = training.recorded(different(training.parameters))
    assert structure(trace) == structure(other)


@MANY
@given(trainings())
def test_every_update_reads_the_gradient_of_its_parameter(training):
    trace, _ = training.recorded(equal(training.parameters))
    clipped = any(clip == "global" for _, clip, _, _ in training.optimizers)
    for event in trace.events:
        if event.kind == "update" and event.op in ("sgd", "momentum", "adam"):
            parameter = trace.values[event.about]
            found = stores_behind(trace, event.inputs[1])
            assert event.about == event.inputs[0]
            assert parameter.holder in found
            assert clipped or found == {parameter.holder}


@MANY
@given(trainings())
def test_what_is_told_of_grad_is_what_grad_holds(training):
    trace, made = training.recorded(different(training.parameters))
    last = {}  # what each parameter's `.grad` holds: clipping by the global norm writes into it
    for event in trace.events:
        for written in event.outputs if event.kind == "op" else ():
            changed = {holder: written for holder, id_ in last.items() if same_memory(trace, id_, written)}
            last.update(changed)
        if event.kind == "store":
            holder = trace.values[event.about].holder
            assert event.before in (last.get(holder), None)
            (last[holder],) = event.outputs
    for number, value in enumerate(parameters(trace, training)):
        held = made[number].grad
        if value is None or value.holder not in last:
            assert held is None
        elif not training.clear:
            np.testing.assert_array_equal(trace.values[last[value.holder]].array, held.numpy())


def same_memory(trace, one, other):
    """Whether two values were held, one after the other, by one tensor."""
    return trace.values[one].holder == trace.values[other].holder


def parameters(trace, training):
    """Return the first value of each parameter in a recording with different ones; None of what nobody used."""
    at_first = [value for value in trace.values if value.kind == "parameter" and value.version == 0]
    return [
        next((value for value in at_first if np.array_equal(value.array, array)), None)
        for array in different(training.parameters)
    ]


def numbers(trace):
    return lambda id_: trace.values[id_].array


@MANY
@given(trainings())
def test_every_sum_is_that_of_its_terms(training):
    trace, _ = training.recorded(different(training.parameters))
    for event in trace.events:
        if event.kind in ("accumulate", "store"):
            (total,) = event.outputs
            terms = [*event.inputs, event.before] if event.kind == "store" else event.inputs
            np.testing.assert_array_equal(
                trace.values[total].array, sum(trace.values[id_].array for id_ in terms if id_ is not None)
            )
    waiting = {}
    for event in trace.events:  # every gradient that is sent somewhere is taken there once
        if event.kind == "backward":
            waiting = {}
        if event.kind in ("grad", "accumulate"):
            for id_ in event.outputs:
                if id_ is not None:
                    waiting[id_] = event.index
        for id_ in event.inputs if event.kind in ("grad", "accumulate", "store") else ():
            waiting.pop(id_, None)
    replaced = {value.replaces for value in trace.values}
    assert not set(waiting) - replaced


@MANY
@given(trainings())
def test_every_event_run_again_gives_what_it_gave(training):
    trace, _ = training.recorded(equal(training.parameters))
    replay = Replay(trace)
    for event in trace.events:
        if event.kind in ("op", "grad", "accumulate", "store", "update"):
            for id_, array in zip(event.outputs, replay.outputs(event, numbers(trace)), strict=True):
                if id_ is not None:
                    np.testing.assert_array_equal(array, trace.values[id_].array)


@MANY
@given(trainings())
def test_a_parameter_set_changes_what_the_changed_script_changes(training):
    first = equal(training.parameters)
    trace, _ = training.recorded(first)
    places = parameters(training.recorded(different(training.parameters))[0], training)
    for number, place in enumerate(places):
        if place is None:
            continue
        changed = [*first]
        changed[number] = np.array([0.25, -0.75], "f4")
        wanted, _ = training.recorded(changed)
        again = Rerun(Session(trace))
        fork = again.since(trace.events[0], trace.values[place.id], changed[number])
        assert again.lost == []
        for one, other in zip(fork.values, wanted.values, strict=True):
            np.testing.assert_array_equal(one.array, other.array)


@MANY
@given(trainings())
def test_watched_equals_plain_to_the_bit(training):
    _, watched = training.recorded(equal(training.parameters))
    plain = training.run(equal(training.parameters))
    for one, other in zip(watched, plain, strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())
        assert (one.grad is None) == (other.grad is None)
        if one.grad is not None:
            np.testing.assert_array_equal(one.grad.numpy(), other.grad.numpy())
