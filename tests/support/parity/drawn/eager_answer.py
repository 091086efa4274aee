"""Runs eager programs, on whatever `paddle` is: :func:`answer` tells what each line made, and the gradients."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import paddle

from .arrays import array
from .eager_layers import layer

WORDS = """
    Broadcast dimension mismatch; out of bounds; Leaf Var; Leaf Tensor; inplace strategy; Type
    promotion; retain_graph; allow_unused; does not appear in the backward graph; expected version;
    modified by an inplace; duplicate; divisible; shape of broadcast output; Shape not match; dtype not
    match; shape not match; must be paddle.Tensor; empty; length; Cannot register hook; should not be
    None; only one element; create_graph; should return None; At least one output; outputs of
    `PyLayer.backward`; support Tensor or None; ValueError: mine; is not writable
"""
WORDS = [" ".join(word.split()) for word in WORDS.split(";")]
"""Key words: where Paddle's message has one of them, ours has it, too."""
INNER = ("is not registered", "does not match the type of data")
"""Words by which `known.py` knows what kind of refusal Paddle's is; ours does without."""


def answer(lines: list[str]) -> dict[str, Any]:
    """Run a program; what each line told, and what every tensor is in the end.

    Which gradients were there already when a backward pass failed depends on the order of siblings, and is not told.
    """
    said: dict[str, Any] = {}
    seen: dict[str, list[Any]] = {}
    paddle.seed(7)
    space: dict[str, Any] = {"paddle": paddle, "F": paddle.nn.functional, "np": np, "data": data}
    space |= {
        "watch": lambda name, change: watch(seen, name, change),
        "finish": lambda order: finish(space, order),
    }
    space["some"] = some
    space["layer"] = lambda kind, a, b: layer(seen.setdefault(f"layer {len(seen)}", []), kind, a, b)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for number, line in enumerate(lines):
            before = set(space)
            try:
                exec(line, space)
            except NameError:
                said[str(number)] = "unknown"
            except Exception as error:
                said[str(number)] = refusal(error)
            else:
                made = [name for name in space if name not in before and name[0] in "tn"]
                said[str(number)] = [told(space[name]) for name in made]
        tensors = {name: one for name, one in space.items() if re.fullmatch(r"t\d+", name)}
        failed = any(
            one[:1] == ["error"]
            for line, one in zip(lines, said.values(), strict=True)
            if "backward" in line or "finish" in line
        )
        text = "\n".join(lines)
        plain = "layer(" not in text and not re.search(
            r"watch\(.*, -?\d", text
        )  # these make `.grad` stop gradients
        ends = {
            name: [told(one), None if failed else told(getattr(one, "grad", None), plain)]
            for name, one in tensors.items()
        }
    return {"lines": said, "end": space.get("end"), "tensors": ends, "seen": {} if failed else seen}


def refusal(error: Exception) -> list[Any]:
    """The type of an error and the key words of its message."""
    text = str(error)
    words = [word for word in WORDS if word in text]
    found = re.search(r"[Ii]ts version is (\d+) but the expected version is (\d+)", text)
    name = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
    words += found.groups() if found else []
    return ["error", name, words, [word for word in INNER if word in text]]


def told(value: Any, flags: bool = True) -> Any:
    """What there is to say of a value."""
    if isinstance(value, (list, tuple)):
        return [told(one) for one in value]
    if isinstance(value, paddle.Tensor):
        if not flags:
            return array(value.numpy())
        stops = bool(value.stop_gradient)
        return {
            **array(value.numpy()),
            "flags": [stops, stops or bool(value.is_leaf), int(value.inplace_version)],
        }
    if isinstance(value, (np.ndarray, np.generic)):
        return array(np.asarray(value))
    return value if value is None or isinstance(value, (bool, int, float, str)) else type(value).__name__


def data(seed: int, shape: list[int], dtype: str, wants: bool, ties: bool = False) -> Any:
    """A leaf with numbers of its own; with `ties` many are equal, or zero."""
    random = np.random.RandomState(seed)
    drawn = random.uniform(-2, 2, shape) if dtype.startswith("float") else random.randint(-3, 4, shape)
    numbers = np.asarray(np.round(drawn) if ties else drawn)
    return paddle.to_tensor(
        np.asarray(numbers > 0 if dtype == "bool" else numbers).astype(dtype), stop_gradient=not wants
    )


def some(gradient: Any, like: Any) -> Any:
    """The gradient; something else of that shape, if there is none."""
    return like.detach() * 0 - 7 if gradient is None else gradient


def watch(seen: dict[str, list[Any]], name: str, change: float | None) -> Callable[[Any], Any]:
    """A hook that notes what it gets, and changes it."""

    def hook(grad: Any) -> Any:
        seen.setdefault(name, []).append(told(grad.detach()))
        return None if change is None else grad * change

    return hook


def finish(space: dict[str, Any], order: int) -> Any:
    """Backward from the squares of all that is a float and flows; twice, if the order is 2."""
    tensors = list({id(one): one for name, one in space.items() if re.fullmatch(r"t\d+", name)}.values())
    flowing = [
        one
        for one in tensors
        if isinstance(one, paddle.Tensor) and not one.stop_gradient and "float" in str(one.dtype)
    ]
    total = paddle.zeros([], "float64")
    for one in flowing:
        total = total + (one * one).sum().astype("float64")
    if order == 1:
        total.backward()
        return None
    leaves = [one for one in flowing if one.is_leaf]
    first = paddle.grad(total, leaves, create_graph=True, allow_unused=True)
    again = paddle.zeros([], "float64")
    for grad in first:
        again = again if grad is None else again + (grad * grad).sum().astype("float64")
    again.backward()
    return [told(grad.detach()) if grad is not None else None for grad in first]
