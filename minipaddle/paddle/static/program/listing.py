"""How Programs print: ``repr`` gives Paddle's listings. Also the attributes of Operators that Paddle's users read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minipaddle.engine.errors import Line, failure
from minipaddle.engine.mode.eager import current
from minipaddle.engine.value.meta import Attrs

Slots = dict[str, list[Any]]
"""Slot name -> Variables; None stands for an unused output (printed as ``@EMPTY@``)."""


class Listed:
    """The base of objects in a Program's listing: the Program itself, Blocks, Operators, Variables."""

    def to_string(self, throw_on_error: bool, with_details: bool = False) -> str:
        """Return the listing, whatever the arguments.

        Raises:
            AssertionError: naming the argument that is no bool.
        """
        for name, value in (("throw_on_error", throw_on_error), ("with_details", with_details)):
            assert isinstance(value, bool), (
                f"The type of {name} parameter is wrong, expected bool, but received {type(value)}."
            )
        return repr(self)


class ListedOperator(Listed):
    """The base of Operators: their slots, names and attributes, with Paddle's names."""

    type: str
    inputs: Slots
    outputs: Slots
    attrs: Attrs
    printed: Attrs
    role: int
    role_var: list[str]
    namescope: str
    where: Line | None

    @property
    def input_names(self) -> list[str]:
        """Input slots."""
        return list(self.inputs)

    @property
    def output_names(self) -> list[str]:
        """Output slots."""
        return list(self.outputs)

    @property
    def input_arg_names(self) -> list[str]:
        """Names of all Variables that it reads."""
        return [name for slot in self.input_names for name in self.input(slot)]

    @property
    def output_arg_names(self) -> list[str]:
        """Names of all Variables that it writes."""
        return [name for slot in self.output_names for name in self.output(slot)]

    def input(self, name: str) -> list[str]:
        """Return the names of the Variables in the input slot `name`.

        Raises:
            RuntimeError: naming the slot, if there is none.
        """
        return self._names(self.inputs, name, "input")

    def output(self, name: str) -> list[str]:
        """Return the names of the Variables in the output slot `name`; see :meth:`input`."""
        return self._names(self.outputs, name, "output")

    def _names(self, slots: Slots, name: str, kind: str) -> list[str]:
        if name not in slots:
            raise failure(
                RuntimeError,
                f"Operator {self.type} has no {kind} slot {name!r}; it has {', '.join(slots) or 'none'}.",
            )
        return ["@EMPTY@" if variable is None else variable.name for variable in slots[name]]

    def listed(self) -> Attrs:
        """Return its own attributes with Paddle's printed names and form."""
        return dict(self.attrs)

    def all_attrs(self) -> Attrs:
        """Return all attributes; blocks as Block objects."""
        return {
            **self.listed(),
            **self.printed,
            "op_callstack": [str(self.where), f"    {self.where.text}"] if self.where else [],
            "op_device": "",
            "op_namescope": self.namescope,
            "op_role": self.role,
            "op_role_var": list(self.role_var),
        }

    @property
    def attr_names(self) -> list[str]:
        """Names of all attributes."""
        return list(self.all_attrs())

    def has_attr(self, name: str) -> bool:
        """Whether there is such an attribute."""
        return name in self.all_attrs()

    def attr(self, name: str) -> Any:
        """Return one attribute.

        Raises:
            RuntimeError: naming it, if there is none.
        """
        attrs = self.all_attrs()
        if name not in attrs:
            raise failure(RuntimeError, f"Operator {self.type} has no attribute {name!r}.")
        return attrs[name]

    def __repr__(self) -> str:
        """Return ``{Out=['y']} = exp(inputs={X=['x']}, ...)``: slots and attributes alphabetically."""
        ins = ", ".join(f"{slot}={self.input(slot)}" for slot in sorted(self.input_names))
        outs = ", ".join(f"{slot}={self.output(slot)}" for slot in sorted(self.output_names))
        attrs = "".join(
            f", {name} = {attr_text(value)}"
            for name, value in sorted(self.all_attrs().items())
            if name not in ("op_callstack", "op_device")
        )
        return f"{{{outs}}} = {self.type}(inputs={{{ins}}}{attrs})"


def attr_text(value: Any) -> str:
    """Return the printed text of an attribute: a Block as its number."""
    if isinstance(value, list) and value and isinstance(value[0], Listed):
        return f"blocks[{', '.join(str(block.idx) for block in value)}]"
    number = getattr(value, "idx", None)
    return str(value) if number is None else f"block[{number}]"


# -- name_scope: the part of a network that an Operator belongs to; listings show it ---------------------------------


class _Here:
    path = "/"
    """Of the scope that Operators are appended in: ``/``, ``/encoder/``, ``/encoder/layer/``."""


here = _Here()
_entered: Counter[str] = Counter()


@contextmanager
def name_scope(prefix: str | None = None) -> Iterator[None]:
    """Operators that are appended inside say ``op_namescope = /PREFIX/``; entered again, ``/PREFIX_1/``.

    In dynamic mode nothing happens.

    Raises:
        AssertionError: for an empty **prefix**.
    """
    if current.get().dynamic:
        yield
        return
    assert prefix, "namescope prefix can not be empty."
    path = f"{here.path}{prefix}"
    times = _entered[path]
    _entered[path] += 1
    before, here.path = here.path, f"{path}_{times}/" if times else f"{path}/"
    try:
        yield
    finally:
        here.path = before


@contextmanager
def counted_anew() -> Iterator[None]:
    """Count from the first inside a ``with`` block how often each scope is entered; afterwards as before."""
    before = _entered.copy()
    _entered.clear()
    try:
        yield
    finally:
        _entered.clear()
        _entered.update(before)
