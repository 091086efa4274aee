"""Layers that put a border around sequences, images or volumes: one number, or what is there repeated."""

from __future__ import annotations

from typing import Any

from minipaddle.nn.layer.common import Pad1D, Pad2D


class Pad3D(Pad1D):
    """Puts a border around volumes: [left, right, top, bottom, front, back]; see ``nn.functional.pad``."""

    axes, layout = 3, "NCDHW"


class _Zeros(Pad1D):
    """Puts zeros around."""

    def __init__(self, padding: Any, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(padding, "constant", 0.0, data_format)


class ZeroPad1D(_Zeros):
    """Puts zeros around sequences: [left, right]."""


class ZeroPad3D(_Zeros):
    """Puts zeros around volumes: [left, right, top, bottom, front, back]."""

    axes, layout = 3, "NCDHW"


class ConstantPad1D(Pad1D):
    """Puts a border of one number around sequences."""

    def __init__(
        self, padding: Any, value: float, data_format: str | None = None, name: str | None = None
    ) -> None:
        super().__init__(padding, "constant", value, data_format)


class ConstantPad2D(Pad2D):
    """Puts a border of one number around images."""

    def __init__(
        self, padding: Any, value: float, data_format: str | None = None, name: str | None = None
    ) -> None:
        super().__init__(padding, "constant", value, data_format)


class ConstantPad3D(Pad3D):
    """Puts a border of one number around volumes."""

    def __init__(
        self, padding: Any, value: float, data_format: str | None = None, name: str | None = None
    ) -> None:
        super().__init__(padding, "constant", value, data_format)


class _Reflection(Pad1D):
    """Puts a border around that repeats the mirror of what is there."""

    def __init__(self, padding: Any, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(padding, "reflect", 0.0, data_format)


class ReflectionPad1D(_Reflection):
    """Puts a border of the mirror of the input around sequences."""


class ReflectionPad2D(_Reflection):
    """Puts a border of the mirror of the input around images."""

    axes, layout = 2, "NCHW"


class ReflectionPad3D(_Reflection):
    """Puts a border of the mirror of the input around volumes."""

    axes, layout = 3, "NCDHW"


class _Replication(Pad1D):
    """Puts a border around that repeats the edge of what is there."""

    def __init__(self, padding: Any, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(padding, "replicate", 0.0, data_format)


class ReplicationPad1D(_Replication):
    """Puts a border of the edge of the input around sequences."""


class ReplicationPad2D(_Replication):
    """Puts a border of the edge of the input around images."""

    axes, layout = 2, "NCHW"


class ReplicationPad3D(_Replication):
    """Puts a border of the edge of the input around volumes."""

    axes, layout = 3, "NCDHW"


class _Circular(Pad1D):
    """Puts a border around that repeats the other end of what is there."""

    def __init__(self, padding: Any, data_format: str | None = None, name: str | None = None) -> None:
        super().__init__(padding, "circular", 0.0, data_format)


class CircularPad1D(_Circular):
    """Puts a border of the other end of the input around sequences."""


class CircularPad2D(_Circular):
    """Puts a border of the other end of the input around images."""

    axes, layout = 2, "NCHW"


class CircularPad3D(_Circular):
    """Puts a border of the other end of the input around volumes."""

    axes, layout = 3, "NCDHW"


ConstantPad1d = ConstantPad1D
ConstantPad2d = ConstantPad2D
ConstantPad3d = ConstantPad3D
ReflectionPad1d = ReflectionPad1D
ReflectionPad2d = ReflectionPad2D
ReflectionPad3d = ReflectionPad3D
ReplicationPad1d = ReplicationPad1D
ReplicationPad2d = ReplicationPad2D
ReplicationPad3d = ReplicationPad3D
CircularPad1d = CircularPad1D
CircularPad2d = CircularPad2D
CircularPad3d = CircularPad3D
ZeroPad1d, ZeroPad3d = ZeroPad1D, ZeroPad3D
