"""``paddle.signal``: Fourier transforms of the frames of a signal.

https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/signal/Overview_en.html
"""

from __future__ import annotations

from minipaddle.core.later import homes, later
from minipaddle.names.missing import missing

_LATER = homes("minipaddle.ops.fft", {"frames": "frame istft overlap_add stft"})
__all__ = [*_LATER]
__getattr__ = later(globals(), _LATER, missing(__name__, __all__))
