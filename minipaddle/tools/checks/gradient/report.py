"""The results of a check as lines and as JSON data."""

from collections import Counter
from collections.abc import Sequence

from minipaddle.tools.checks.gradient.results import Checked
from minipaddle.tools.record.events import Trace
from minipaddle.tools.words.events import blamed, place, stop_numbers, title
from minipaddle.tools.words.json import json_number
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text, number, spaced
from minipaddle.tools.words.terminal import word


def check_line(trace: Trace, one: Checked) -> str:
    """Return a result as a line: ``matmul_grad  x  ok  12 elements, worst difference 2e-08  train.py:3``."""
    where = place(blamed(one.inside or trace, one.event))
    if one.verdict == "ok":
        what = say(
            "{count} elements, worst difference {gap}", count=_elements(one), gap=f"{one.difference:.1g}"
        )
    elif one.verdict in ("wrong", "intended"):
        what = what_is_wrong(one)
    else:
        what = f"{line_text(one.line)}: {one.cause}" if one.line else one.cause
    return spaced(title(one.event), one.name, word(one.verdict), what, _calls(one), where)


def _elements(one: Checked) -> str:
    """Return how many elements were compared: ``12``, or ``64 of 40000``."""
    if one.covered == one.elements:
        return str(one.elements)
    return say("{some} of {all}", some=one.covered, all=one.elements)


def what_is_wrong(one: Checked) -> str:
    """Return what is wrong: the worst element, the mistake, and its line."""
    line = line_text(one.line)
    mistake = f"{line}: {one.cause}" if line and one.cause else line or one.cause
    if not one.wrong_elements:
        return mistake
    spot = f"{one.name}{list(one.spot)}" if one.spot else one.name
    what = say(
        "d {spot}: {analytic} was computed, {numeric} is right",
        spot=spot,
        analytic=number(one.analytic),
        numeric=number(one.numeric),
    )
    some = ""
    if one.wrong_elements < one.covered and one.exact:
        some = say("{some} of {all} elements are wrong", some=one.wrong_elements, all=one.elements)
    more = say("; ").join(filter(None, (mistake, some)))
    return say("{what} ({more})", what=what, more=more) if more else what


def _calls(one: Checked) -> str:
    """Return of which calls that was, where there are several."""
    if one.calls == 1:
        return ""
    if one.verdict in ("wrong", "intended"):
        return say("call {call} of {calls}", call=one.call, calls=one.calls)
    if one.checked_calls in (one.calls, 0):
        return say("{calls} calls", calls=one.calls)
    return say("{some} of {calls} calls", some=one.checked_calls, calls=one.calls)


def check_summary(found: Sequence[Checked]) -> str:
    """Return the counts of all results: ``12 gradients checked, 1 wrong, 2 unchecked``."""
    count = Counter(one.verdict for one in found)
    parts = [say("{count} gradients checked", count=len(found) - count["unchecked"])]
    parts.append(say("{count} wrong", count=count["wrong"]))
    parts += [say("{count} wrong as intended", count=count["intended"])] if count["intended"] else []
    parts += [say("{count} unsure", count=count["unsure"])] if count["unsure"] else []
    parts += [say("{count} unchecked", count=count["unchecked"])] if count["unchecked"] else []
    return say(", ").join(parts)


def check_object(trace: Trace, one: Checked) -> dict[str, object]:
    """Return a result as JSON data."""
    return {
        "i": None if one.inside else stop_numbers(trace)[one.event.index],
        "op": title(one.event),
        "input": one.name,
        "verdict": one.verdict,
        "exact": one.exact,
        "elements": one.elements,
        "compared": one.covered,
        "wrong_elements": one.wrong_elements,
        "difference": json_number(one.difference),
        "at": list(one.spot),
        "analytic": json_number(one.analytic),
        "numeric": json_number(one.numeric),
        "mistake": one.mistake,
        "cause": one.cause,
        "line": line_text(one.line),
        "calls": one.calls,
        "checked_calls": one.checked_calls,
        "call": one.call,
        "where": place(blamed(one.inside or trace, one.event)),
    }
