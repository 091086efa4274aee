"""Which backends there are: one."""

from __future__ import annotations

_WAVE = "wave_backend"


def list_available_backends() -> list[str]:
    """Return ["wave_backend"]."""
    return [_WAVE]


def get_current_backend() -> str:
    """Return "wave_backend"."""
    return _WAVE


def set_backend(backend_name: str) -> None:
    """Accept "wave_backend".

    Raises:
        NotImplementedError: for any other.
    """
    if backend_name != _WAVE:
        raise NotImplementedError(f"there is one backend, {_WAVE!r}, but received {backend_name!r}")
