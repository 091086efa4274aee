"""paddle.audio: sounds from files, and what a network is shown of them: spectrograms, on the scale of the ear.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/Overview_en.html)
"""

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.audio import backends, datasets, features, functional
from minipaddle.paddle.audio.backends.wave_backend import info, load, save

__all__ = ["backends", "datasets", "features", "functional", "info", "load", "save"]

__getattr__ = missing(__name__, __all__)
