"""Annotations as users read them: a kernel takes arrays, and rules take Values, but users hand over Tensors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_OURS = re.compile(r"\b(Array|Value)\b")


class Annotation(str):
    """An annotation that ``help()`` shows without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


def shown(annotations: Mapping[str, Any]) -> dict[str, Any]:
    """Return the annotations of a function or kernel for its users: ``{"x": "Array"}`` reads Tensor."""
    return {
        name: Annotation(_OURS.sub("Tensor", text)) if isinstance(text, str) else text
        for name, text in annotations.items()
    }
