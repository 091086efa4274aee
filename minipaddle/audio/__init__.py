"""paddle.audio: sounds from files, and what a network is shown of them: spectrograms, on the scale of the ear.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/audio/Overview_en.html)
"""

from minipaddle.audio import backends, datasets, features, functional
from minipaddle.audio.backends.wave_backend import info, load, save
from minipaddle.names.missing import missing

__all__ = ["backends", "datasets", "features", "functional", "info", "load", "save"]

__getattr__ = missing(__name__, __all__)
