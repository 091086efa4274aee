"""Reading pickles without running them.

A pickle is a program for a small stack machine, and the machine of the standard library calls any function that the
program names: loading a stranger's file would run it. The subclass here looks no name up,
builds arrays itself, and calls nothing. It accepts only the instructions that a file of arrays and containers
needs, and refuses others by name. (It is the machine written in Python: the one in C allocates as
many memo places as a file claims, and its stack overflows if a key is a deep tuple.)
"""

from __future__ import annotations

import io
import math
import pickle
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pickletools import genops
from typing import Any, ClassVar

import numpy as np

from minipaddle.engine.value.meta import Array

__all__ = ["Refused", "StoredArray", "unpickle"]


class Refused(ValueError):
    """The file has more than arrays and containers, or is damaged."""


@dataclass(frozen=True)
class Name:
    """A name of a function or class in the file, never looked up."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


@dataclass
class StoredType:
    """An unfinished dtype: the code, then the byte order."""

    code: Any
    order: Any = "<"

    def numpy(self) -> np.dtype[Any]:
        """Return the dtype, if it is numeric."""
        ordered = self.order in tuple("<>|=")
        if not isinstance(self.code, str) or self.code[:1] not in tuple("biufc") or not ordered:
            raise Refused(f"it refuses to load an array of type {self.code!r}: only numbers")
        return np.dtype(self.code).newbyteorder(self.order)


class StoredArray:
    """An unfinished array; :attr:`array` is set once the file has described it."""

    array: Array | None = None


_CARRIED_OUT = """
    PROTO FRAME STOP MARK POP POP_MARK NONE NEWTRUE NEWFALSE INT BININT BININT1 BININT2 LONG LONG1 LONG4 FLOAT BINFLOAT
    UNICODE SHORT_BINUNICODE BINUNICODE BINUNICODE8 STRING SHORT_BINSTRING BINSTRING SHORT_BINBYTES BINBYTES BINBYTES8
    EMPTY_TUPLE TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_LIST LIST APPEND APPENDS EMPTY_DICT DICT SETITEM SETITEMS EMPTY_SET
    ADDITEMS MEMOIZE PUT BINPUT LONG_BINPUT GET BINGET LONG_BINGET GLOBAL STACK_GLOBAL REDUCE BUILD
    """
INSTRUCTIONS = frozenset(_CARRIED_OUT.split())
"""The accepted instructions; any other is refused before the first is run."""
KEYS = (str, int, float, complex, bytes, type(None))

HOMES = {"numpy._core.multiarray": "numpy.core.multiarray", "__builtin__": "builtins"}
"""Module names of NumPy 2 and of protocol 2, with those of NumPy 1 and Python 3."""


class Reader(pickle._Unpickler):
    """The machine of the standard library without its calls: containers have plain keys, and results are known."""

    stack: list[Any]
    metastack: list[Any]
    pop_mark: Callable[[], list[Any]]
    dispatch: ClassVar[Any] = dict(pickle._Unpickler.dispatch)

    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream, encoding="latin1")
        self.left = stream.getbuffer().nbytes
        """Bytes of array content that the file can still hold: shared content would let a small file fill memory."""

    find_class = staticmethod(Name)  # a name is not looked up

    def _dict(self) -> None:
        items = self.pop_mark()
        self.stack.append({})
        self._fill(items)

    def _setitem(self) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._fill([key, value])

    def _fill(self, items: list[Any] | None = None) -> None:
        items = self.pop_mark() if items is None else items
        target = self.stack[-1]
        if not isinstance(target, dict) or len(items) % 2:
            raise Refused("it is damaged")
        for key, value in zip(items[::2], items[1::2]):
            target[_plain(key)] = value

    def _additems(self) -> None:
        items = self.pop_mark()
        if type(self.stack[-1]) is not set:
            raise Refused("it is damaged")
        self.stack[-1].update(_plain(item) for item in items)

    # -- the few calls with a known result

    def _reduce(self) -> None:
        arguments, function = self.stack.pop(), self.stack.pop()
        if not isinstance(function, Name) or not isinstance(arguments, tuple):
            raise Refused("it is damaged")
        self.stack.append(self.result_of(function, arguments))

    def result_of(self, function: Name, arguments: tuple[Any, ...]) -> Any:
        """Return the result of a harmless call without calling; refuse all others."""
        match (HOMES.get(function.module, function.module), function.name), arguments:
            case ("numpy.core.multiarray", "_reconstruct"), _:
                return StoredArray()
            case ("numpy", "dtype"), (code, *_):
                return StoredType(code)
            case ("numpy.core.multiarray", "scalar"), (StoredType() as code, data):
                return self.array((), code, _raw(data))[()]
            case ("_codecs", "encode"), (str() as text, "latin1"):  # bytes in protocol 2
                return text.encode("latin1")
            case ("collections", "OrderedDict"), ():
                return OrderedDict()
            case ("builtins", "int" | "long"), (int() as number,):  # of x.size, "long" in protocol 2
                return number
            case ("builtins", "bytes"), ():  # no bytes, in protocol 2
                return b""
            case ("builtins", "complex"), (float() as real, float() as imaginary):
                return complex(real, imaginary)
            case ("builtins", "set"), (list() as items,):
                self.spend(len(items))
                return {_plain(item) for item in items}
            case ("builtins", "tuple"), (tuple() as items,):  # a named tensor: (name, array)
                return items
            case ("builtins", "eval"), ("data", {"data": StoredArray() as data}):
                return data  # a tensor of a static Scope
        raise Refused(f"it refuses to load {function}")

    def _build(self) -> None:
        state, target = self.stack.pop(), self.stack[-1]
        if isinstance(target, StoredType):
            target.order = state[1]  # as NumPy pickles it: (3, "<", None, None, None, -1, -1, 0)
        elif isinstance(target, StoredArray):
            _, shape, code, by_columns, data = state
            target.array = self.array(shape, code, _raw(data), "F" if by_columns else "C")
        else:
            raise Refused("it refuses to load objects that carry state of their own")

    def array(self, shape: Any, code: StoredType, data: bytes, order: Any = "C") -> Array:
        """Make an array of exactly the numbers in `data`."""
        dtype = code.numpy()
        if math.prod(shape) * dtype.itemsize != len(data) or min(shape, default=0) < 0:
            raise Refused(f"an array claims the shape {shape}, but {len(data)} bytes follow")
        self.spend(len(data) if len(data) > 16 else 0)
        if not data:
            return np.zeros(shape, dtype)
        return np.frombuffer(data, dtype).astype(dtype.newbyteorder("=")).reshape(shape, order=order)

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise Refused("its arrays claim more bytes than the file has")


_OUR_OWN = {
    pickle.DICT: Reader._dict,
    pickle.SETITEM: Reader._setitem,
    pickle.SETITEMS: Reader._fill,
    pickle.ADDITEMS: Reader._additems,
    pickle.REDUCE: Reader._reduce,
    pickle.BUILD: Reader._build,
}
Reader.dispatch |= {code[0]: method for code, method in _OUR_OWN.items()}


def _plain(key: Any) -> Any:
    """Return a key; containers are refused as keys (hashing a deep one would overflow the C stack)."""
    if not isinstance(key, KEYS):
        raise Refused(f"it refuses to load a dict with a key of type {type(key).__name__}")
    return key


def _raw(data: Any) -> bytes:
    """Return the bytes of an array; files of Python 2 hold them as text."""
    if not isinstance(data, str | bytes):
        raise Refused("it refuses to load an array of Python objects")
    return data.encode("latin1") if isinstance(data, str) else data


_DAMAGE: tuple[type[Exception], ...] = (ValueError, TypeError, LookupError, AttributeError, OverflowError)
_DAMAGE += (MemoryError, EOFError, pickle.UnpicklingError)


def unpickle(stream: io.BytesIO) -> Any:
    """Read one pickle from `stream` and return its tree, in which arrays are :class:`StoredArray`.

    Raises:
        Refused: with the reason.
    """
    start = stream.tell()
    try:
        names = [opcode.name for opcode, _, _ in genops(stream)]  # a truncated file ends here
        for name in names:
            if name not in INSTRUCTIONS:
                raise Refused(f"it refuses to load what is made with the pickle instruction {name}")
        stream.seek(start)
        reader = Reader(stream)
        result = reader.load()
        if reader.stack or reader.metastack:
            raise Refused("it is damaged")
    except Refused:
        raise
    except _DAMAGE as error:
        detail = f" ({error})" if type(error) is ValueError else ""
        raise Refused(f"it is damaged or no checkpoint{detail}") from None
    return result
