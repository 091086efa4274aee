"""SciPy, for the few kernels that need it: loaded when the first of them runs."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def scipy(part: str) -> Any:
    """Return a part of SciPy: ``special``, ``linalg``.

    Raises:
        ModuleNotFoundError: if SciPy is not installed; it says what to do.
    """
    try:
        return import_module(f"scipy.{part}")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"this operator is computed by scipy.{part}, and SciPy is not installed: pip install scipy"
        ) from error
