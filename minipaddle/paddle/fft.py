"""``paddle.fft``: Fourier transforms. Each name is loaded on first use."""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {
        "functions": "fft fft2 fftfreq fftn fftshift ifft ifft2 ifftn ifftshift irfft irfft2 irfftn rfft rfft2 "
        "rfftfreq rfftn"
    },
    "minipaddle.ops.fft",
)
