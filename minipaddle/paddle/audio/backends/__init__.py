"""paddle.audio.backends: who reads and writes sounds: Python's own ``wave``, and nobody else."""

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "init_backend": "get_current_backend list_available_backends set_backend",
        "wave_backend": "AudioInfo info load save",
    },
)
