"""Checkpoints of a job: a folder with a file of each process; one process writes one."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.paddle.framework.io import load, save


def save_state_dict(
    state_dict: dict[str, Any],
    path: str | os.PathLike[str],
    process_group: Any = None,
    coordinator_rank: int = 0,
    unique_id: int | None = None,
    async_save: bool = False,
) -> None:
    """Write tensors, by dotted names if dicts are in dicts, into ``0_0.distcp`` in a folder.

    Args:
        state_dict: tensors by name.
        path: the folder; it is made if need be.
        process_group: accepted.
        coordinator_rank: accepted.
        unique_id: the number of the checkpoint in the folder: ``0_4.distcp``.
        async_save: accepted: the file is complete when this returns.

    Raises:
        AssertionError: **The state_dict should be a dictionary**.
        ValueError: **The value should be dict or paddle.Tensor**.
    """
    assert isinstance(state_dict, dict), (
        f"The state_dict should be a dictionary.But now the type is {type(state_dict)}."
    )
    save(dict(_flat(state_dict, "")), _file(path, unique_id))


def load_state_dict(
    state_dict: dict[str, Any],
    path: str | os.PathLike[str],
    process_group: Any = None,
    coordinator_rank: int = 0,
    unique_id: int | None = None,
    offload: bool = False,
) -> None:
    """Copy what `save_state_dict` wrote into the tensors of `state_dict`; the file may have more.

    Args:
        state_dict: tensors by name.
        path: the folder.
        process_group: accepted.
        coordinator_rank: accepted.
        unique_id: the number of the checkpoint; the latest by default.
        offload: accepted.

    Raises:
        KeyError: the file lacks a name.
        FileNotFoundError: there is no such checkpoint.
    """
    values = load_merged_state_dict(path, unique_id=unique_id)
    for name, tensor in _flat(state_dict, ""):
        if name not in values:
            raise KeyError(name)
        tensor.set_value(values[name])


def load_merged_state_dict(
    path: str | os.PathLike[str],
    prefix: str | None = None,
    unique_id: int | None = None,
    offload: bool = False,
) -> dict[str, Any]:
    """Return what `save_state_dict` wrote, by name.

    Args:
        path: the folder.
        prefix: what the names to return begin with, and lose.
        unique_id: the number of the checkpoint; the latest by default.
        offload: accepted.

    Raises:
        FileNotFoundError: there is no such checkpoint.
    """
    file = _file(path, _latest(path) if unique_id is None else unique_id)
    if not os.path.exists(file):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file)
    values: dict[str, Any] = load(file)
    start = prefix or ""
    return {name.removeprefix(start): value for name, value in values.items() if name.startswith(start)}


def _file(path: str | os.PathLike[str], unique_id: int | None) -> str:
    return os.path.join(path, f"0_{unique_id or 0}.distcp")


def _latest(path: str | os.PathLike[str]) -> int:
    return max((int(file.stem.partition("_")[2]) for file in Path(path).glob("0_*.distcp")), default=0)


def _flat(state: dict[str, Any], before: str) -> Iterator[tuple[str, Tensor]]:
    for name, value in state.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        elif isinstance(value, Tensor):
            yield before + name, value
        else:
            raise ValueError(f"The value should be dict or paddle.Tensor, but is {value}")
