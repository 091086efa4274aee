"""Every public name of Paddle 3.3.1 takes here what it takes there, but for those of `signature_differences.txt`.

Positional arguments have the same position, keyword arguments the same name and default; more is allowed.
Keywords that Paddle 3 has from other libraries (`OPTIONS`) are not taken.
"""

import inspect
import json
import math
from importlib import import_module

from minipaddle import paddle
from tests.support import parity

SUPPORT = parity.RESULTS.parent
RECORD = json.loads((parity.RESULTS / "signatures_3.3.1.json").read_text(encoding="utf-8"))
LINES = (SUPPORT / "signature_differences.txt").read_text(encoding="utf-8").splitlines()
OPTIONS = """_freeze _weight affine alpha bias correction device dtype
dump_backward_graph_path elementwise_affine out pin_memory
requires_grad rounding_mode side sorter"""
DIFFERENT = {line for line in LINES if line and not line.startswith("#")}


def signature(text: str) -> inspect.Signature:
    return inspect.signature(eval(f"lambda {text[1:-1]}: None", {"inf": math.inf, "nan": math.nan}))


def here(room: str, name: str) -> object:
    owner = paddle.Tensor if room == "paddle.Tensor" else import_module(f"minipaddle.{room}")
    value = getattr(owner, name)
    return getattr(value, "public", value)  # of an operator its function


def same_default(theirs: object, ours: object) -> bool:
    plain = list(ours) if isinstance(ours, (list, tuple)) else ours
    return theirs is ... or plain == theirs


def takes(theirs: inspect.Signature, ours: inspect.Signature) -> bool:
    own = ours.parameters
    if {one.kind for one in own.values()} >= {
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.VAR_KEYWORD,
    }:
        return True
    named = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places = [name for name, one in own.items() if one.kind in named]
    catch_all = any(one.kind is one.VAR_POSITIONAL for one in own.values())
    for place, one in enumerate(one for one in theirs.parameters.values() if one.kind in named):
        if one.name in ("self", "var"):
            continue
        if place >= len(places):
            if not catch_all:
                return False
        elif places[place] != one.name or (
            one.default is not one.empty and not same_default(one.default, own[one.name].default)
        ):
            return False
    return all(
        one.name in own or any(other.kind is other.VAR_KEYWORD for other in own.values())
        for one in theirs.parameters.values()
        if one.kind is one.KEYWORD_ONLY and one.name not in OPTIONS.split()
    )


def differs(room: str, name: str, text: str | None) -> bool:
    try:
        value = here(room, name)
        ours = inspect.signature(value) if callable(value) else None
    except (AttributeError, ImportError):
        return True
    except (TypeError, ValueError):
        return False
    return text is not None and ours is not None and not takes(signature(text), ours)


def test_what_paddle_takes_is_taken_here():
    found = {
        f"{room}.{name}"
        for room, names in RECORD.items()
        for name, text in names.items()
        if differs(room, name, text)
    }
    assert sorted(found - DIFFERENT) == []
    assert sorted(DIFFERENT - found) == [], "mended: take the line out"
