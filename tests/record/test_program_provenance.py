"""Where things come from in recordings of Programs, all of whose numbers are equal: told by the engine, not guessed."""

import random
from operator import attrgetter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from minipaddle.tools.debug import Session
from minipaddle.tools.debug.rerun import Rerun
from minipaddle.tools.record.file import load, save
from minipaddle.tools.record.kinds import Bodied, Store
from tests.support.programs import NAMES, recipes, recorded, run_from, trained

EXAMPLES = settings(max_examples=25)


def values(trace, ids):
    return [trace.values[id_] for id_ in ids if id_ is not None]


def terms(trace, id_, parent):
    """Return the gradients that were added up in value `id_`, all of them in one run of a Block."""
    made = trace.values[id_].producer
    event = None if made is None else trace.events[made]
    if event is None or event.kind != "accumulate" or event.parent != parent:
        return [id_]
    return [term for one in event.inputs for term in terms(trace, one, parent)]


def handed_on(trace, ids, id_):
    """Return those of some values that an Operator has handed on from a Block, in which they were `id_`."""
    found = set()
    for one in values(trace, ids):
        event = None if one.producer is None else trace.events[one.producer]
        if event is not None and (id_,) in event.parts:
            found.add(one.id)
    return found


def every_update_reads_what_was_sent_to_its_own_parameter(trace):
    updates = [event for event in trace.events if event.kind == "update"]
    assert [trace.values[event.about].name for event in updates] == list(NAMES)
    for event in updates:
        assert event.about == event.inputs[0]
        leads = set(event.inputs)
        for before in reversed(trace.events[: event.index]):
            if before.kind == "op" and before.depth == 0 and not leads.isdisjoint(before.outputs):
                leads.update(before.inputs)  # clipping and decay stand between
        of = {one.of for one in values(trace, leads) if one.kind == "gradient"}
        others = {trace.values[one].name for one in of if one is not None} & set(NAMES)
        clipped = {"w0", "w1"}  # by the norm of both
        assert others == (clipped if trace.values[event.about].name in clipped else {"w2"})
        assert of >= {event.about}


def every_sum_names_all_its_terms_and_no_others(trace):
    for event in trace.events:
        if event.kind != "accumulate":
            continue
        assert event.about is not None
        of = {one.of for one in values(trace, [*event.inputs, *event.outputs])}
        assert of - handed_on(trace, of, event.about) == {event.about}
    summed = {
        (event.about, event.pass_number, event.parent): event.outputs[0]
        for event in trace.events
        if event.kind == "accumulate"
    }
    for (about, number, parent), total in summed.items():
        found = terms(trace, total, parent)
        arrived = [
            id_
            for event in trace.events
            if event.kind == "grad" and (event.pass_number, event.parent) == (number, parent)
            for id_ in event.outputs
            if id_ is not None and trace.values[id_].of == about
        ]
        if parent is not None:  # what is handed into a Block was made around it
            arrived += [id_ for id_ in trace.events[parent].inputs if id_ in found]
        given = [one for one in values(trace, found) if one.producer is None]
        assert all(
            one.seed or not one.array.any() for one in given
        )  # a Block is handed zeros where nothing comes
        assert sorted(found) == sorted([*arrived, *(one.id for one in given)])


def what_blocks_hand_over_is_what_was_made_in_them(trace):
    """Each output says what it consists of, also of a loop of no iteration or a branch that did not run."""
    for event in trace.events:
        if event.op in ("while", "while_grad", "conditional_block", "conditional_block_grad", "pylayer_grad"):
            made = [id_ for id_ in event.outputs if id_ is not None]
            assert len(event.parts) == len(event.outputs)
            for id_, parts in zip(event.outputs, event.parts, strict=True):
                if id_ is None:
                    continue
                assert parts is not None
                total = np.zeros(trace.values[id_].shape)
                for part in parts:
                    assert part not in made
                    total = total + trace.values[part].array
                np.testing.assert_allclose(total, trace.values[id_].array, rtol=1e-12)


@given(recipes())
@EXAMPLES
def test_a_recording_names_what_each_value_is_made_of(recipe):
    trace = recorded(trained(recipe), runs=1)
    every_update_reads_what_was_sent_to_its_own_parameter(trace)
    every_sum_names_all_its_terms_and_no_others(trace)
    what_blocks_hand_over_is_what_was_made_in_them(trace)


@given(recipes(), st.sampled_from(NAMES))
@EXAMPLES
def test_a_set_changes_exactly_what_running_the_changed_program_changes(recipe, name):
    """Also in the runs that follow: the Scope hands on what an update has made."""
    built = trained(recipe)
    session = Session(recorded(built, runs=3))
    made = next(one for one in session.trace.values if one.name == name)
    array = np.array([0.4, 0.7])
    fork = _fork(session, made, array)
    unknown = [one for one in fork.values if one.array is None]
    assert not unknown
    now = {one.name: one for one in fork.values}
    expected = run_from(built, 3, {name: array})
    for other in NAMES:
        np.testing.assert_allclose(now[other].array, expected[other], rtol=1e-12, err_msg=other)
    losses = [one.array for one in fork.values if one.name == built.loss.name]
    np.testing.assert_allclose(losses, expected["loss"], rtol=1e-12)


def _fork(session, value, array):
    """Let a value be `array` from where it was made, or read first, on."""
    index = value.producer
    if index is None:
        index = next(event.index for event in session.trace.events if value.id in event.inputs)
    again = Rerun(session)
    fork = again.since(session.trace.events[index], value, array)
    assert [said for said in again.lost if "which it has read" not in said] == []  # a run fetches its loss
    return fork


@given(recipes(), st.integers(0, 99))
@EXAMPLES
def test_titles_and_names_are_for_people(recipe, seed):
    """With those shuffled, everything comes out as it did."""
    built = trained(recipe)
    session, array = Session(recorded(built)), np.array([0.4, 0.7])
    fork = _fork(session, next(one for one in session.trace.values if one.name == "w1"), array)
    id_ = next(one.id for one in session.trace.values if one.name == "w1")
    shuffled = _shuffled(recorded(built), random.Random(seed))
    again = _fork(Session(shuffled), shuffled.values[id_], array)
    for one, other in zip(fork.values, again.values, strict=True):
        np.testing.assert_array_equal(one.array, other.array)


def _shuffled(trace, chance):
    titles, names = [one.title for one in trace.events], [one.name for one in trace.values]
    chance.shuffle(titles)
    chance.shuffle(names)
    for one, title in zip(trace.events, titles, strict=True):
        one.title = title
        if isinstance(one, (Bodied, Store)):
            one.note = ""
    for one, name in zip(trace.values, names, strict=True):
        one.name = name
    return trace


FIELDS = (
    *("inputs", "outputs", "about", "into", "made_by", "owner"),
    *("block", "iterations", "parts", "origin", "saved"),
)
OF_VALUES = attrgetter("same", "of", "seed", "holder", "version")


@given(recipe=recipes())
@settings(max_examples=10)
def test_without_numbers_and_from_a_file_the_same_is_told(recipe, tmp_path_factory):
    built = trained(recipe)
    trace, path = recorded(built), tmp_path_factory.mktemp("file") / "run.trace"
    save(trace, path)
    for other in (load(path), recorded(built, max_mb=0)):
        for one, same in zip(trace.events, other.events, strict=True):
            assert [getattr(one, name, None) for name in FIELDS] == [
                getattr(same, name, None) for name in FIELDS
            ]
        for one, same in zip(trace.values, other.values, strict=True):
            assert OF_VALUES(one) == OF_VALUES(same)
