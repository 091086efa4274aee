"""Values of Programs in files: parameters and optimizer state, in Paddle's own format."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.framework import io
from minipaddle.paddle.framework.whole_file import write_whole
from minipaddle.paddle.static.build import static_only
from minipaddle.paddle.static.files.serialize import text_of_program
from minipaddle.paddle.static.program import Parameter, Program, Variable
from minipaddle.paddle.static.program.program import read_state, write_state
from minipaddle.paddle.static.scope import Scope, global_scope

__all__ = ["load", "load_program_state", "save", "set_program_state"]

_MODES: dict[str, Callable[[Variable], bool]] = {
    "all": lambda variable: True,
    "param": lambda variable: isinstance(variable, Parameter),
    "opt": lambda variable: not isinstance(variable, Parameter),
}


def persistable_in(program: Program, mode: str = "all") -> list[Variable]:
    """Return the persistable Variables: all, the parameters ("param"), or the others ("opt").

    Raises:
        TypeError: for a **mode** that is no string.
        ValueError: for another **mode**.
    """
    if not isinstance(mode, str):
        raise TypeError(f"Type of `mode` should be string, but received {type(mode)}.")
    if mode not in _MODES:
        raise ValueError(f"`mode` string should be 'param', 'opt' or 'all', but received {mode!r}.")
    return [one for one in program.list_vars() if one.persistable and not one.is_data and _MODES[mode](one)]


def stored_arrays(variables: Sequence[Variable], scope: Scope | None = None) -> dict[str, Array]:
    """Return the values by name.

    Raises:
        ValueError: naming a Variable without a value.
    """
    scope = global_scope() if scope is None else scope
    arrays = {}
    for variable in variables:
        found = scope.find_var(variable.name)
        if found is None:
            raise invalid(
                f"Can not find Variable '{variable.name}' in the scope. Make sure it is initialized.",
                "run the startup program first",
            )
        arrays[variable.name] = found.checked()
    return arrays


@read_state.filled
def state_dict(program: Program, mode: str = "all", scope: Scope | None = None) -> dict[str, Tensor]:
    """Return copies of the values as Tensors by name; see :meth:`minipaddle.paddle.static.Program.state_dict`."""
    found = {}
    for name, array in stored_arrays(persistable_in(program, mode), scope).items():
        found[name] = Tensor(array.copy())
        found[name].name = name
    return found


@write_state.filled
def set_state_dict(program: Program, state: dict[str, Any], scope: Scope | None = None) -> None:
    """Store values in the scope; see :meth:`minipaddle.paddle.static.Program.set_state_dict`."""
    if not isinstance(state, dict):
        raise TypeError(f"Type of `state_dict` should be dict, but received {type(state).__name__}.")
    known = {variable.name: variable for variable in persistable_in(program)}
    for name, value in state.items():
        if name in known:
            _put(known[name], value, scope)
        else:
            warnings.warn(f"Skip loading for '{name}': it is not in the program.", stacklevel=3)


def _put(variable: Variable, value: Any, scope: Scope | None = None) -> None:
    """Write a value into the scope."""
    array = np.array(value.numpy() if isinstance(value, Tensor) else value)
    if array.shape != variable.shape:
        raise invalid(
            f"The shape of '{variable.name}' is {list(variable.shape)} in the program, but {list(array.shape)} in what "
            "is loaded.",
            "is it the state of another network?",
        )
    (global_scope() if scope is None else scope).var(variable.name).value = np.asarray(
        array, variable.meta.dtype
    )


# -- files --------------------------------------------------------------------------------------------------------


def prefix_of(path: Any) -> str:
    """Return the prefix of the names of several files.

    Raises:
        AssertionError: **model_path** ends without a file name.
    """
    prefix = str(os.fspath(path))
    assert os.path.basename(prefix), (
        "The input model_path MUST be format of dirname/filename [dirname\\filename in Windows system], but received "
        "model_path is empty string."
    )
    return prefix


def save(program: Program, model_path: Any, protocol: int = 4, **configs: Any) -> None:
    """Save parameters (``.pdparams``), the other persistable values (``.pdopt``) and the Program (``.pdmodel``).

    The first two are Paddle's own files; a Program is written as JSON (docs/programs.md).

    Args:
        program: the Program; its values are those in the global Scope.
        model_path: prefix of the file names; directories are made.

    Raises:
        AssertionError: in dynamic mode (**enable_static**); **model_path** ends without a file name.
        ValueError: naming a Variable without a value; or a Program with **py_func**.
    """
    static_only("save")
    prefix = prefix_of(model_path)
    text = text_of_program(program)
    for suffix, mode in ((".pdparams", "param"), (".pdopt", "opt")):
        io.save(stored_arrays(persistable_in(program, mode)), prefix + suffix, protocol)
    write_whole(prefix + ".pdmodel", text.encode())


def load(program: Program, model_path: Any, executor: Any = None, var_list: Any = None) -> None:
    """Load files of :func:`save`, here or in real Paddle, into the global Scope.

    Args:
        var_list: Variables to load; None: all persistable ones.

    Raises:
        AssertionError: in dynamic mode (**enable_static**).
        ValueError: if there is no such file; a **shape** differs; a file is damaged.
        RuntimeError: naming values not in the files.
    """
    static_only("load")
    prefix = os.fspath(model_path).removesuffix(".pdmodel").removesuffix(".pdparams").removesuffix(".pdopt")
    wanted = persistable_in(program) if var_list is None else list(var_list)
    saved = _read(prefix + ".pdparams")
    if any(variable.name not in saved for variable in wanted):
        saved |= _read(prefix + ".pdopt")
    for variable in wanted:
        if variable.name not in saved:
            raise failure(
                RuntimeError,
                f"Can not find [{variable.name}] in the files of {prefix!r}: was it another program?",
            )
    for variable in wanted:
        _put(variable, saved[variable.name])


def _read(path: str) -> dict[str, Array]:
    found = io.load(path, return_numpy=True)
    if not isinstance(found, dict):
        raise ValueError(f"{path} holds no values by name, but a {type(found).__name__}.")
    return {name: value for name, value in found.items() if isinstance(value, np.ndarray)}


def load_program_state(model_path: Any, var_list: Any = None) -> dict[str, Array]:
    """Return the arrays in files of :func:`save`, by name.

    Args:
        var_list: Variables to return; None: all.

    Raises:
        ValueError: if there is no such file, or it is damaged.
    """
    prefix = os.fspath(model_path).removesuffix(".pdparams")
    found = _read(prefix + ".pdparams")
    if os.path.exists(prefix + ".pdopt"):
        found |= _read(prefix + ".pdopt")
    names = None if var_list is None else {variable.name for variable in var_list}
    return {name: value for name, value in found.items() if names is None or name in names}


def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Put arrays by name, from :func:`load_program_state`, into the global Scope.

    Raises:
        AssertionError: in dynamic mode (**enable_static**); a **shape** differs.
    """
    static_only("set_program_state")
    known = {variable.name: variable for variable in persistable_in(program)}
    unused = [name for name in state_dict if name not in known]
    for name, value in state_dict.items():
        if name in known:
            assert np.shape(value) == known[name].shape, (
                f"Parameter's shape does not match, the Program requires a parameter with the shape of "
                f"({known[name].shape}), while the loaded parameter (namely [{name}]) has a shape of "
                f"({np.shape(value)})."
            )
            _put(known[name], value)
    if unused:
        warnings.warn(
            f"This list is not set, because it is not in the program: {', '.join(unused)}", stacklevel=2
        )
