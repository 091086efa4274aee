"""What `check` found, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from minipaddle.debug.check import Checked
from minipaddle.debug.flow import str_if_odd
from minipaddle.debug.language import say
from minipaddle.debug.titles import blamed, place, stop_numbers, title
from minipaddle.trace.events import Trace
from minipaddle.viz.text import number

__all__ = ["check_line", "check_object", "check_summary"]


def check_line(trace: Trace, one: Checked) -> str:
    """``matmul_grad  x  ok  12 elements, worst difference 2e-08  train.py:3``."""
    where = place(blamed(trace, one.event))
    if one.verdict == "ok":
        what = say(
            "{count} elements, worst difference {gap}", count=one.elements, gap=f"{one.difference:.1g}"
        )
    elif one.verdict == "wrong":
        spot = f"{one.name}{list(one.spot)}" if one.spot else one.name
        what = say(
            "d {spot}: {analytic} was computed, {numeric} is right",
            spot=spot,
            analytic=number(one.analytic),
            numeric=number(one.numeric),
        )
        what += f" ({one.cause})" if one.cause else ""
    else:
        what = one.cause
    return "  ".join(filter(None, (title(one.event), one.name, one.verdict, what, where)))


def check_summary(found: Sequence[Checked]) -> str:
    """``12 gradients checked, 1 wrong, 2 unchecked``: what could not be checked is not passed over."""
    count = Counter(one.verdict for one in found)
    parts = [say("{count} gradients checked", count=len(found) - count["unchecked"])]
    parts.append(say("{count} wrong", count=count["wrong"]))
    parts += [say("{count} unsure", count=count["unsure"])] if count["unsure"] else []
    parts += [say("{count} unchecked", count=count["unchecked"])] if count["unchecked"] else []
    return ", ".join(parts)


def check_object(trace: Trace, one: Checked) -> dict[str, object]:
    """Return what came out for one input as JSON data."""
    return {
        "i": stop_numbers(trace)[one.event.index],
        "op": title(one.event),
        "input": one.name,
        "verdict": one.verdict,
        "elements": one.elements,
        "difference": str_if_odd(one.difference),
        "at": list(one.spot),
        "analytic": str_if_odd(one.analytic),
        "numeric": str_if_odd(one.numeric),
        "cause": one.cause,
        "where": place(blamed(trace, one.event)),
    }
