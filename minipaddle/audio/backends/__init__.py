"""paddle.audio.backends: who reads and writes sounds: Python's own ``wave``, and nobody else."""

from minipaddle.audio.backends.init_backend import get_current_backend, list_available_backends, set_backend
from minipaddle.audio.backends.wave_backend import AudioInfo, info, load, save
from minipaddle.core.errors import guard_all
from minipaddle.names.missing import missing

__all__ = [
    "AudioInfo",
    "get_current_backend",
    "info",
    "list_available_backends",
    "load",
    "save",
    "set_backend",
]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
