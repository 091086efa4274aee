"""Recordings as files: ``run.mpt``.

A zip of JSON lines (``events.jsonl``, ``values.jsonl``), the text of the sources, and one ``.npy`` for each array, so
that ``numpy.load`` reads the numbers too. Nothing in it is ever executed or unpickled, and arrays are read on
demand.
"""

import json
import re
import weakref
import zipfile
import zlib
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from io import BytesIO
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.framework.whole_file import whole_file
from minipaddle.tools.record.checked import BadRecording, naming, text_in
from minipaddle.tools.record.codec import decode, decode_event, decode_value, encode, form_of
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.kinds import Grad, Op, Update
from minipaddle.tools.record.reads_and_cuts import Ran
from minipaddle.tools.words.control_characters import JOINERS, visible

VERSION = 8
_FORMAT = "minipaddle recording"
_RAN = form_of(Ran)
_MEMBER = re.compile(r"recording\.json|(values|events|lines)\.jsonl|sources/\d+\.txt|arrays/\d+\.npy")
"""The members of a recording. Nothing is ever unpacked, so a hostile name could do no harm: it shows hostility."""
_NOT_LISTED = """
    pylayer py_func late run_program conditional_block while select_input select_output assert print"""
"""Operators outside the table: those that run user code, and those that only Programs have."""
_MOST_TEXT = 1 << 29
"""Bytes of JSON or source in one member, half a gigabyte: no honest run has as many."""
_MOST_SQUEEZED = 200
"""Largest ratio of a member's content to its compressed size: text reaches 5 to 40, bombs 1000."""


def save(trace: Trace, path: Path) -> None:
    """Write a recording: numbers that were kept, and statistics. Raises OSError if the file cannot be written.

    The file appears when it is complete: an existing file stays until then.
    """
    with whole_file(path) as file:
        pack(trace, file)


def pack(trace: Trace, file: IO[bytes]) -> None:
    """Write a recording to an open file, as :func:`save` does."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        put = partial(_put, archive, {})
        values = [encode(replace(value, kept_stats=value.stats)) for value in trace.values]
        for value, data in zip(trace.values, values):
            if value.array is not None:
                data["array"] = put(value.array)
        events = [encode(event, put) for event in trace.events]
        head = {
            "format": _FORMAT,
            "version": VERSION,
            **encode(trace),
            "events": len(events),
            "values": len(values),
            "sources": list(trace.sources),
            "own operators": _operators_of_the_script(trace),
        }
        archive.writestr("recording.json", json.dumps(head, indent=1))
        archive.writestr("values.jsonl", "\n".join(map(json.dumps, values)))
        archive.writestr("events.jsonl", "\n".join(map(json.dumps, events)))
        if trace.lines:
            rows = (_RAN.write(ran, None) for ran in trace.lines)
            archive.writestr("lines.jsonl", "\n".join(map(json.dumps, rows)))
        for number, text in enumerate(trace.sources.values()):
            archive.writestr(f"sources/{number}.txt", text)


def _put(archive: zipfile.ZipFile, written: dict[int, tuple[int, Array]], array: Array) -> int:
    """Write an array unless it is among those `written`, by id; return its number.

    They are kept: one read from a file would be freed, and its id reused.
    """
    if id(array) not in written:
        written[id(array)] = len(written), array
        member = zipfile.ZipInfo(f"arrays/{len(written) - 1}.npy")
        member.compress_type = zipfile.ZIP_STORED if array.nbytes > 1024 else zipfile.ZIP_DEFLATED
        with archive.open(member, "w", force_zip64=True) as file:
            np.lib.format.write_array(file, array, allow_pickle=False)
    return written[id(array)][0]


def load(path: Path | BytesIO) -> Trace:
    """Read a recording: a file, or its bytes. Raises OSError if it cannot be read.

    Raises BadRecording if it is no recording, damaged, of another version, needs a missing operator, or claims more
    than it can hold.
    """
    try:
        archive = zipfile.ZipFile(path)
        return _Reader(archive, path).trace()
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise BadRecording(f"{path} is no recording, or a damaged one: {error}") from error
    except BadRecording as error:
        raise BadRecording(f"{path}: {error}") from error
    except (RuntimeError, RecursionError, UnicodeDecodeError) as error:
        raise BadRecording(f"{path} is damaged: {type(error).__name__}: {error}") from error


class _Reader:
    """Reads one file."""

    def __init__(self, archive: zipfile.ZipFile, path: Path | BytesIO) -> None:
        self.archive = archive
        weakref.finalize(self, archive.close)  # else, in a circle of garbage, the file may be found first
        size = path.stat().st_size if isinstance(path, Path) else path.getbuffer().nbytes
        self._check_claims(4 * size + _MOST_TEXT)
        self.array = lru_cache(maxsize=256)(self._read_array)

    def _check_claims(self, room: int) -> None:
        """Check that members claim no more bytes than they have `room`, and have names that a recording has, once.

        Raises BadRecording if not.
        """
        names = self.archive.namelist()
        for name in names if "recording.json" in names else ():
            if not _MEMBER.fullmatch(name):
                raise BadRecording(f"{name[:80]!r} has no place in a recording: refused")
        if len(set(names)) < len(names):
            raise BadRecording("a part of it is there twice: refused")
        for member in self.archive.infolist():
            room -= member.file_size
            squeezed = member.file_size > _MOST_SQUEEZED * max(member.compress_size, 1)
            if room < 0 or (squeezed and member.file_size > 1 << 20):
                raise BadRecording(
                    f"{member.filename} claims {member.file_size} bytes in {member.compress_size}: refused"
                )

    def trace(self) -> Trace:
        """Return the recording; its arrays stay in the file until needed."""
        head = self._head()
        values, events = (list(self._lines(f"{what}.jsonl")) for what in ("values", "events"))
        with naming("recording.json"):
            count = len(events)
            bounds = {"events": count, "moments": count + 1, "values": len(values), "get": self.array}
            trace = Trace(**decode(Trace, head, bounds))
            for number, file in enumerate(head["sources"]):
                trace.sources[text_in(file)] = visible(
                    self._text(f"sources/{number}.txt"), f"\n\t\f{JOINERS}"
                )
        for number, line in enumerate(values):
            value, array = decode_value(line, number, bounds)
            if array is not None:
                value.fetch = partial(self._checked, array, value.shape, value.dtype)
            trace.values.append(value)
        for number, line in enumerate(events):
            event = decode_event(line, number, bounds)
            _insist_on_operators(event, head.get("own operators", []))
            trace.events.append(event)
        if "lines.jsonl" in self.archive.namelist():
            with naming("lines.jsonl"):
                trace.lines += [_RAN.read(row, bounds) for row in self._lines("lines.jsonl")]
                trace.lines.sort(key=itemgetter(0))  # as they are, in a file that is not damaged
        return trace

    def _head(self) -> dict[str, Any]:
        head = _parsed(self._text("recording.json"), "recording.json")
        if not isinstance(head, dict) or head.get("format") != _FORMAT:
            raise BadRecording("recording.json does not say that this is a recording")
        version = head.get("version")
        if version != VERSION:
            raise BadRecording(
                f"it has version {version!r}; this minipaddle reads version {VERSION}: "
                "record the script again (minipaddle trace SCRIPT)"
            )
        return head

    def _lines(self, member: str) -> Iterator[Any]:
        text = self._text(member)
        for number, line in enumerate(text.splitlines(), 1):
            yield _parsed(line, f"{member}, line {number}")

    def _text(self, member: str) -> str:
        with self._open(member) as file:
            return file.read(_MOST_TEXT).decode("utf-8")

    def _open(self, member: str) -> IO[bytes]:
        try:
            return self.archive.open(member)
        except KeyError:
            raise BadRecording(f"it has no {member}") from None

    def _checked(self, number: int, shape: tuple[int, ...], dtype: str) -> Array:
        array = self.array(number)
        if array.shape != shape or array.dtype.name != dtype:
            raise BadRecording(f"arrays/{number}.npy is {array.dtype} {array.shape}, not {dtype} {shape}")
        return array

    def _read_array(self, number: Any) -> Array:
        """Return an array. Raises BadRecording if its header claims more data than the file has, or objects."""
        name = f"arrays/{number}.npy"
        try:
            with self._open(name) as file:
                if np.lib.format.read_magic(file) != (1, 0):
                    raise BadRecording(f"{name} is of another version")
                shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            size = int(np.prod(shape, dtype=object)) * dtype.itemsize
            if dtype.hasobject or size > self.archive.getinfo(name).file_size:
                raise BadRecording(f"{name} promises {shape} of {dtype}, which is not in it")
            with self._open(name) as file:
                array: Array = np.lib.format.read_array(file, allow_pickle=False)
        except Exception as error:  # NumPy parses the header as Python: a damaged one may raise any error
            raise BadRecording(f"{name} is damaged: {error}") from error
        array.setflags(write=False)
        return array


def _applied(event: Event) -> list[str]:
    """Return the types of the operators that an event, or its part of a rule, applied."""
    match event:
        case Op() | Update():
            return [event.op]
        case Grad(part=Op(op=op)):
            return [op]
    return []


def _operators_of_the_script(trace: Trace) -> list[str]:
    """Return the operators of a recording that its script, and not minipaddle, defined."""
    applied = {op for event in trace.events for op in _applied(event) if op in TABLE}
    return sorted(op for op in applied if not TABLE[op].__module__.startswith("minipaddle."))


def _insist_on_operators(event: Event, own: Collection[str]) -> None:
    """Raise BadRecording unless each operator of an event is known, or one of the script's `own`."""
    for op in _applied(event):
        known = op in TABLE or op in own or op in _NOT_LISTED.split()
        # a Program may apply a gradient, by a name that several operators have
        if not known and not op.endswith("_grad"):
            raise BadRecording(
                f"it needs the operator {op[:80]}, which this minipaddle does not have: "
                "record the script again (minipaddle trace SCRIPT)"
            )


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadRecording(f"{where}: {error}") from error
