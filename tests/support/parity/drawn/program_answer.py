"""Builds and runs random Programs, on whatever `paddle` is: :func:`answer` tells what can be compared."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import paddle

from .arrays import array


def answer(lines: list[str]) -> dict[str, Any]:
    """Build a program and run it; what each line made, with its value, and the gradients.

    Names stand apart: they are the same where the same operators are.
    """
    S = paddle.static
    paddle.enable_static()
    with (
        S.scope_guard(S.Scope()),
        S.program_guard(S.Program(), S.Program()),
        paddle.utils.unique_name.guard(),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        space, feed = _space()
        said = {str(number): _run(line, space) for number, line in enumerate(lines)}
        main = S.default_main_program()
        variables = {
            name: one for name, one in space.items() if name[0] in "vxw" and isinstance(one, S.Variable)
        }
        grads = _gradients(space.get("found"), "") | _gradients(space.get("again"), "again ")
        fetches = {name: one.name for name, one in variables.items()} | {
            name: one for name, one in grads.items() if one
        }
        refused = any(isinstance(one, list) for one in said.values())  # it may have left an operator behind
        times = 3 if "minimize" in "".join(lines) else 1
        values = {} if refused else _values(S, main, feed, fetches, times)
        types = [[op.type for op in block.ops] for block in main.blocks]
    paddle.disable_static()
    for number, one in said.items():
        said[number] = (
            [[*told, values.get(name)] for name, told in one.items()] if isinstance(one, dict) else one
        )
    ends = {name: one and [values.get(name)] for name, one in grads.items()}
    return {"lines": said, "end": [ends, values.get("failed")], "names": fetches, "types": types}


def _run(line: str, space: dict[str, Any]) -> Any:
    """What a line says: its error, or what the Variables are that it made."""
    before = set(space)
    try:
        exec(line, space)
    except NameError:
        return "unknown"
    except Exception as error:
        name = next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
        return ["error", name, [], []]
    made = {name: space[name] for name in space if name not in before and name[0] in "vxw"}
    return {name: _told(one) for name, one in made.items() if isinstance(one, paddle.static.Variable)}


def _told(one: Any) -> list[Any]:
    """Shape and type of a Variable, and whether it stops gradients, if it could have one."""
    dtype = str(one.dtype).rpartition(".")[2]
    return [list(one.shape), dtype, bool(one.stop_gradient) if dtype.startswith("float") else None]


def _values(S: Any, main: Any, feed: dict[str, Any], fetches: dict[str, str], times: int) -> dict[str, Any]:
    """What comes of the last of so many runs; the error under "failed"."""
    exe = S.Executor()
    try:
        exe.run(S.default_startup_program())
        for _ in range(times):
            found = exe.run(main, feed=feed, fetch_list=list(fetches.values()))
    except Exception as error:
        return {"failed": type(error).__name__}
    return {name: array(np.asarray(one)) for name, one in zip(fetches, found, strict=True)}


def _gradients(found: Any, what: str) -> dict[str, str | None]:
    """Names of gradients by the place, or the parameter, that they are for."""
    pairs = [one if isinstance(one, tuple) else (place, one) for place, one in enumerate(found or [])]
    return {
        f"{what}grad {getattr(place, 'name', place)}": None if one is None else one.name
        for place, one in pairs
    }


def _space() -> tuple[dict[str, Any], dict[str, Any]]:
    """The names that programs use, and what is fed."""
    S, feed = paddle.static, {}
    random = np.random.RandomState(7)

    def data(name: str, declared: list[int], shape: list[int], dtype: str) -> Any:
        made = S.data(name, declared, dtype)
        made.stop_gradient = False
        feed[name] = np.array(random.uniform(-1.5, 1.5, shape), dtype)
        return made

    def weight(name: str, shape: list[int], dtype: str) -> Any:
        return S.create_parameter(
            shape, dtype, name=name, default_initializer=paddle.nn.initializer.Constant(0.5)
        )

    def label() -> Any:
        return paddle.assign(np.array([[1], [2]]))

    def declared(like: Any) -> Any:
        return S.default_main_program().current_block().create_var(shape=list(like.shape), dtype=like.dtype)

    def attr(value: float) -> Any:
        return paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(value))

    def known(*names: str) -> list[Any]:
        found = [space[name] for name in names if name in space]
        if not found:
            raise NameError(names)
        return found

    helpers = {
        "known": known,
        "data": data,
        "weight": weight,
        "label": label,
        "declared": declared,
        "attr": attr,
    }
    space = {"paddle": paddle, "S": S, "F": paddle.nn.functional, "np": np, **helpers}
    return space, feed
