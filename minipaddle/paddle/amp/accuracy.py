"""Two logs of the tensor checker beside each other: where float16 and float32 part."""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.framework.whole_file import write_whole

_LINE = re.compile(
    r"\[PRECISION\] (?:\[\w+\] )?in "
    r"\[device=[^,]*, op=(?P<op>[^,]*), tensor=(?P<tensor>[^,]*), dtype=(?P<dtype>\w+)\], "
    r"numel=(?P<numel>\d+), (?:num_nan=(?P<nans>\d+), num_inf=(?P<infs>\d+), )?num_zero=(?P<zeros>\d+), "
    r"max=(?P<max>\S+), min=(?P<min>\S+), mean=(?P<mean>\S+)"
)
_ONE = ("dtype", "max_value", "min_value", "mean_value", "num_zero", "num_inf", "num_nan")
_HEAD = ["op_type", "tensor_name", "numel", "infinite", *_ONE, *_ONE, "max_ratio", "min_ratio", "mean_ratio"]


class _Told(NamedTuple):
    """One line of a log."""

    op: str
    tensor: str
    numel: str
    cells: list[str]
    sizes: list[float]
    """Maximum, minimum and mean."""
    finite: bool


_Key = tuple[str, str, int]
"""Operator, tensor, and how many there were of both before."""


def _lines_of(path: str) -> dict[_Key, _Told]:
    """Return the lines of all logs of a directory, or of one file.

    Raises:
        ValueError: if there is no such place.
    """
    if not os.path.exists(path):
        raise failure(
            ValueError, f"There is no log {path!r}.", "TensorCheckerConfig(output_dir=...) writes one"
        )
    files = [os.path.join(path, name) for name in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[_Key, _Told] = {}
    for file in files:
        with open(file, encoding="utf-8") as log:
            for told in filter(None, map(_read, log)):
                found[told.op, told.tensor, seen[told.op, told.tensor]] = told
                seen[told.op, told.tensor] += 1
    return found


def _read(line: str) -> _Told | None:
    match = _LINE.search(line)
    if match is None:
        return None
    nans, infs = match["nans"] or "0", match["infs"] or "0"
    cells = [match["dtype"], match["max"], match["min"], match["mean"], match["zeros"], infs, nans]
    sizes = [float(match[name]) for name in ("max", "min", "mean")]
    return _Told(match["op"], match["tensor"], match["numel"], cells, sizes, nans == infs == "0")


def _rows(
    one: dict[_Key, _Told], other: dict[_Key, _Told], loss_scale: float
) -> Iterator[tuple[str, list[str]]]:
    """Yield the operator (if a number is not finite) and the row of each tensor, in the order of the logs."""
    for key in dict.fromkeys([*one, *other]):
        left, right = one.get(key), other.get(key)
        either = left or right
        assert either is not None
        bad = any(told is not None and not told.finite for told in (left, right))
        scale = loss_scale if "GRAD" in either.tensor else 1.0
        ratios = ["--"] * 3
        if left is not None and right is not None:
            ratios = [f"{b / (a * scale):.6f}" if a else "1.000000" for a, b in zip(left.sizes, right.sizes)]
        cells = [cell for told in (left, right) for cell in (told.cells if told else ["--"] * len(_ONE))]
        yield (
            either.op if bad else "",
            [either.op, either.tensor, either.numel, str(int(bad)), *cells, *ratios],
        )


def compare_accuracy(
    dump_path: str,
    another_dump_path: str,
    output_filename: str,
    loss_scale: float = 1,
    dump_all_tensors: bool = False,
) -> None:
    """Write a table of what two logs of :func:`enable_tensor_checker` tell of the same tensors, as CSV.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/amp/debugging/compare_accuracy_en.html)

    Args:
        dump_path: the directory of a log, say of a run in float32.
        another_dump_path: that of another, say of the same run in float16.
        output_filename: the table; any program for tables opens it.
        loss_scale: what the loss of the second run was multiplied by.
        dump_all_tensors: False.

    Raises:
        AssertionError: if `dump_all_tensors`: **currently not supported**, as in Paddle.
        ValueError: if there is no such log.
    """
    assert dump_all_tensors is False, "It is currently not supported."
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_HEAD)
    infinite: dict[str, None] = {}
    for op, row in _rows(_lines_of(dump_path), _lines_of(another_dump_path), loss_scale):
        table.writerow(row)
        if op:
            infinite[op] = None
    write_whole(output_filename, text.getvalue().encode())
    sys.stdout.write(f"-- OP Types produce infinite outputs: {list(infinite)}\n")
