"""``paddle.fft``: Fourier transforms. Each name is loaded when it is asked for.

https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/fft/Overview_en.html
"""

from __future__ import annotations

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "frequencies": "fftfreq fftshift ifftshift rfftfreq",
        "one_axis": "fft hfft ifft ihfft irfft rfft",
        "several_axes": "fft2 fftn hfft2 hfftn ifft2 ifftn ihfft2 ihfftn irfft2 irfftn rfft2 rfftn",
    },
    "minipaddle.ops.fft",
)
