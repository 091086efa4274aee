"""Layers that put a border around sequences, images or volumes: one number, or what is there repeated."""

from __future__ import annotations

from typing import Any, ClassVar

from minipaddle.paddle.nn.layer.common import Pad1D

_LAYOUTS = ("NCL", "NCHW", "NCDHW")


class Pad3D(Pad1D):
    """Puts a border around volumes: [left, right, top, bottom, front, back]; see ``nn.functional.pad``."""

    axes, layout = 3, "NCDHW"


class ConstantPad1D(Pad1D):
    """Puts a border of one number around sequences."""

    def __init__(
        self, padding: Any, value: float, data_format: str | None = None, name: str | None = None
    ) -> None:
        super().__init__(padding, "constant", value, data_format)


class ConstantPad2D(ConstantPad1D):
    """Puts a border of one number around images."""

    axes, layout = 2, "NCHW"


class ConstantPad3D(ConstantPad1D):
    """Puts a border of one number around volumes."""

    axes, layout = 3, "NCDHW"


class _Border(Pad1D):
    """A border whose kind, a `mode` of ``nn.functional.pad``, the class line names, and around how many axes it is."""

    kind: ClassVar[str]

    def __init_subclass__(cls, kind: str = "", axes: int = 0) -> None:
        if kind:  # else it is a class of the user's
            cls.kind, cls.axes, cls.layout = kind, axes, _LAYOUTS[axes - 1]

    def __init__(self, padding: Any, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(padding, self.kind, 0.0, data_format)


class ZeroPad1D(_Border, kind="constant", axes=1):
    """Puts zeros around sequences: [left, right]."""


class ZeroPad3D(_Border, kind="constant", axes=3):
    """Puts zeros around volumes: [left, right, top, bottom, front, back]."""


class ReflectionPad1D(_Border, kind="reflect", axes=1):
    """Puts a border of the mirror of the input around sequences."""


class ReflectionPad2D(_Border, kind="reflect", axes=2):
    """Puts a border of the mirror of the input around images."""


class ReflectionPad3D(_Border, kind="reflect", axes=3):
    """Puts a border of the mirror of the input around volumes."""


class ReplicationPad1D(_Border, kind="replicate", axes=1):
    """Puts a border of the edge of the input around sequences."""


class ReplicationPad2D(_Border, kind="replicate", axes=2):
    """Puts a border of the edge of the input around images."""


class ReplicationPad3D(_Border, kind="replicate", axes=3):
    """Puts a border of the edge of the input around volumes."""


class CircularPad1D(_Border, kind="circular", axes=1):
    """Puts a border of the other end of the input around sequences."""


class CircularPad2D(_Border, kind="circular", axes=2):
    """Puts a border of the other end of the input around images."""


class CircularPad3D(_Border, kind="circular", axes=3):
    """Puts a border of the other end of the input around volumes."""


ConstantPad1d, ConstantPad2d, ConstantPad3d = ConstantPad1D, ConstantPad2D, ConstantPad3D
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = ReflectionPad1D, ReflectionPad2D, ReflectionPad3D
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = ReplicationPad1D, ReplicationPad2D, ReplicationPad3D
CircularPad1d, CircularPad2d, CircularPad3d = CircularPad1D, CircularPad2D, CircularPad3D
ZeroPad1d, ZeroPad3d = ZeroPad1D, ZeroPad3D
