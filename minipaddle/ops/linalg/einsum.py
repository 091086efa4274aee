"""``einsum``: products and sums of tensors, described by a letter for each axis.

An axis whose letter the output lacks is summed over. The gradient of an operand is an einsum again: of the output's
gradient and the other operands, with the operand's own letters as output.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from minipaddle.ops.creation.full import ones_like
from minipaddle.ops.creation.promotion import alike
from minipaddle.ops.creation.range import eye
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, operator, tried_with
from minipaddle.ops.reduction.sum import unbroadcast

LETTERS = string.ascii_letters


@lru_cache(maxsize=256)
def spelled(equation: str, *ndims: int) -> tuple[tuple[str, ...], str]:
    """Return the letters of each operand and of the output, with the axes of ``...`` written out.

    >>> spelled("...ij,jk->...ik", 3, 2)
    (('Zij', 'jk'), 'Zik')
    """
    left, _, output = equation.replace(" ", "").partition("->")
    inputs = left.split(",")
    free = [letter for letter in reversed(LETTERS) if letter not in equation]
    hidden = [n - len(one) + 3 if "..." in one else 0 for one, n in zip(inputs, ndims, strict=True)]
    dots = "".join(free[: max(hidden)])
    written = [one.replace("...", dots[len(dots) - n :]) for one, n in zip(inputs, hidden, strict=True)]
    return tuple(written), output.replace("...", dots)


def sizes_of(inputs: Sequence[str], shapes: Sequence[Shape]) -> dict[str, int]:
    """Return the size of each letter's axis; a size of 1 is broadcast to the others."""
    sizes: dict[str, int] = {}
    for letters, shape in zip(inputs, shapes, strict=True):
        for letter, size in zip(letters, shape, strict=True):
            known = sizes.get(letter, 1)
            if size != known and 1 not in (size, known) and -1 not in (size, known):
                raise invalid(
                    f"Same label have different shapes for label: `{letter}`: {known} and {size}, of operands of the "
                    f"shapes {[list(shape) for shape in shapes]}."
                )
            sizes[letter] = size if known == 1 else known if size == 1 else max(size, known)
    return sizes


def _einsum_infer(operands: list[Meta], equation: str) -> Meta:
    inputs, output = spelled(equation, *[one.ndim for one in operands])
    sizes = sizes_of(inputs, [one.shape for one in operands])
    for letter in output:
        if letter not in sizes:
            raise invalid(
                f"Must in all_labels: the output of {equation!r} has {letter!r}, and no operand has."
            )
    return Meta(tuple([sizes[letter] for letter in output]), np.result_type(*[one.dtype for one in operands]))


@tried_with((2, 3), (3, 2), equation="ij,jk->ik")
@operator("einsum", name="einsum", kinds="fc", infer=_einsum_infer, prepare=alike)
def einsum_op(*operands: Array, equation: str) -> Any:
    """Multiply the operands, axes of one letter side by side, and sum over the letters that the output lacks."""
    inputs, output = spelled(equation, *[one.ndim for one in operands])
    if len(operands) == 1:
        return np.einsum(f"{inputs[0]}->{output}", operands[0]).copy()
    letters = set().union(*inputs)
    once = any(letters <= set(one) for one in (*inputs, output))  # each number occurs once: no plan needed
    return np.einsum(f"{','.join(inputs)}->{output}", *operands, optimize=not once)


@einsum_op.gradient("operands")
def _(dy: Value, operands: Sequence[Value], equation: str) -> Sequence[Value]:
    inputs, output = spelled(equation, *[one.ndim for one in operands])
    found = []
    for place, (x, letters) in enumerate(zip(operands, inputs, strict=True)):
        others = [other for other in range(len(operands)) if other != place]
        factors = [dy, *[operands[other] for other in others]]
        texts = [output, *[inputs[other] for other in others]]
        sizes = sizes_of(texts, [tuple(one.shape) for one in factors])
        pairs = zip(letters, x.shape, strict=True)
        if any(letter not in sizes or sizes[letter] == 1 != size for letter, size in pairs):
            factors.append(ones_like(x))  # summed in this operand alone: its elements share a gradient
            texts.append(letters)
        letters, twice = _distinct(letters, "".join([*inputs, output]))
        for pair in twice:  # off the diagonal the gradient is zero
            factors.append(eye(x.shape[letters.index(pair[0])], dtype=x.dtype))
            texts.append(pair)
        dx = einsum_op(factors, f"{','.join(texts)}->{letters}")
        found.append(unbroadcast(dx, tuple(x.shape)))
    return found


def _distinct(letters: str, taken: str) -> tuple[str, list[str]]:
    """Return `letters` with each repeated letter replaced by a new one, and the replaced pairs."""
    written, pairs = "", []
    for letter in letters:
        if letter in written:
            other = next(free for free in LETTERS if free not in taken + written)
            pairs.append(letter + other)
            letter = other
        written += letter
    return written, pairs


def einsum(equation: str, *operands: Any) -> Any:
    """Return the sum of products of the operands, whose axes are described by letters.

    ``"ij,jk->ik"`` is a product of matrices, ``"ii->i"`` a diagonal, ``"bij,bjk->bik"`` a batch of products. Without
    ``->`` the output has the letters that occur once, in alphabetical order. ``...`` are axes
    without letters, which broadcast.

    Args:
        equation: letters for the axes of each operand, separated by commas, and for those of the output.
        operands: tensors of floats or of complex numbers.

    Raises:
        AssertionError: if the text is empty, or does not fit the operands (**Invalid equation**).
        ValueError: if one letter names axes of different sizes, or only the output has a letter.
    """
    assert operands, "Required at least one operand in Einsum API, but received 0"
    return einsum_op(list(operands), _checked_equation(equation, tuple([x.ndim for x in operands])))


@lru_cache(maxsize=256)
def _checked_equation(equation: str, ndims: tuple[int, ...]) -> str:
    """Return an equation with its output, or refuse it."""
    left, arrow, output = equation.replace(" ", "").partition("->")
    inputs = left.split(",")
    assert len(inputs) == len(ndims), (
        f"Invalid equation: the number of operands is {len(ndims)}, but found {len(inputs)} segments in the label "
        "equation."
    )
    assert "->" not in output, "Invalid equation: multiple `->` were found."
    for letters, ndim in zip(inputs, ndims, strict=True):
        _checked(letters, ndim)
    _checked(output)
    if not arrow:
        once = sorted(letter for letter in {*left} - {*".,"} if left.count(letter) == 1)
        output = "..." * ("..." in left) + "".join(once)
    if "..." in left and "..." not in output:
        raise AssertionError("Invalid equation: missing ellipsis in output labels.")
    if "..." not in left:
        output = output.replace("...", "")
    if len({*output} - {"."}) < len(output.replace("...", "")):
        raise invalid(
            f"The output labels {output!r} of {equation!r} have a label twice.",
            "paddle.diag makes a matrix of a diagonal",
        )
    return f"{left}->{output}"


def _checked(letters: str, ndim: int | None = None) -> None:
    """Refuse a text that does not name the axes of an operand, or not `ndim` of them."""
    named = letters.replace("...", "", 1)
    assert "." not in named, "Invalid equation: `.` is found outside of an ellipsis."
    for letter in named:
        assert letter in LETTERS, f"Invalid equation: {letter} is not a valid label, which should be letters."
    if ndim is not None:
        fits = len(named) <= ndim if "..." in letters else len(named) == ndim
        assert fits, f"Invalid equation: the label string '{letters}' misses dimensions."
