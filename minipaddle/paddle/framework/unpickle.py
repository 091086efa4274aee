"""Reading pickles without running them.

A pickle is a program for a small stack machine, and the machine of the standard library calls whatever the
program names: loading a stranger's file would be running it. The machine here knows the instructions that a
file of arrays and containers needs, builds arrays itself, and calls nothing. What it does not know it refuses
by name.
"""

from __future__ import annotations

import io
import math
import pickletools
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array

__all__ = ["Refused", "StoredArray", "unpickle"]


class Refused(ValueError):
    """The file holds something else than arrays and containers, or is damaged."""


@dataclass(frozen=True)
class Name:
    """A function or class that the file names. It is never looked up."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


class StoredType:
    """A dtype in the making: the code, then the byte order."""

    def __init__(self, code: Any) -> None:
        self.code = code
        self.order: Any = "<"

    def build(self, state: Any) -> None:
        """Take the state as NumPy pickles it: ``(3, "<", None, None, None, -1, -1, 0)``."""
        self.order = state[1]

    def numpy(self) -> np.dtype[Any]:
        """Return the dtype, if it is one of numbers."""
        ordered = self.order in tuple("<>|=")
        if not isinstance(self.code, str) or self.code[:1] not in tuple("biufc") or not ordered:
            raise Refused(f"it refuses to load an array of type {self.code!r}: only numbers")
        return np.dtype(self.code).newbyteorder(self.order)


class StoredArray:
    """An array in the making; :attr:`array` is there when the file has described it."""

    array: Array | None = None


CONSTANTS = {
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
    *("UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "STRING", "SHORT_BINSTRING", "BINSTRING"),
    *("SHORT_BINBYTES", "BINBYTES", "BINBYTES8"),
}
FIXED = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
FRESH: dict[str, Callable[[], Any]] = {"EMPTY_LIST": list, "EMPTY_DICT": dict, "EMPTY_SET": set}
IGNORED = {"PROTO", "FRAME", "STOP"}
KEYS = (str, int, float, complex, bytes, type(None))
MARK = Name("", "mark")

NUMPY = ("numpy.core.multiarray", "numpy._core.multiarray")  # NumPy 1, NumPy 2
BUILTINS = ("builtins", "__builtin__")  # Python 3, protocol 2


class Machine:
    """The stack, the memo, and one method for each instruction that does more than push a constant."""

    def __init__(self, size: int) -> None:
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.left = size

    """Bytes of array content that such a file can still hold: sharing would let a small file fill memory."""

    def run(self, instruction: str, argument: Any) -> None:
        """Carry out one instruction."""
        if instruction in CONSTANTS:
            self.stack.append(argument)
        elif instruction in FIXED:
            self.stack.append(FIXED[instruction])
        elif instruction in FRESH:
            self.stack.append(FRESH[instruction]())
        elif instruction not in IGNORED:
            method = getattr(self, "do_" + instruction.lower(), None)
            if method is None:
                raise Refused(f"it refuses to load what is made with the pickle instruction {instruction}")
            method(argument)

    def since_mark(self) -> list[Any]:
        """Take off the stack what lies above the last mark, and the mark."""
        place = len(self.stack) - 1
        while self.stack[place] is not MARK:
            place -= 1
            if place < 0:
                raise Refused("it is damaged")
        items = self.stack[place + 1 :]
        del self.stack[place:]
        return items

    # -- containers

    def do_mark(self, _: Any) -> None:
        self.stack.append(MARK)

    def do_tuple(self, _: Any) -> None:
        self.stack.append(tuple(self.since_mark()))

    def do_list(self, _: Any) -> None:
        self.stack.append(self.since_mark())

    def do_dict(self, _: Any) -> None:
        items = self.since_mark()
        self.stack.append({})
        self.fill(items)

    def take(self, count: int) -> None:
        items = tuple(self.stack[-count:])
        del self.stack[-count:]
        if len(items) != count:
            raise Refused("it is damaged")
        self.stack.append(items)

    def do_tuple1(self, _: Any) -> None:
        self.take(1)

    def do_tuple2(self, _: Any) -> None:
        self.take(2)

    def do_tuple3(self, _: Any) -> None:
        self.take(3)

    def do_append(self, _: Any) -> None:
        self.extend([self.stack.pop()])

    def do_appends(self, _: Any) -> None:
        self.extend(self.since_mark())

    def extend(self, items: list[Any]) -> None:
        if type(self.stack[-1]) is not list:
            raise Refused("it is damaged")
        self.stack[-1].extend(items)

    def do_setitem(self, _: Any) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self.fill([key, value])

    def do_setitems(self, _: Any) -> None:
        self.fill(self.since_mark())

    def fill(self, items: list[Any]) -> None:
        target = self.stack[-1]
        if not isinstance(target, dict) or len(items) % 2:
            raise Refused("it is damaged")
        for key, value in zip(items[::2], items[1::2]):
            target[_plain(key)] = value

    def do_additems(self, _: Any) -> None:
        items = self.since_mark()
        if type(self.stack[-1]) is not set:
            raise Refused("it is damaged")
        self.stack[-1].update(_plain(item) for item in items)

    # -- the memo and the stack

    def do_memoize(self, _: Any) -> None:
        self.memo[len(self.memo)] = self.stack[-1]

    def do_put(self, index: int) -> None:
        self.memo[index] = self.stack[-1]

    do_binput = do_long_binput = do_put

    def do_get(self, index: int) -> None:
        self.stack.append(self.memo[index])

    do_binget = do_long_binget = do_get

    def do_pop(self, _: Any) -> None:
        self.stack.pop()

    def do_pop_mark(self, _: Any) -> None:
        self.since_mark()

    # -- names, and the few calls whose result is known

    def do_global(self, argument: str) -> None:
        module, _, name = argument.partition(" ")
        self.stack.append(Name(module, name))

    def do_stack_global(self, _: Any) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.stack.append(Name(str(module), str(name)))

    def do_reduce(self, _: Any) -> None:
        arguments, function = self.stack.pop(), self.stack.pop()
        if not isinstance(function, Name) or not isinstance(arguments, tuple):
            raise Refused("it is damaged")
        self.stack.append(self.result_of(function, arguments))

    def result_of(self, function: Name, arguments: tuple[Any, ...]) -> Any:
        """Return what a harmless call would, without calling; everything else is refused."""
        match (function.module, function.name), arguments:
            case (module, "_reconstruct"), _ if module in NUMPY:
                return StoredArray()
            case ("numpy", "dtype"), (code, *_):
                return StoredType(code)
            case (module, "scalar"), (StoredType() as code, data) if module in NUMPY:
                return self.array((), code, _raw(data))[()]
            case ("_codecs", "encode"), (str() as text, "latin1"):  # how protocol 2 writes bytes
                return text.encode("latin1")
            case ("collections", "OrderedDict"), ():
                return OrderedDict()
            case (module, "bytes"), () if module in BUILTINS:  # protocol 2 again, for no bytes at all
                return b""
            case (module, "complex"), (float() as real, float() as imaginary) if module in BUILTINS:
                return complex(real, imaginary)
            case (module, "set"), (list() as items,) if module in BUILTINS:
                self.spend(len(items))
                return {_plain(item) for item in items}
            case (module, "tuple"), (tuple() as items,) if (
                module in BUILTINS
            ):  # a named tensor: (name, array)
                return items
            case (module, "eval"), ("data", {"data": StoredArray() as data}) if (
                module in BUILTINS
            ):  # a tensor of a static Scope
                return data
        raise Refused(f"it refuses to load {function}")

    def do_build(self, _: Any) -> None:
        state, target = self.stack.pop(), self.stack[-1]
        if isinstance(target, StoredType):
            target.build(state)
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


def _plain(key: Any) -> Any:
    """Return a key; containers are no keys here (hashing a deep one would overflow the C stack)."""
    if not isinstance(key, KEYS):
        raise Refused(f"it refuses to load a dict with a key of type {type(key).__name__}")
    return key


def _raw(data: Any) -> bytes:
    """Return the bytes of an array; files of Python 2 hold them as text."""
    if isinstance(data, str):
        return data.encode("latin1")
    if isinstance(data, bytes):
        return data
    raise Refused("it refuses to load an array of Python objects")


def unpickle(stream: io.BytesIO) -> Any:
    """Read one pickle from `stream` and return its tree, in which arrays are :class:`StoredArray`.

    Raises:
        Refused: saying why.
    """
    machine = Machine(stream.getbuffer().nbytes)
    try:
        for opcode, argument, _ in pickletools.genops(stream):
            machine.run(opcode.name, argument)
        (result,) = machine.stack
    except Refused:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, MemoryError) as error:
        detail = f" ({error})" if type(error) is ValueError else ""
        raise Refused(f"it is damaged or no checkpoint{detail}") from None
    return result
