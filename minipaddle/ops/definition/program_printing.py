"""How Paddle prints operators in a Program, and numbers their outputs: given beside each definition that needs it.

A kernel takes ``axis`` and ``keepdim``; Paddle writes ``dim``, ``keep_dim`` and ``reduce_all``::

    @listed(Listing(dim=of("axis", as_list), keep_dim=of("keepdim"), reduce_all=derived(is_full)), kind="mean")
    @operator("reduce_mean")
    def mean(x, axis=None, keepdim=False): ...

Other attributes keep their names: types are printed as Paddle's integer codes, tuples as lists. Only Programs read
this, by :func:`printed`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.engine.value.dtype import DTYPES, as_numpy
from minipaddle.engine.value.meta import Attrs, Meta

Metas = Sequence[Meta | None]
L = TypeVar("L", bound="Listing")
_TYPES = ("dtype", "out_dtype")


def write_plain(value: Any) -> Any:
    """Return the printed value of an attribute: a type as its code, a tuple as a list."""
    if isinstance(value, np.dtype):
        return code_of(value)
    return [write_plain(item) for item in value] if isinstance(value, (tuple, list)) else value


def read_plain(value: Any) -> Any:
    """Return a printed value as kernels expect it: lists as tuples."""
    return tuple([read_plain(item) for item in value]) if isinstance(value, (tuple, list)) else value


def as_code(dtype: Any) -> int:
    """Return Paddle's code of a type, -1 for None: the input's type."""
    return -1 if dtype is None else code_of(as_numpy(dtype))


def from_code(code: int | None) -> Any:
    """Return the type with a code: the inverse of :func:`as_code`."""
    return None if code in (-1, None) else dtype_of_code(code)


class of(NamedTuple):
    """A printed attribute that is the kernel's `name`: converted by `write`, and back by `read`."""

    name: str
    write: Callable[[Any], Any] = write_plain
    read: Callable[[Any], Any] = read_plain


class derived(NamedTuple):
    """A printed attribute computed from the others: ``function(attrs, metas of the flat inputs)``.

    Reading skips it, unless it is the kernel's attribute `name` in another form.
    """

    function: Callable[[Attrs, Metas], Any]
    name: str = ""
    read: Callable[[Any], Any] = read_plain


class Listing:
    """How attributes are printed: ``name=of("attribute")``, ``name=derived(function)``, or a constant value.

    A kernel's attribute that no ``of`` names and that is not in `hidden` is printed unchanged.
    """

    def __init__(self, *hidden: str, **fields: Any) -> None:
        self.fields = fields
        self.hidden = hidden
        self.type = ""
        self.defaults: Attrs = {}
        """The kernel's; ``inspect.Parameter.empty`` for an attribute without a default."""

    def bind(self: L, type: str, defaults: Attrs) -> L:
        """Return these rules of printing, bound to the type and the default attributes of one operator."""
        bound = object.__new__(self.__class__)
        bound.__dict__.update(self.__dict__)
        bound.type = type
        bound.defaults = defaults
        mentioned = {field.name for field in self.fields.values() if isinstance(field, (of, derived))}
        rest = [name for name in defaults if name not in mentioned and name not in self.hidden]
        bound.fields = {**{name: _own(name) for name in rest}, **self.fields}
        return bound

    def fits(self, listed: Attrs) -> bool:
        """Whether the constants allow these printed attributes; this tells operators with one type apart."""
        constants = self.constants
        return all(
            read_plain(listed[n]) == read_plain(constants[n]) for n in constants.keys() & listed.keys()
        )

    @property
    def constants(self) -> Attrs:
        """Printed attributes that are always the same."""
        return {name: field for name, field in self.fields.items() if not isinstance(field, (of, derived))}

    @property
    def names(self) -> list[str]:
        """Names of the printed attributes."""
        return list(self.fields)

    def write(self, attrs: Attrs, metas: Metas = ()) -> Attrs:
        """Return the full `attrs` of a kernel, for inputs of these `metas`, as they are printed."""
        return {name: _written(field, attrs, metas) for name, field in self.fields.items()}

    def read(self, listed: Attrs) -> Attrs:
        """Return the kernel's full attributes for printed ones; missing ones get their default values.

        As in Paddle, unknown names are ignored.

        Raises:
            NotImplementedError: for another value than the constant.
            ValueError: **is not set correctly**, if an attribute without a default is missing.
        """
        attrs = dict(self.defaults)
        for name, field in self.fields.items():
            if name not in listed:
                continue
            if isinstance(field, of):
                attrs[field.name] = field.read(listed[name])
            elif isinstance(field, derived):
                attrs.update({field.name: field.read(listed[name])} if field.name else {})
            elif read_plain(listed[name]) != read_plain(field):
                raise failure(
                    NotImplementedError,
                    f"Attr({name}) of {self.type} must be {field!r}, but received {listed[name]!r}.",
                )
        for name, value in attrs.items():
            if value is inspect.Parameter.empty and name not in self.hidden:
                raise invalid(f"Attribute ({self._printed(name)}) of {self.type} is not set correctly.")
        return attrs

    def _printed(self, attribute: str) -> str:
        fields = self.fields.items()
        return next(n for n, field in fields if isinstance(field, (of, derived)) and field.name == attribute)


def _own(name: str) -> of:
    """Return the field of an attribute that is printed unchanged."""
    return of(name, as_code, from_code) if name in _TYPES else of(name)


def _written(field: Any, attrs: Attrs, metas: Metas) -> Any:
    if isinstance(field, of):
        return field.write(attrs[field.name])
    return field.function(attrs, metas) if isinstance(field, derived) else field


class Printed:
    """How one operator is printed in a Program."""

    def __init__(
        self,
        op: Operator,
        listing: Listing | None = None,
        *,
        type: str = "",
        kind: str = "",
        bare: bool = False,
        numbered: str = "",
        grad_type: str = "",
        grad_keeps: str = "",
        grad_takes: str = "",
        inputs: str = "",
        outputs: str = "",
        shape_slot: str = "",
    ) -> None:
        self.input_slots = _split(inputs) or [_capitals(name) for name in op.input_names]
        """The slot of each input: its name in capitals, unless `inputs` gives Paddle's."""
        self.output_slots = slots = _split(outputs) or [_capitals(name) for name in op.output_names]
        self.shape_slot = shape_slot
        """The output slot with the shape of the first input in a Program: ``XShape``; "" if there is none."""
        self.listing = (listing or Listing()).bind(op.type, op.defaults)
        """How the attributes are printed."""
        self.type = type or op.type
        """The printed type: Paddle has one operator in place of several (``split``, ``pool2d``)."""
        self.kind = kind or op.type
        """The prefix of its outputs' names: ``KIND_N.tmp_0``."""
        self.bare = bare
        """Whether a single output is called ``KIND_N``."""
        self.numbering = [slots.index(slot) for slot in _split(numbered)] or list(range(len(slots)))
        """Positions of the outputs in the order in which their names are numbered."""
        self.grad_type = grad_type or f"{self.type}_grad"
        """Type of the operator that computes the gradients."""
        self.grad_keeps = _split(grad_keeps)
        """Slots that the gradient operator takes in Paddle although no rule needs them."""
        self.grad_takes = [i for i in op.differentiable if not grad_takes or slots[i] in _split(grad_takes)]
        """Positions of the outputs whose gradients it takes even if zero; gradients of others only if they are not."""


class _ByOperator(dict[Operator, Printed]):
    """How each operator is printed: as its definition says, or by its own names."""

    def __missing__(self, op: Operator) -> Printed:
        self[op] = made = Printed(op)
        return made


_PRINTED = _ByOperator()
printed: Callable[[Operator], Printed] = _PRINTED.__getitem__
"""Return how an operator is printed in a Program."""


def listed(listing: Listing | None = None, **options: Any) -> Callable[[Operator], Operator]:
    """Return a decorator that sets how an operator is printed; `options` are those of :class:`Printed`."""

    def note(op: Operator) -> Operator:
        _PRINTED[op] = Printed(op, listing, **options)
        return op

    return note


def slots_of(op: Operator) -> str:
    """Return the slots of `op` in a row: ``X, Index* -> Out, Mask~, XShape!``.

    ``*`` is a list, ``?`` is optional, ``~`` a by-product without gradient, ``!`` exists only in a
    Program: the shape of the first input.
    """
    slots = printed(op)
    ins = [
        slot + ("*" if name == op.list_slot else "?" if name in op.optional else "")
        for slot, name in zip(slots.input_slots, op.input_names, strict=True)
    ]
    outs = [
        slot + ("*" if op.list_output else "" if place in op.differentiable else "~")
        for place, slot in enumerate(slots.output_slots)
    ]
    outs += [f"{slots.shape_slot}!"] if slots.shape_slot else []
    return f"{', '.join(ins)} -> {', '.join(outs)}".strip()


def listed_operator(type: str, attrs: Attrs) -> Operator | None:
    """Return the operator for a Program's `type` and printed attributes, or None."""
    named = TABLE.get(type)
    if named is not None and printed(named).listing.fits(attrs):
        return named
    same = (op for op in TABLE.values() if printed(op).type == type and printed(op).listing.fits(attrs))
    return next(same, None) or TABLE.get(type)  # the search has loaded every operator


def _capitals(name: str) -> str:
    """Return the slot for a name: ``MeanOut`` for mean_out."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _split(slots: str) -> list[str]:
    return [slot.strip() for slot in slots.split(",") if slot.strip()]


_CODES = (0, 20, 21, 1, 2, 3, 4, 5, 6, 23, 24)
"""Paddle's codes for the types in a Program, in the order of the names (``VarType.Type`` in its framework.proto)."""
_CODE_OF = {dtype.numpy: code for dtype, code in zip(DTYPES.values(), _CODES, strict=True)}
_BY_CODE = {code: dtype for dtype, code in _CODE_OF.items()}


def code_of(dtype: np.dtype[Any]) -> int:
    """Return the integer for `dtype` in a Program: 5 for float32."""
    return _CODE_OF[dtype]


def dtype_of_code(code: int) -> np.dtype[Any]:
    """Return the type for the integer `code` in a Program."""
    if code not in _BY_CODE:
        raise TypeError(
            f"{code!r} is not the code of a data type; float32 has {_CODE_OF[np.dtype('float32')]}."
        )
    return _BY_CODE[code]
