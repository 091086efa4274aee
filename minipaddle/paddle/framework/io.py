"""paddle.save and paddle.load: state dicts and nested containers of tensors, in Paddle's own files."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.extension_point import Point
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.dtype import no_bfloat16
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.framework.unpickle import Refused, StoredArray, unpickle
from minipaddle.paddle.framework.whole_file import write_whole

text_of, program_from = Point("the text of a Program"), Point("a Program from its text")
"""Filled by static/files."""

NAME_TABLE = "StructuredToParameterName@@"
"""Paddle's key for the names of the tensors in a state dict."""
PLAIN = (bool, int, float, complex, str, bytes, type(None), np.number, np.bool_)


class MissingFile(FileNotFoundError, ValueError):
    """The error for a missing file; in Paddle it is a ValueError."""


# -- saving


def save(obj: Any, path: str | os.PathLike[str] | io.BytesIO, protocol: int = 4, **configs: Any) -> None:
    """Save a state dict, or dicts, lists and tuples of tensors, arrays, numbers and strings, or a Program (as JSON).

    The file is replaced when complete: the old one stays until then. Real Paddle reads it.

    Args:
        obj: the object to save.
        path: a file (missing directories are made) or a BytesIO.
        protocol: of pickle, 2 to 4.
        configs: ``pickle_protocol``, accepted.

    Raises:
        ValueError: for a bad `protocol` or `path`, or for a Layer: **do not support saving**.
        TypeError: naming the type that cannot be saved.
    """
    _check_configs("save", configs, {"pickle_protocol"})
    if not isinstance(protocol, int):
        raise ValueError(f"The 'protocol' MUST be `int`, but received {type(protocol).__name__}")
    if not 2 <= protocol <= 4:
        raise ValueError(f"Expected 1<'protocol'<5, but received protocol={protocol}")
    content = text_of(obj).encode() if _is_program(obj) else pickle.dumps(_packed(obj), protocol)
    if isinstance(path, io.BytesIO):
        path.write(content)
    else:
        write_whole(_file_name(path), content)


def _file_name(path: Any) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise ValueError(f"only supports saving objects to file and `BytesIO`, but got {type(path).__name__}")
    name = os.fspath(path)
    if not os.path.basename(name):
        raise ValueError(
            "The input path MUST be format of dirname/filename, but received filename is empty string."
        )
    return name


class _Named:
    """A tensor outside of a state dict: Paddle writes it as the call ``tuple((name, array))``."""

    def __init__(self, tensor: Tensor) -> None:
        self.pair = (tensor.name, tensor.array)

    def __reduce__(self) -> Any:
        return tuple, (self.pair,)


def _packed(obj: Any) -> Any:
    """Return `obj` in pickled form."""
    if not _is_state_dict(obj):
        try:
            return _mapped(obj, _Named)
        except RecursionError:
            raise ValueError("paddle.save cannot save a container that contains itself") from None
    arrays = {key: value.array if isinstance(value, Tensor) else value for key, value in obj.items()}
    names = {key: value.name for key, value in obj.items() if isinstance(value, Tensor)}
    return _mapped(arrays, _Named) | {NAME_TABLE: names}


def _is_state_dict(obj: Any) -> bool:
    """Whether `obj` maps names to tensors, and perhaps to dicts without any (a scheduler's state)."""
    return isinstance(obj, dict) and all(
        isinstance(value, Tensor) or (isinstance(value, dict) and not _holds_tensor(value))
        for value in obj.values()
    )


def _holds_tensor(tree: dict[Any, Any]) -> bool:
    found: list[Tensor] = []
    _mapped(tree, found.append)
    return bool(found)


def _mapped(tree: Any, tensor: Callable[[Tensor], Any]) -> Any:
    """Return containers with each Tensor replaced; raise for values that cannot be saved."""
    if isinstance(tree, Tensor):
        return tensor(tree)
    if isinstance(tree, np.lib.mixins.NDArrayOperatorsMixin):  # a value of a Program
        return tensor(Tensor(np.array(tree)))
    if isinstance(tree, dict):
        for key in tree:
            if not isinstance(key, PLAIN):
                raise TypeError(f"paddle.save cannot save a dict with a key of type {type(key).__name__}")
        return type(tree)((key, _mapped(value, tensor)) for key, value in tree.items())
    if type(tree) in (list, tuple):
        return type(tree)(_mapped(item, tensor) for item in tree)
    has_numbers = isinstance(tree, np.ndarray) and tree.dtype.kind in "biufc"
    if isinstance(tree, PLAIN) or type(tree) is set or has_numbers:
        return tree
    raise _unsupported(tree)


def _is_program(obj: Any) -> bool:
    return hasattr(obj, "global_block")


def _unsupported(obj: Any) -> Exception:
    kind = type(obj).__name__
    if _is_program(obj):
        return TypeError(f"paddle.save cannot save a `{kind}` within something else. Save it by itself.")
    if hasattr(obj, "state_dict"):
        return ValueError(f"paddle do not support saving `{kind}` object. Save its state_dict() instead.")
    return TypeError(
        f"paddle.save cannot save an object of type {kind}: only dict, list and tuple of Tensors, arrays, "
        "numbers and strings"
    )


# -- loading


def load(path: str | os.PathLike[str] | io.BytesIO, **configs: Any) -> Any:
    """Load what ``paddle.save`` wrote, here or in real Paddle (2.x, 3.x). Nothing in the file is executed.

    Args:
        path: a file or a BytesIO.
        configs: ``return_numpy=True`` returns arrays instead of Tensors; ``keep_name_table=True`` keeps the
            table of the tensors' names.

    Raises:
        FileNotFoundError: **not exists**; also a ValueError, as in Paddle.
        ValueError: **can not parse the file**, if it is damaged or holds more than arrays and containers.
    """
    _check_configs("load", configs, {"return_numpy", "keep_name_table", "model_filename", "params_filename"})
    stream = path if isinstance(path, io.BytesIO) else _read(path)
    if stream.getvalue()[stream.tell() :][:1] == b"{":
        return program_from(stream.read())
    try:
        stored = unpickle(stream)
        tree = rebuilt(stored, _content, {})
        return _finished(tree, configs.get("return_numpy", False), configs.get("keep_name_table", False))
    except (Refused, RecursionError, ValueError, TypeError) as error:
        reason = "its containers are nested too deeply" if isinstance(error, RecursionError) else error
        where = "<BytesIO>" if isinstance(path, io.BytesIO) else os.fspath(path)
        raise ValueError(f"`paddle.load` can not parse the file:{where}: {reason}.") from None


def _read(path: str | os.PathLike[str]) -> io.BytesIO:
    name = os.fspath(path)
    if not os.path.isfile(name):
        near = [name + suffix for suffix in (".pdparams", ".pdopt") if os.path.exists(name + suffix)]
        said = f" Did you mean {near[0]}?" if near else ""
        raise MissingFile(f"The ``path`` ({name}) to load model not exists.{said}")
    with open(name, "rb") as file:
        return io.BytesIO(file.read())


def rebuilt(tree: Any, change: Callable[[Any], Any], done: dict[int, Any]) -> Any:
    """Copy containers, passing every value to `change` first; shared objects stay shared."""
    if id(tree) in done:
        return done[id(tree)]
    new = change(tree)
    if new is tree and isinstance(tree, dict):
        new = type(tree)((key, rebuilt(value, change, done)) for key, value in tree.items())
    elif new is tree and type(tree) in (list, tuple):
        new = type(tree)(rebuilt(item, change, done) for item in tree)
    done[id(tree)] = new
    return new


def _content(value: Any) -> Any:
    """Return the array of a :class:`StoredArray`, and any other value unchanged."""
    if isinstance(value, StoredArray):
        if value.array is None:
            raise Refused("it is damaged: an array has no content")
        return value.array
    if isinstance(value, (*PLAIN, dict, list, tuple, set)):
        return value
    raise Refused(f"it refuses to load {value}")


def _is_named(value: Any) -> bool:
    """Whether `value` is a tensor as Paddle writes it outside of state dicts: (name, array)."""
    return (
        type(value) is tuple
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], np.ndarray)
    )


def _finished(tree: Any, return_numpy: bool, keep_table: bool) -> Any:
    """Turn arrays into Tensors as Paddle does: those in the name table, else those stored with a name, else all."""
    if isinstance(tree, dict) and isinstance(tree.get(NAME_TABLE), dict):
        names = tree[NAME_TABLE] if keep_table else tree.pop(NAME_TABLE)
        if return_numpy:
            return tree
        listed = {key: tree[key] for key in names if isinstance(tree.get(key), np.ndarray)}
        return tree | {key: _tensor(array, names[key]) for key, array in listed.items()}
    seen: dict[int, Any] = {}
    rebuilt(tree, lambda value: value, seen)
    named = any(_is_named(value) for value in seen.values())

    def one(value: Any) -> Any:
        if _is_named(value):
            return value[1] if return_numpy else _tensor(value[1], value[0])
        return (
            _tensor(value, "") if isinstance(value, np.ndarray) and not named and not return_numpy else value
        )

    return rebuilt(tree, one, {})


def _tensor(array: Array, name: Any) -> Tensor:
    if array.dtype == np.uint16:  # Paddle's bfloat16
        raise Refused(f"it holds {name or 'a tensor'} of bfloat16: {no_bfloat16()}")
    tensor = Tensor(array)
    if isinstance(name, str) and name:
        tensor.name = name
    return tensor


def _check_configs(function: str, configs: dict[str, Any], known: set[str]) -> None:
    for name in configs.keys() - known:
        raise ValueError(
            f"The additional config ({name}) of `paddle.{function}` is not supported. "
            f"It must be one of {', '.join(sorted(known))}."
        )
