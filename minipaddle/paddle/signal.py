"""``paddle.signal``: Fourier transforms of the frames of a signal.

https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/signal/Overview_en.html
"""

from __future__ import annotations

from minipaddle.engine.core.later import front

__getattr__ = front(globals(), {"frames": "frame istft overlap_add stft"}, "minipaddle.ops.fft")
