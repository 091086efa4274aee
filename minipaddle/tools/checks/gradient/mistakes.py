"""Finds the mistake behind a wrong gradient: the small change that corrects it, and its line.

First the cases that need no search (None returned, gradients in the wrong order, a value of another call). Then one
operator of the user's backward at a time is changed until its result is right, at the numbers of the run and at
others, so that none fits by chance; and at every other call of the line. Then one operator of forward is
differentiated wrongly until it reproduces the user's gradient. Last come rules that look at the numbers alone
(``by_numbers``).
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.tools.checks.gradient.backward import Backward, Point, equal
from minipaddle.tools.checks.gradient.by_numbers import by_place, causes_of, one_of
from minipaddle.tools.checks.gradient.exact import Exact, Gradient, apart
from minipaddle.tools.checks.gradient.repair.search import Search
from minipaddle.tools.checks.gradient.results import Mistake, alternatives, same_line
from minipaddle.tools.checks.gradient.source import is_reversal, line_of_answer, line_of_return
from minipaddle.tools.checks.gradient.tape import ERRORS
from minipaddle.tools.checks.gradient.unwritten import returns_none
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

_CALLS = 64
"""Most other calls of a line at which a change is tried: more take seconds, and calls of one line differ in little."""


@dataclass
class Case:
    """The gradient of one input of one call, with those of the other inputs."""

    exact: Exact
    gradients: Sequence[Gradient]
    one: Gradient

    @cached_property
    def backward(self) -> Backward | None:
        """The user's backward as a tape; None if a second run does not reproduce its results."""
        try:
            found = Backward(self.exact)
            return found if found.is_faithful else None
        except ERRORS:
            return None

    @cached_property
    def others(self) -> list["Case"]:
        """The same input at the other calls of the line."""
        found, place = [], self.one.places[0]
        for call in itertools.islice(same_line(self.exact.call), _CALLS):
            try:
                exact = Exact(call, self.exact.tolerance)
                every = exact.gradients()
            except ERRORS:
                continue
            mine = [Case(exact, every, one) for one in every if place in one.places]
            found += [] if exact.nothing_came_in else mine
        return found

    def search(self, point: Point | None = None, keeping: bool = False) -> Search | None:
        """Return the search for a change of backward that is right at `point`, and at a random one if possible."""
        if self.backward is None:
            return None
        generic = self.backward.generic(keeping)
        here = point or self.backward.here
        return Search(self.backward, self.one, [here] if generic is None else [generic, here])

    def again(self, find: Callable[["Case"], Iterator[Mistake]], mistake: Mistake) -> bool:
        """Return whether each other call of the line has this mistake, too."""
        return all(any(one.key == mistake.key for one in find(other)) for other in self.others)


def mistake_of(exact: Exact, gradients: Sequence[Gradient], one: Gradient) -> Mistake:
    """Return the mistake in the gradient of one input: one that each other call of the line has, too."""
    line, case = line_of_answer(exact.call, one.places[0]), Case(exact, gradients, one)
    if not np.isfinite(one.given[one.wrong]).all():
        return Mistake("not finite", say("what backward gives is not finite"), line)
    if one.none:
        return Mistake("none", returns_none(one.value.name), line)
    if (meant := _meant(exact, one, line)) is not None:
        return meant
    for found in _exchanged(case):
        if case.again(_exchanged, found):
            return found
    if not one.right.any() and exact.is_flat(one.id):
        text = say("forward is flat; if that is meant, say `# minipaddle: not the gradient`")
        for seed in (each for each in exact.seeds.values() if each.shape == one.given.shape):
            came = seed * (one.given != 0)
            times = float((np.vdot(came, one.given) / (np.vdot(came, came) or 1)).real)
            said = say("it is {factor} times straight through", factor=number(times))
            text = say("; ").join([text, said]) if equal(one.given, times * came, 1e-3) else text
        return Mistake("flat", text, line)
    if (changed := _by_changes(case)) is not None:
        return changed
    if not one.given.any():
        return Mistake("zero", say("no gradient arrives: it is zero or missing"), line)
    refuted = ("factor", "term", "mean") if case.backward and case.backward.generic() else ()  # elsewhere
    causes = (mistake for mistake in _by_numbers(case) if mistake.kind not in refuted)
    found = one_of([mistake for mistake in causes if case.again(_by_numbers, mistake)])
    known = exact.trace.known([*exact.forward.inputs, *exact.forward.outputs])
    values = [(value.name, exact.space.get(value.id, np.zeros(()))) for value in known]
    return (
        found._replace(line=line) if found.kind else by_place(one.wrong, one.given, one.right, line, values)
    )


def _meant(exact: Exact, one: Gradient, line: Line | None) -> Mistake | None:
    """Return that a backward is meant to differ, of an identity or straight through; or that a reversal does not."""
    seed = next(iter(exact.seeds.values()), np.zeros(()))
    scales = [(step.op, step.attrs.get("scale", 1), step.attrs.get("bias", 0)) for step in exact.tape.steps]
    is_identity = {*scales} <= {("assign", 1, 0), ("scale", 1, 0)}
    passes = one.given.shape == seed.shape and ((one.given == 0) | np.isclose(one.given, seed)).all()
    reverses = is_identity and one.given.shape == seed.shape and is_reversal(exact.call)
    if reverses and np.vdot(seed, one.given).real > 0:
        return Mistake("reversal", say("a reversal: backward hands the gradient on with its sign"), line)
    differs = one.given.any() or reverses  # by a strength that begins with zero
    return None if not differs or not (is_identity or (passes and exact.is_flat(one.id))) else Mistake(
        "surrogate",
        say(
            "forward returns its input: that backward changes the gradient is meant" if is_identity else
            "forward is flat, and backward passes on what comes in: straight through"
        ),
        line,
    )  # fmt: skip


def silent_mistakes(
    exact: Exact, gradients: Sequence[Gradient]
) -> Iterator[tuple[int, Callable[[], Mistake]]]:
    """Yield the inputs whose gradient is right only by chance, each with a function that finds its mistake.

    A backward that forgets to multiply by the incoming gradients is right where all of them are 1.
    """
    for one in gradients:
        found = _meant(exact, one, None)
        if found is not None and found.kind == "reversal":
            yield one.id, partial(Mistake, *found[:2], line_of_answer(exact.call, one.places[0]))
            return
    backward = Case(exact, gradients, gradients[0]).backward if gradients else None
    if backward is None or backward.branches:
        return
    seeded, points = backward.seeded(), [backward.near(*factors) for factors in _NEAR]
    for one in gradients:
        other = _at(backward, one, seeded, 10 * exact.tolerance)
        if other is not None:
            yield one.id, partial(_by_chance, Case(exact, gradients, other), seeded, True)
            continue
        wrong = [near for at in points if (near := _at(backward, one, at, exact.tolerance)) is not None]
        if len(wrong) == len(_NEAR) and backward.is_closed:
            yield one.id, partial(_by_chance, Case(exact, gradients, wrong[0]), points[0] or seeded, False)


_NEAR = ((0.94, 0.97), (1.03, 1.06))
"""Factors by which inputs are made smaller, then larger: a limit next to the numbers lies on one side only."""


def _at(backward: Backward, one: Gradient, point: Point | None, tolerance: float) -> Gradient | None:
    """Return the gradient of an input at a point if it is wrong there; None if not, or if backward gives none."""
    if point is None:
        return None
    gives = backward.gives(point, one.places)
    right = point.right.get(one.id, np.zeros(one.value.shape))
    if gives is None or gives.shape != right.shape:
        return None
    other = Gradient(one.id, one.value, one.places, gives, right, np.zeros(right.shape))
    other.wrong = apart(gives, right, tolerance) & np.isfinite(right)
    backward.exact.excuse_kinks([other], point.space, point.seeds)
    return other if other.wrong.any() else None


def _by_chance(case: Case, point: Point, is_seeded: bool) -> Mistake:
    """Return the mistake in a gradient that is right in the run, but wrong at `point`.

    Without a kind none was found: then a line is named only if other incoming gradients are enough to show it.
    """
    line, backward, one = line_of_answer(case.exact.call, case.one.places[0]), case.backward, case.one
    if (meant := _meant(case.exact, one, line)) is not None:
        return meant
    text = say("right by chance, for the numbers of this run; for others near them it is wrong")
    if is_seeded and backward is not None:
        here = backward.gives(backward.here, one.places)
        if here is not None and equal(one.given, here):
            text = say("it is not multiplied by the gradient that came in: that it is right here is chance")
            return Mistake("seed", text, line)
        text = say("right by chance, for the gradient that came in; for others it is wrong")
    found = _changed(case, point)
    if found is None:
        return Mistake("", text, line if is_seeded else None)
    return found._replace(text=f"{text}: {found.text}", line=found.line or line)


# -- without a search --------------------------------------------------------------------------------------------------


def _by_numbers(case: Case) -> Iterator[Mistake]:
    """Yield the causes that explain the numbers of one call."""
    one, sure = case.one, ~case.one.unsure
    which = () if sure.all() else sure
    return causes_of(case.exact.call, one.given[which], one.right[which], which)


def _exchanged(case: Case) -> Iterator[Mistake]:
    """Yield the gradient of another input as a cause, if confirmed at other numbers.

    Two inputs are mixed up only if backward returns the right gradient, too, at another place.
    If backward cannot run at other numbers, and those of the run allow several of these, none is yielded.
    """
    exact, one, backward = case.exact, case.one, case.backward
    line = line_of_answer(exact.call, one.places[0])
    found, rights = [], exact.tape.pull(exact.space, exact.seeds)
    for id_, right in rights.items():
        differ = id_ != one.id and not equal(right, one.right, 1e-3)
        if differ and equal(one.given, right, 1e-3):
            name = exact.trace.values[id_].name
            text = say("this is the gradient of {name}: two inputs are mixed up", name=name)
            # of two lines, each would be wrong: one edit is likelier
            at = [line_of_return(exact.call) or line]
            places = [place for other in case.gradients if other.id == id_ for place in other.places[:1]]
            at += [line] if [line_of_answer(exact.call, place) for place in places] == [line] else []
            mixed = [Mistake("swapped", text, one) for one in {one and one[:2]: one for one in at}.values()]
            found.append((id_, alternatives(mixed)))
    point = None if backward is None or backward.branches else backward.generic()
    if backward is None or point is None:
        wanted = {other.id for other in case.gradients}
        yield from (mistake for id_, mistake in found[: len(found) == 1] if id_ in wanted)
        return
    made = backward.tape.run(backward.start(point))
    others = [at for at in range(len(backward.tape.returned())) if at not in one.places]
    elsewhere = any(equal(backward.answer(made, [at]), point.right.get(one.id), 1e-3) for at in others)
    for id_, mistake in found if elsewhere else ():
        if id_ in point.right and equal(backward.answer(made, one.places), point.right[id_], 1e-3):
            yield mistake


# -- by changing one operator ------------------------------------------------------------------------------------------


def _by_changes(case: Case) -> Mistake | None:
    """Return the mistake found by changing backward; None if it cannot be run again, or no change fits."""
    backward, one = case.backward, case.one
    if backward is None:
        return _by_diagonal(case.exact, one, Point(case.exact.space, case.exact.seeds, {}))
    if (np.abs(one.right) > one.noise).any() and (one.given.any() or backward.stale):
        return _changed(case, backward.here)
    point = backward.seeded()
    gives, right = backward.gives(point, one.places), point.right.get(one.id)
    if gives is None or right is None or not gives.any():
        return None
    one = Gradient(one.id, one.value, one.places, gives, right, one.noise)
    return _changed(Case(case.exact, case.gradients, one), point)


def _changed(case: Case, point: Point) -> Mistake | None:
    """Return the mistake whose correction makes backward right at `point`, and at a random one if possible."""
    values = case.exact.trace.values
    for keeping in (False, True)[: 1 + any(values[id_].stop_gradient for id_ in case.exact.tape.given)]:
        elsewhere = [search for other in case.others if (search := other.search(keeping=keeping)) is not None]
        search = case.search(point, keeping)
        if search is not None and (found := search.found(elsewhere)) is not None:
            return found
    return _by_diagonal(case.exact, case.one, point)


# -- by the numbers ----------------------------------------------------------------------------------------------------


def _by_diagonal(exact: Exact, one: Gradient, point: Point) -> Mistake | None:
    """Return the mistake of using only the diagonal of the Jacobian, if that explains the gradient."""
    outs = list(point.seeds.items())
    if len(outs) != 1 or outs[0][1].shape != one.given.shape or not 1 < one.given.size <= 256:
        return None
    id_, seed = outs[0]
    diagonal = np.zeros_like(seed)
    for spot in np.ndindex(seed.shape):
        alone = np.zeros_like(seed)
        alone[spot] = seed[spot]
        pulled = exact.tape.pull(point.space, {id_: alone}).get(one.id)
        diagonal[spot] = 0.0 if pulled is None else pulled[spot]
    if not equal(one.given, diagonal, 1e-3) or equal(diagonal, one.right, 1e-3):
        return None
    return Mistake("diagonal", only_the_diagonal(), line_of_answer(exact.call, one.places[0]))


def only_the_diagonal() -> str:
    """Return the sentence about a gradient from the diagonal of the Jacobian only."""
    return say("only the diagonal of the Jacobian: an output depends on other elements of the input, too")
