"""Many small cases as one test, as pytest's own work for a test takes longer than most of them."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import pytest

from tests.support.alone import alone

__all__ = ["check_each", "for_each"]

only = ""
"""What the names of all cases hold that run now: `pytest --case exp`."""
_SHOWN = 5
"""Failures with a traceback; of others the name is told."""


def for_each(argument: str, cases: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Run a test with each of these cases as its `argument`, in turn; it fails with the names of all that failed."""

    def over(test: Any) -> Any:
        @wraps(test)
        def all_of_them(**fixtures: Any) -> None:
            check_each(cases, lambda case: test(**{argument: case}, **fixtures))

        signature = inspect.signature(test)
        others = [one for name, one in signature.parameters.items() if name != argument]
        all_of_them.__signature__ = signature.replace(parameters=others)
        return all_of_them

    return over


def check_each(cases: Mapping[str, Any], check: Callable[[Any], None]) -> None:
    """Call `check` for each of these cases by itself.

    Raises:
        AssertionError: **no cases**, of which none could fail.
        BaseException: what the one case raised that failed, with its name; if there are several, a group of them.
    """
    assert cases, "no cases"
    failed: dict[str, BaseException] = {}
    for name, case in cases.items():
        if only in name:
            try:
                with alone():
                    check(case)
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(f"case: {name}")
                failed[name] = error
    if len(failed) == 1:
        raise next(iter(failed.values()))
    if failed:
        told = f"{len(failed)} of {len(cases)} cases: {', '.join(failed)}"
        raise BaseExceptionGroup(told, [*failed.values()][:_SHOWN])
